import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

export interface Recorded {
  method: string
  url: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}
export interface Answer {
  status?: number
  headers?: Record<string, string>
  json?: unknown
  text?: string
  /** The connection breaks in place of an answer. */ cut?: boolean
}

/** A stand-in for the outside that records what reached it. `answer` may be replaced at any time. */
export async function upstream(
  t: TestContext,
  answer: (request: Recorded) => Answer | Promise<Answer> = () => ({ json: {} }),
) {
  const requests: Recorded[] = []
  /** `left`: callers that were gone before their answer. */
  const stub = { url: '', requests, answer, left: 0 }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? '/', 'http://stub')
    const recorded: Recorded = {
      method: request.method ?? '',
      url: request.url ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    }
    requests.push(recorded)
    response.once('close', () => {
      if (!response.writableFinished) stub.left++
    })
    const { status = 200, headers = {}, json, text, cut } = await stub.answer(recorded)
    if (cut) return void request.socket.destroy()
    response.writeHead(status, {
      'content-type': json === undefined ? 'text/plain' : 'application/json',
      ...headers,
    })
    response.end(json === undefined ? (text ?? '') : JSON.stringify(json))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stub.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return stub
}
