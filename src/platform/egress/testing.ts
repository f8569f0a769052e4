import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type LookupFunction, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { createEgress, parseAllowRules, type Egress, type EgressError, type EgressOptions } from './index.ts'
import { selfSignedCert, selfSignedKey } from './testing-certificate.ts'

/** Egress that may reach this machine, closed with the test. */
export function localEgress(t: TestContext, options: Partial<EgressOptions> = {}): Egress {
  const egress = createEgress({ allow: parseAllowRules('127.0.0.1,[::1]'), ...options })
  t.after(() => egress.close())
  return egress
}

/** A resolver that knows these names and no others. */
export function namesResolveTo(names: Record<string, string[]>): LookupFunction {
  return ((name, _options, callback) => {
    const addresses = names[name]?.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    if (addresses) callback(null, addresses)
    else callback(Object.assign(new Error('unknown name'), { code: 'ENOTFOUND' }), [])
  }) as LookupFunction
}

/** An HTTP server on a free port; `seen` records what arrived. */
export async function serve(
  t: TestContext,
  answer: RequestListener,
): Promise<{ url: string; port: number; seen: Seen[]; connections: () => number }> {
  const seen: Seen[] = []
  let connections = 0
  const server = createServer((request, response) => {
    void record(seen, request, response, answer)
  })
  server.on('connection', () => {
    connections++
  })
  const port = await listening(t, server)
  return { url: `http://127.0.0.1:${port}`, port, seen, connections: () => connections }
}

export interface Seen {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

async function record(
  seen: Seen[],
  request: IncomingMessage,
  response: ServerResponse,
  answer: RequestListener,
): Promise<void> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  seen.push({ method: request.method!, url: request.url!, headers: request.headers, body })
  answer(request, response)
}

export async function serveTls(t: TestContext, answer: RequestListener): Promise<number> {
  const server = createTlsServer({ key: selfSignedKey, cert: selfSignedCert }, answer)
  server.on('tlsClientError', () => {}) // Clients that do not trust it are the point.
  return listening(t, server)
}

/** A server of raw bytes: for what no HTTP server would send. */
export async function serveRaw(t: TestContext, talk: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    talk(socket)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.after(
    () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(resolve)
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function listening(t: TestContext, server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.after(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(resolve)
      }),
  )
  return (server.address() as AddressInfo).port
}

/** For assert.rejects: an EgressError of this kind that tells none of the secrets. */
export function fails(
  kind: EgressError['kind'],
  message: RegExp = /./,
  secrets: string[] = [],
): (error: EgressError) => boolean {
  return (error) => {
    if (error.name !== 'EgressError' || error.kind !== kind || !message.test(error.message)) throw error
    if (secrets.some((secret) => error.message.includes(secret)))
      throw new Error(`tells a secret: ${error.message}`)
    return true
  }
}
