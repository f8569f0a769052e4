import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createManagement, INSTRUCTIONS, type ManagementOptions } from './server.ts'

type Sdk = typeof import('@modelcontextprotocol/server')

const BODY_BYTES_MAX = 4 * 1024 * 1024
const REQUEST_MS_MAX = 70_000

function createSdkServer(sdk: Sdk, options: ManagementOptions) {
  const management = createManagement(options)
  const server = new sdk.Server(
    { name: 'patchbay', version: options.programVersion },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  server.setRequestHandler('tools/list', () => ({ tools: management.list() }) as never)
  server.setRequestHandler('tools/call', async ({ params }) => {
    const outcome = await management.call(params.name, params.arguments ?? {})
    if (!outcome) throw new sdk.ProtocolError(-32_602, `Unknown tool: ${params.name.slice(0, 100)}`)
    return outcome as never
  })
  return server
}

/** Serves MCP on standard input and output until the client closes them. */
export async function serveOnStdio(options: ManagementOptions): Promise<void> {
  const [sdk, { serveStdio }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ])
  const handle = serveStdio(() => createSdkServer(sdk, options))
  await once(process.stdin, 'close')
  await handle.close()
}

/**
 * Serves MCP over HTTP on this machine only. Every request carries its own API key, as `x-api-key` or as a bearer
 * token: the key of this process would give every local program its permissions.
 */
export async function serveOnHttp(
  options: ManagementOptions,
  port: number,
): Promise<{ url: string; server: Server }> {
  const sdk = await import('@modelcontextprotocol/server')
  const server = createServer((request, response) => {
    handle(sdk, options, request, response).catch((error: unknown) => {
      options.io.stderr.write(`A request failed: ${String(error)}\n`)
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  })
  server.requestTimeout = REQUEST_MS_MAX
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/mcp`, server }
}

async function handle(
  sdk: Sdk,
  options: ManagementOptions,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const key = keyOf(request)
  const rejection =
    request.url?.split('?')[0] !== '/mcp'
      ? [404, 'The MCP endpoint is /mcp.']
      : key === undefined
        ? [401, 'Send the API key of a project as `x-api-key`, or as `Authorization: Bearer <key>`.']
        : undefined
  if (rejection) return sendJson(response, rejection[0] as number, { error: rejection[1] })
  const body = await readBody(request)
  if (body === undefined) return sendJson(response, 413, { error: 'The request is larger than 4 MB.' })
  const web = new Request(`http://${request.headers.host ?? 'localhost'}${request.url}`, {
    method: request.method ?? 'GET',
    headers: Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  })
  // A page that a browser loads from another host name must not reach this server (DNS rebinding).
  const rejected =
    sdk.hostHeaderValidationResponse(web, sdk.localhostAllowedHostnames()) ??
    sdk.originValidationResponse(web, sdk.localhostAllowedOrigins())
  const own = { ...options, connection: { ...options.connection, apiKey: key, orgApiKey: undefined } }
  const reply = rejected ?? (await sdk.createMcpHandler(() => createSdkServer(sdk, own)).fetch(web))
  response.writeHead(reply.status, Object.fromEntries(reply.headers))
  if (reply.body) for await (const chunk of reply.body) response.write(chunk)
  response.end()
}

function keyOf({ headers }: IncomingMessage): string | undefined {
  const [, bearer] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? []
  return headers['x-api-key'] ? String(headers['x-api-key']) : bearer
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
