import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { Composio } from '@composio/core'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { stockSdk } from './stock-sdk.ts'

/** Starts a server behind a proxy. The URL of the proxy is its PUBLIC_URL. */
async function startBehindProxy(t: TestContext) {
  let port = 0
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming
    const forwarded = request({ host: '127.0.0.1', port, path: url, method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.after(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const publicPort = (proxy.address() as AddressInfo).port
  const publicUrl = `http://127.0.0.1:${publicPort}`
  const sdk = await stockSdk(t, { publicUrl })
  port = Number(new URL(sdk.baseURL).port)
  const clientAt = (baseURL: string) =>
    new Composio({
      apiKey: sdk.keys.projectApiKey,
      baseURL,
      allowTracking: false,
      disableVersionCheck: true,
    })
  return { clientAt, publicUrl, otherName: `http://localhost:${publicPort}` }
}

test('MCP URLs have the origin of PUBLIC_URL: a client with that base URL connects to them as they are', async (t) => {
  const { clientAt, publicUrl, otherName } = await startBehindProxy(t)
  const session = await clientAt(publicUrl).create('ada', { toolkits: ['utilities'], mcp: true })
  assert.equal(new URL(session.mcp.url).origin, publicUrl)
  assert.ok((session.mcp.headers as Record<string, string>)['x-api-key'], 'the SDK attaches the key')
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(session.mcp.url), {
      requestInit: { headers: session.mcp.headers },
    }) as never,
  )
  assert.ok((await client.listTools()).tools.length > 0)
  await client.close()
  const elsewhere = await clientAt(otherName).create('ada', { toolkits: ['utilities'], mcp: true })
  assert.equal(new URL(elsewhere.mcp.url).origin, publicUrl, 'the header Host of a request changes no URL')
})
