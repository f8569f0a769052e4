import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { SharedRoundTrips } from './shared-round-trips.ts'
import { sendQuery, TimedQuery } from './timed-query.ts'

export interface Listener {
  /** False while the connection is down or silent: messages may be missed then. */
  readonly connected: boolean
  /**
   * Resolves true when all messages of transactions that had committed before the call have been handled; false if
   * messages may be missed. Takes a round trip, which concurrent calls share.
   */
  confirm(): Promise<boolean>
  close(): Promise<void>
}

export interface ListenerHandlers {
  onMessage(payload: string): void
  /** Messages may have been missed: the connection was lost, or it has just been established. */
  onMissed(): void
}

/** The application name of the connection that listens to a channel, as PostgreSQL shows it. */
export const listenerName = (channel: string): string => `patchbay-listen-${channel}`

const listenTo = (channel: string): string => `listen ${pg.escapeIdentifier(channel)}`

const RECONNECT_MS_MIN = 100
const RECONNECT_MS_MAX = 2_000
const HEARTBEAT_MS = 500
/** After this time without a heartbeat the connection counts as down: a broken network reports nothing. */
const HEARTBEAT_AGE_MS_MAX = 1_000
const QUERY_MS_MAX = 5_000
const CLOSE_MS_MAX = 1_000

/**
 * Opens a connection that listens to a channel and reconnects automatically. It does not come from the pool:
 * a pool such as PgBouncer in transaction mode drops LISTEN. A round trip twice a second proves that the
 * connection works; PostgreSQL sends messages in order with the responses, so that a late response misses no
 * message.
 */
export const listen = (url: string, channel: string, handlers: ListenerHandlers): Listener =>
  new ChannelListener(url, channel, handlers)

class ChannelListener implements Listener {
  readonly #url: string
  readonly #channel: string
  readonly #handlers: ListenerHandlers
  #client: pg.Client | undefined
  #roundTrips: SharedRoundTrips | undefined
  #timer: NodeJS.Timeout | undefined
  #heartbeatAt = -Infinity
  #reconnectMs = RECONNECT_MS_MIN
  #isClosed = false

  constructor(url: string, channel: string, handlers: ListenerHandlers) {
    this.#url = url
    this.#channel = channel
    this.#handlers = handlers
    this.#connect()
  }

  get connected(): boolean {
    return performance.now() - this.#heartbeatAt < HEARTBEAT_AGE_MS_MAX
  }

  confirm(): Promise<boolean> {
    return this.connected && this.#roundTrips ? this.#roundTrips.confirm() : Promise.resolve(false)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const client = this.#client
    this.#disconnect()
    // A frozen server does not confirm the end of a connection.
    await Promise.race([client?.end().catch(() => {}), wait(CLOSE_MS_MAX, undefined, { ref: false })])
  }

  #connect(): void {
    const client = new pg.Client({
      connectionString: this.#url,
      keepAlive: true,
      connectionTimeoutMillis: QUERY_MS_MAX,
      application_name: listenerName(this.#channel),
    })
    this.#client = client
    client.on('error', () => this.#onLost(client))
    client.on('end', () => this.#onLost(client))
    client.on('notification', ({ payload }) => this.#handlers.onMessage(payload ?? ''))
    client
      .connect()
      .then(() => sendQuery(client, new TimedQuery({ text: listenTo(this.#channel) }, QUERY_MS_MAX)))
      .then(() => {
        if (this.#client !== client) return
        this.#reconnectMs = RECONNECT_MS_MIN
        this.#handlers.onMissed()
        this.#startHeartbeat(client)
      })
      .catch(() => this.#onLost(client))
  }

  #startHeartbeat(client: pg.Client): void {
    this.#heartbeatAt = performance.now()
    const roundTrips = new SharedRoundTrips(client, QUERY_MS_MAX, (error) => {
      if (error) this.#onLost(client)
      else this.#heartbeatAt = performance.now()
    })
    this.#roundTrips = roundTrips
    this.#timer = setInterval(() => void roundTrips.confirm(), HEARTBEAT_MS)
  }

  #disconnect(): void {
    this.#client = undefined
    this.#heartbeatAt = -Infinity
    clearInterval(this.#timer)
    this.#roundTrips?.close()
    this.#roundTrips = undefined
  }

  #onLost(client: pg.Client): void {
    if (this.#client !== client) return
    this.#disconnect()
    this.#handlers.onMissed()
    client.end().catch(() => {})
    if (this.#isClosed) return
    this.#timer = setTimeout(() => this.#connect(), this.#reconnectMs)
    this.#reconnectMs = Math.min(this.#reconnectMs * 2, RECONNECT_MS_MAX)
  }
}
