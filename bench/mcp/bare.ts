import { createServer } from 'node:http'
import { McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { Agent, request } from 'undici'
import { z } from 'zod'

// The baseline: the same SDK without state and with one tool that asks the upstream. No key, no account, no log.
const upstream = process.argv[2] as string
const dispatcher = new Agent({ connections: 128 })
const input = z.object({ object_id: z.string() })

function bareServer(): McpServer {
  const server = new McpServer({ name: 'bare', version: '1' })
  server.registerTool(
    'GET_OBJECT',
    { description: 'Returns one object by its id.', inputSchema: input },
    async ({ object_id: id }) => {
      const answer = await request(`${upstream}/classes/Score/${encodeURIComponent(id)}`, { dispatcher })
      const data = (await answer.body.json()) as Record<string, unknown>
      return {
        content: [{ type: 'text', text: JSON.stringify(data) }],
        structuredContent: data,
        isError: false,
      }
    },
  )
  return server
}

const server = createServer(async (incoming, outgoing) => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const bare = bareServer()
  await bare.connect(transport)
  const web = new Request(`http://bare${incoming.url}`, {
    method: 'POST',
    headers: { accept: String(incoming.headers.accept), 'content-type': 'application/json' },
  })
  const response = await transport.handleRequest(web, {
    parsedBody: JSON.parse(Buffer.concat(chunks).toString()),
  })
  const body = Buffer.from(await response.text())
  outgoing
    .writeHead(response.status, { 'content-type': 'application/json', 'content-length': body.length })
    .end(body)
  await bare.close()
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  process.send?.(server.address())
})
