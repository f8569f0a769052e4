import type { Socket } from 'node:net'
import pg from 'pg'
import { removeItem } from '../remove-item.ts'

// bigint columns are counters far below 2^53, so they are returned as numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** How long a new connection may take, in ms. */
export const CONNECT_MS = 5_000

/** Opens a pool of the driver that continues to work when connections are lost. */
export function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...config, keepAlive: true })
  pool.on('error', () => {}) // an idle connection was lost; the pool replaces it
  return pool
}

/**
 * Tracks idle connections, and returns a function that closes them. If one connection was lost silently (a
 * changed IP address, a firewall that dropped its state), the other idle ones probably were too, and each
 * would cost a caller the whole time limit of a statement.
 */
export function trackIdle(pool: pg.Pool): () => void {
  const idle: pg.PoolClient[] = []
  const forget = (client: pg.PoolClient) => removeItem(idle, client)
  pool.on('release', (error, client) => {
    if (!error) idle.push(client)
  })
  pool.on('acquire', forget)
  pool.on('remove', forget)
  return () => {
    for (const client of [...idle]) {
      // makes the pool remove it immediately
      client.emit('error', new Error('closed together with a lost connection'))
      socketOf(client).destroy()
    }
  }
}

/** Returns the socket of a connection: the driver has no other way to close it immediately. */
export const socketOf = (client: pg.ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream
