import { createCache } from '../cache.ts'

export interface ConfirmedCacheOptions {
  /**
   * Resolves true when all reports of changes that had committed before the call have been handled; false while reports
   * may be missed: then nothing that is cached is used.
   */
  confirm(): Promise<boolean>
  /** Groups of values; the one that was not used for longest goes first. */
  groupsMax: number
  /** How long a group that is not used stays in memory. */
  ttlMs: number
}

/** Values of one group. More are not cached. */
const GROUP_MAX = 100

/**
 * Values of the database that this process keeps in memory while the database reports all their changes. So that a call
 * that follows a change never sees the state before it, also on another server, each use first confirms that no report
 * is on its way. Concurrent calls share this round trip, which costs less than any statement.
 *
 * Values are in groups whose changes are reported together. The name of a group begins with its project.
 */
export class ConfirmedCache<V extends object> {
  readonly #options: ConfirmedCacheOptions
  readonly #groups: ReturnType<typeof createCache<string, Map<string, V>>>
  #reports = 0

  constructor(options: ConfirmedCacheOptions) {
    this.#options = options
    const { groupsMax: max, ttlMs: ttl } = options
    this.#groups = createCache<string, Map<string, V>>({ max, ttl, updateAgeOnGet: true })
  }

  /**
   * Returns a value if it is cached and has not changed before this call, or before `confirmed` was started: a result
   * of `confirm`.
   */
  find(group: string, key: string, confirmed?: Promise<boolean>): Promise<V | undefined> | undefined {
    if (!this.#groups.get(group)?.has(key)) return undefined
    return (confirmed ?? this.#options.confirm()).then((isConfirmed) =>
      isConfirmed ? this.#groups.peek(group)?.get(key) : undefined,
    )
  }

  /** Returns a function that adds what is read after this call, unless something changes meanwhile. */
  prepareAdd(): (group: string, key: string, value: V) => boolean {
    const reports = this.#reports
    return (group, key, value) => {
      if (reports !== this.#reports) return false
      let values = this.#groups.get(group)
      if (!values || values.size >= GROUP_MAX) this.#groups.set(group, (values = new Map()))
      values.set(key, value)
      return true
    }
  }

  /** Removes a group after a report. */
  forget(group: string): void {
    this.#reports++
    this.#groups.delete(group)
  }

  /** Removes the groups whose names begin so. */
  forgetAll(prefix = ''): void {
    this.#reports++
    if (prefix === '') return this.#groups.clear()
    for (const group of this.#groups.keys()) if (group.startsWith(prefix)) this.#groups.delete(group)
  }
}
