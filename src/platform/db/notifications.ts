import pg from 'pg'

export interface Notifications {
  /** False while the connection is down: what was changed meanwhile is unknown. */
  readonly connected: boolean
  close(): Promise<void>
}

const RETRY_FIRST_MS = 100
const RETRY_MAX_MS = 5_000
const HEARTBEAT_MS = 15_000

/**
 * One connection of its own that listens on a channel, and comes back by itself.
 * `onGap` runs whenever messages may have been missed (each time the connection was lost).
 */
export function listen(url: string, channel: string, onMessage: (payload: string) => void, onGap: () => void): Notifications {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let connected = false
  let closed = false
  let delay = RETRY_FIRST_MS

  function lost(which: pg.Client): void {
    if (client !== which) return
    client = undefined
    clearTimeout(timer)
    if (connected) onGap()
    connected = false
    which.end().catch(() => {})
    if (closed) return
    timer = setTimeout(open, delay)
    delay = Math.min(delay * 2, RETRY_MAX_MS)
  }

  function beat(which: pg.Client): void {
    // A cut network gives no error by itself; a question that stays open does.
    timer = setTimeout(() => which.query('select 1').then(() => { if (client === which) beat(which) }, () => lost(which)), HEARTBEAT_MS)
  }

  function open(): void {
    const opening = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 5_000, query_timeout: 5_000, application_name: 'patchbay-listen' })
    client = opening
    opening.on('error', () => lost(opening))
    opening.on('end', () => lost(opening))
    opening.on('notification', ({ payload }) => onMessage(payload ?? ''))
    opening.connect().then(() => opening.query(`listen ${pg.escapeIdentifier(channel)}`)).then(() => {
      connected = true
      delay = RETRY_FIRST_MS
      onGap() // what changed before this moment was not heard
      beat(opening)
    }).catch(() => lost(opening))
  }

  open()
  return {
    get connected() { return connected },
    async close() {
      closed = true
      connected = false
      clearTimeout(timer)
      const last = client
      client = undefined
      await last?.end().catch(() => {})
    },
  }
}
