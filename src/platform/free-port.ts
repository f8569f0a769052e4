import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { StartupError } from './startup-error.ts'

const PORTS = { first: 20_000, last: 32_767 }
const ATTEMPTS_MAX = 20

/**
 * Returns a port of the loopback address that nobody uses at this moment. Systems choose the ports of outgoing
 * connections from 32768 (Linux) or 49152 (macOS, Windows; RFC 6335, section 6): a port below cannot be in use for such
 * a connection when its server restarts.
 * @throws StartupError
 */
export async function findFreePort(): Promise<number> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const port = randomInt(PORTS.first, PORTS.last + 1)
    if (await isFree(port)) return port
  }
  throw new StartupError(
    `No free port found: ${ATTEMPTS_MAX} ports from ${PORTS.first} to ${PORTS.last} are in use.`,
    'End programs that listen on these ports of 127.0.0.1, and start again.',
  )
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
