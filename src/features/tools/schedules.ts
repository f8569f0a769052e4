import type { Db } from '../../platform/db/sql.ts'
import type { Schedule } from '../../platform/jobs/index.ts'
import { removeUnusedVectors } from './embeddings/store.ts'
import { removeExpiredKeys } from './idempotency/store.ts'
import { removeExpiredPages } from './response-shaping/store.ts'

/** A run ends after this many statements. The next run continues. */
const STATEMENTS_MAX = 1_000

/** The scheduled jobs of tools: removal of expired idempotency keys and response pages, and of unused vectors. */
export const toolSchedules = ({ db }: { db: Db }): readonly Schedule[] => [
  {
    task: 'tools.removeOld',
    cron: '*/10 * * * *',
    run: async () => {
      for (const removeBatch of [removeExpiredPages, removeExpiredKeys, removeUnusedVectors]) {
        for (let statement = 0; statement < STATEMENTS_MAX && (await removeBatch(db)); statement++);
      }
    },
  },
]
