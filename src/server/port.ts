import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { Config } from '../platform/config.ts'
import { StartupError } from '../platform/startup-error.ts'
import { processRole } from './worker-process.ts'

export interface ReservedPort {
  port: number
  /** Frees the port for the server that listens next. */
  release(): Promise<void>
}

/**
 * Reserves the port during the start. A port in use fails before anything else is started, and with PORT=0
 * the number is known before other parts need it. Connections are closed until the server listens.
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

/**
 * Returns the port of this process; undefined for a role without one. A supervisor has reserved that of its workers.
 */
export async function portOf({
  role,
  host,
  port,
}: Pick<Config, 'role' | 'host' | 'port'>): Promise<ReservedPort | undefined> {
  if (role === 'work') return undefined
  return processRole().isWorker ? { port, release: async () => {} } : reservePort(host, port)
}

/** With PORT=0, the port is known only now. URLs that start with PUBLIC_URL need it. */
export function withPort(config: Config, port: number | undefined): Config {
  if (port === undefined || config.port !== 0) return config
  return {
    ...config,
    port,
    publicUrl: config.publicUrl === 'http://localhost:0' ? `http://localhost:${port}` : config.publicUrl,
  }
}

/** Describes why a server cannot listen. Other errors are returned unchanged. */
export function cannotListen(error: unknown, host: string, port: number): unknown {
  const { code } = error as { code?: string }
  if (code === 'EADDRINUSE')
    return new StartupError(
      `Port ${port} on ${host} is in use by another program.`,
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
      `HOST is ${host}, which is not an address of this machine.`,
      'Set HOST to 127.0.0.1, 0.0.0.0 or an IP address of this machine.',
      { cause: error },
    )
  return error
}

/**
 * Returns the URL for programs on this machine. PUBLIC_URL may lead through a proxy that does not run yet.
 */
export function localUrl({ host, port }: { host: string; port: number }): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'].includes(host)) return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
