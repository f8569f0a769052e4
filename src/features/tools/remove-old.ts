import type { Db } from '../../platform/db/sql.ts'
import * as calls from './idempotency-store.ts'
import * as pages from './response-shaping/store.ts'

/** Statements of one run; the next goes on. */
const STATEMENTS_MAX = 1_000

/** Removes what callers can no longer ask for: pages of answers, and calls whose keys have run out. */
export async function removeOldCalls(db: Db): Promise<void> {
  for (const { removeOld } of [pages, calls])
    for (let n = 0; n < STATEMENTS_MAX && (await removeOld(db)); n++);
}
