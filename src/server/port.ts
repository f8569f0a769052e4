import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { StartupError } from '../platform/startup-error.ts'

export interface ReservedPort {
  port: number
  /** Frees it for the server that listens next. */
  release(): Promise<void>
}

/**
 * Takes the port for the time of the start: a taken one is told before anything else was started, and with PORT=0 the
 * number is known before anybody needs it. Who connects meanwhile is turned away, as if nobody listened yet.
 */
export async function reservePort(host: string, port: number): Promise<ReservedPort> {
  const server = createServer((socket) => socket.destroy())
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    throw cannotListen(error, host, port)
  }
  return {
    port: (server.address() as AddressInfo).port,
    release: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
      }),
  }
}

/** What keeps a server from listening, in words; everything else passes. */
export function cannotListen(error: unknown, host: string, port: number): unknown {
  const { code } = error as { code?: string }
  if (code === 'EADDRINUSE')
    return new StartupError(
      `Port ${port} on ${host} is taken by another program.`,
      'Stop that program, or choose another port with PORT.',
      { cause: error },
    )
  if (code === 'EACCES')
    return new StartupError(
      `This user may not listen on port ${port}.`,
      'Choose a port above 1023 with PORT.',
      { cause: error },
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new StartupError(
      `This machine has no address ${host}.`,
      'Set HOST to 127.0.0.1, 0.0.0.0 or an address of this machine.',
      { cause: error },
    )
  return error
}

/** Where a program on this machine reaches the server; PUBLIC_URL may lead through a proxy that does not stand yet. */
export function localUrl({ host, port }: { host: string; port: number }): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'].includes(host)) return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
