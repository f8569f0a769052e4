import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

export interface Notifications {
  /** False while the connection is down or silent: what was changed meanwhile is unknown. */
  readonly connected: boolean
  close(): Promise<void>
}

const RETRY_FIRST_MS = 100
const RETRY_MAX_MS = 2_000
const HEARTBEAT_MS = 500
/** A heartbeat that is older tells nothing: the network may be cut without a word. */
const FRESH_MS = 1_000
const ANSWER_MS = 5_000
const CLOSE_MS = 1_000

/**
 * One connection of its own that listens on a channel, and comes back by itself.
 * `onGap` runs whenever messages may have been missed (each time the connection was lost).
 * A question twice a second proves the connection alive. Messages come in order with its answers, so a late answer misses none.
 */
export function listen(
  url: string,
  channel: string,
  onMessage: (payload: string) => void,
  onGap: () => void,
): Notifications {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let heardAt = -Infinity
  let closed = false
  let delay = RETRY_FIRST_MS

  function lost(which: pg.Client): void {
    if (client !== which) return
    client = undefined
    clearTimeout(timer)
    heardAt = -Infinity
    onGap()
    which.end().catch(() => {})
    if (closed) return
    timer = setTimeout(open, delay)
    delay = Math.min(delay * 2, RETRY_MAX_MS)
  }

  function heard(which: pg.Client): void {
    if (client !== which) return
    heardAt = performance.now()
    timer = setTimeout(
      () =>
        which.query('select 1').then(
          () => heard(which),
          () => lost(which),
        ),
      HEARTBEAT_MS,
    )
  }

  function open(): void {
    const opening = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      application_name: `patchbay-listen-${channel}`,
    })
    client = opening
    opening.on('error', () => lost(opening))
    opening.on('end', () => lost(opening))
    opening.on('notification', ({ payload }) => onMessage(payload ?? ''))
    opening
      .connect()
      .then(() => opening.query(`listen ${pg.escapeIdentifier(channel)}`))
      .then(() => {
        delay = RETRY_FIRST_MS
        onGap() // what changed before this moment was not heard
        heard(opening)
      })
      .catch(() => lost(opening))
  }

  open()
  return {
    get connected() {
      return performance.now() - heardAt < FRESH_MS
    },
    async close() {
      closed = true
      heardAt = -Infinity
      clearTimeout(timer)
      const last = client
      client = undefined
      // A connection to a frozen server never says goodbye.
      await Promise.race([last?.end().catch(() => {}), wait(CLOSE_MS, undefined, { ref: false })])
    },
  }
}
