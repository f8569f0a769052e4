import { rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FromPeer, ToPeer } from './peer-messages.ts'

const ORPHAN_STOP_TIMEOUT_MS = 2_000

/** A peer that runs inside this process. */
export interface RunningPeer {
  /** What the starter gets to know; must survive JSON. */
  facts: unknown
  /** What the starter may call by name. */
  controls?: Record<string, () => unknown>
  close(): Promise<void>
}

/** An HTTP server that listens already, so that a peer can know its own address before it is built. */
export interface EarlyServer {
  server: Server
  /** `http://127.0.0.1:<port>` */
  origin: string
  /** Until this is called every request answers 503. */
  handle(listener: RequestListener): void
}

/** Makes this process the one of a peer: `start` runs once, when the starter sends the config. */
export function servePeer<Config>(start: (config: Config, directory: string) => Promise<RunningPeer>): void {
  let peer: RunningPeer | undefined
  let directory: string | undefined

  const leave = async (): Promise<void> => {
    await peer?.close().catch((error: unknown) => console.error(error))
    process.exit(0)
  }
  process.once('SIGTERM', leave)
  // The starter is gone without having stopped us: nobody else will take the process and the directory away.
  process.once('disconnect', () => {
    const removeDirectory = (): void => {
      if (directory !== undefined) rmSync(directory, { recursive: true, force: true })
    }
    removeDirectory()
    // And once more at the very end: closing may write a log line or a file into it.
    process.once('exit', removeDirectory)
    setTimeout(() => process.exit(1), ORPHAN_STOP_TIMEOUT_MS)
    void leave()
  })
  process.on('message', async (message: ToPeer) => {
    if (message.kind === 'call') return say(await answerTo(message, peer))
    directory = message.directory
    try {
      peer = await start(message.config as Config, message.directory)
      say({ kind: 'ready', facts: peer.facts })
    } catch (error) {
      console.error(error)
      say({ kind: 'failed', error: messageOf(error) })
    }
  })
}

/** Listens on 127.0.0.1 at a port the system chooses. */
export async function listenEarly(): Promise<EarlyServer> {
  let listener: RequestListener = (_request, response) => {
    response.writeHead(503).end()
  }
  const server = createServer((request, response) => listener(request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    server,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    handle: (next) => {
      listener = next
    },
  }
}

/** Closes the server and every connection it still has. */
export async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

async function answerTo(
  call: { id: number; method: string },
  peer: RunningPeer | undefined,
): Promise<FromPeer> {
  try {
    const control = peer?.controls?.[call.method]
    if (!control) throw new Error(`no control ${call.method}`)
    return { kind: 'answer', id: call.id, value: await control() }
  } catch (error) {
    return { kind: 'answer', id: call.id, error: messageOf(error) }
  }
}

function say(message: FromPeer): void {
  if (process.connected) process.send!(message)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
