import { readUsers, type UserNumbers, type UserReadDeps } from './read-users.ts'
import { listUserIds } from './store.ts'

/** Users in the order of their ids. `next`: the id after which the next page starts. */
export interface UserPage {
  rows: UserNumbers[]
  next: string | null
}

export interface UserSearchLimits {
  /** Ids that one statement reads. */
  portion: number
  /** After this time the search returns what it has found. */
  searchMs: number
}

/** A statement over 1,000 ids takes about 0.2 s, so that a search ends within a second. */
const LIMITS: UserSearchLimits = { portion: 1_000, searchMs: 500 }

/**
 * Lists users after `after` whose id contains `search`. Ids are read in portions, until a page is full or the time is
 * over. A page of a search that ran out of time has fewer users, or none; its cursor continues behind what was read.
 */
export async function searchUsers(
  deps: UserReadDeps,
  projectId: string,
  { after, search, limit }: { after: string; search: string | undefined; limit: number },
  { portion, searchMs }: UserSearchLimits = LIMITS,
): Promise<UserPage> {
  const deadline = performance.now() + searchMs
  const ids: string[] = []
  let last: string | undefined = after
  while (last !== undefined && ids.length < limit) {
    const read = await listUserIds(deps.db, projectId, {
      after: last,
      search,
      count: portion,
      limit: limit - ids.length,
    })
    ids.push(...read.ids)
    last = read.last
    if (performance.now() >= deadline) break
  }
  return { rows: ids.length === 0 ? [] : await readUsers(deps, projectId, ids), next: last ?? null }
}
