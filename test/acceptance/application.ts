import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface Application {
  /** Where the server under test reaches this process. */
  url: string
  requests: ReceivedRequest[]
  close(): Promise<void>
}

/**
 * Starts the part of GitLab that the flows use, and a receiver of webhooks. With `publicUrl`, the server under test
 * reaches it there, for example through a tunnel to `port`.
 */
export async function startApplication(publicUrl = '', port = 0): Promise<Application> {
  const requests: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const { method = '', url: path = '', headers } = request
        requests.push({ method, path, headers, body: Buffer.concat(chunks).toString() })
        response.setHeader('content-type', 'application/json').end(JSON.stringify(responseTo(method, path)))
      })
  })
  await new Promise<void>((resolve) => server.listen(port, publicUrl ? '0.0.0.0' : '127.0.0.1', resolve))
  return {
    url: publicUrl.replace(/\/+$/, '') || `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function responseTo(method: string, path: string): unknown {
  if (path.startsWith('/api/v4/user')) return { id: 1, username: 'ada', email: 'ada@app.example' }
  if (method === 'POST' && path.endsWith('/hooks')) return { id: 77 }
  if (path.startsWith('/api/v4/projects'))
    return [{ id: 5, name: 'orders', path_with_namespace: 'shop/orders' }]
  return {}
}
