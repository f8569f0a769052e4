import pg from 'pg'
import type { Simulator } from '../../simulation/providers/start.ts'
import { queryOnce } from '../../src/platform/db/check.ts'
import { execute } from '../chaos-refresh/callers.ts'

const CHUNK = 1_000
const QUERY_MS = 30_000

/** Returns how many of these ids have no row in the table, or were marked as deleted. */
export async function countMissing(url: string, name: string, ids: readonly string[]): Promise<number> {
  let missing = 0
  for (let at = 0; at < ids.length; at += CHUNK) {
    const chunk = ids.slice(at, at + CHUNK)
    const list = chunk.map((id) => pg.escapeLiteral(id)).join(',')
    const [row] = await queryOnce<{ count: number }>(
      url,
      `select count(distinct id)::int as count from ${pg.escapeIdentifier(name)} where id in (${list})`,
      QUERY_MS,
    )
    missing += new Set(chunk).size - (row?.count ?? 0)
  }
  return missing
}

/** Returns how many accounts no longer work: at the provider, in the database, or when they are used. */
export async function countLostGrants(
  urls: readonly string[],
  key: string,
  users: readonly string[],
  simulator: Simulator,
): Promise<number> {
  const failures = await Promise.all(
    users.map((user, n) => execute(undefined, urls[n % urls.length] ?? '', key, user)),
  )
  return Math.max(failures.filter((why) => why !== undefined).length, simulator.stats().deadFamilies)
}
