import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test, type TestContext } from 'node:test'
import { McpServer as ModernServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { localEgress } from '#fixtures/egress.ts'
import { modernServer, peer, sdkServer } from '#fixtures/mcp-client.ts'
import { ImportRejected } from '../import-rejected.ts'
import { importMcp, listMcp, type ListOptions } from './index.ts'

type Json = Record<string, any>
const list = (t: TestContext, address: string, options: ListOptions = {}) =>
  listMcp(address, options, localEgress(t))
const refusal = async (promise: Promise<unknown>): Promise<[string, string]> => {
  const error = await promise.then(
    () => assert.fail('it was imported'),
    (error: unknown) => error,
  )
  assert.ok(error instanceof ImportRejected, String((error as Error).stack))
  return [error.why, error.message]
}
const reply = (response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const result = (response: ServerResponse, { id }: Json, value: Json) =>
  reply(response, { jsonrpc: '2.0', id, result: value })
const HELLO = {
  protocolVersion: '2025-03-26',
  capabilities: { tools: {} },
  serverInfo: { name: 'hand', version: '9' },
  instructions: 'Ask me for things by hand.',
}

test('MCP import: servers of both protocol generations give the same tools', async (t) => {
  const input = { size: z.number().int().min(1).optional() }
  const old = await sdkServer(
    t,
    (it) => {
      it.registerTool(
        'get_sample',
        {
          title: 'Get sample',
          description: 'Returns one sample, with all that is known of it.',
          inputSchema: input,
          annotations: { readOnlyHint: true },
        },
        () => ({ content: [] }),
      )
    },
    { sessions: new Map() },
  )
  const modern = await modernServer(t, () => {
    const it = new ModernServer(
      { name: 'sample-server', title: 'Sample', version: '1.2.3' },
      { instructions: 'Answers questions about samples. Ask it first.' },
    )
    it.registerTool(
      'get_sample',
      {
        title: 'Get sample',
        description: 'Returns one sample, with all that is known of it.',
        inputSchema: z.object(input),
        annotations: { readOnlyHint: true },
      },
      () => ({ content: [] }),
    )
    return it
  })
  const [one, other] = await Promise.all([old, modern].map(({ url }) => importMcp(url, {}, localEgress(t))))
  assert.deepEqual(
    [one!.toolkit.name, one!.toolkit.slug, one!.toolkit.description, one!.report.version, one!.toolkit.auth],
    [
      'Sample',
      'sample_mcp',
      'Answers questions about samples. Ask it first.',
      '1.2.3',
      [{ scheme: 'NO_AUTH' }],
    ],
  )
  assert.deepEqual(one!.tools[0]!.mcp, { tool: 'get_sample' })
  assert.deepEqual(other!.tools, one!.tools)
  assert.ok(modern.said().every((what) => ['server/discover', 'tools/list', 'GET'].includes(what)))
})

test('MCP import: all pages are read, and an endless or too long list is rejected', async (t) => {
  const tools = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      name: `t${from + index}`,
      inputSchema: { type: 'object' },
    }))
  const pages = (page: (cursor: string | undefined) => Json) =>
    peer(t, (_request, response, body) => {
      const { method, params } = (body ?? {}) as Json
      if (method === 'initialize') return result(response, body as Json, HELLO)
      if (method === 'tools/list') return result(response, body as Json, page(params['cursor']))
      return method === 'notifications/initialized'
        ? response.writeHead(202).end()
        : response.writeHead(404).end()
    })
  const three = await list(
    t,
    (
      await pages((cursor) => ({
        tools: tools(Number(cursor ?? 0), 2),
        ...(cursor !== '4' && { nextCursor: String(Number(cursor ?? 0) + 2) }),
      }))
    ).url,
  )
  assert.deepEqual(
    [three.tools.length, three.revision, (three.serverInfo as Json)['name']],
    [6, '2025-03-26', 'hand'],
  )
  for (const [page, why] of [
    [() => ({ tools: [], nextCursor: 'same' }), 'too_large'],
    [(cursor) => ({ tools: [], nextCursor: String(Number(cursor ?? 0) + 1) }), 'too_large'],
    [() => ({ tools: tools(0, 5_001) }), 'too_large'],
    [() => ({ tools: 'none' }), 'not_mcp'],
  ] as [(cursor: string | undefined) => Json, string][])
    assert.equal((await refusal(list(t, (await pages(page)).url)))[0], why)
})

/** An MCP server that requires `the-token`. A test sets its challenge and its other documents, by path. */
async function startProtectedServer(t: TestContext) {
  const state = { challenge: '', documents: {} as Record<string, unknown> }
  const server = await sdkServer(
    t,
    (it) => {
      it.registerTool('a', {}, () => ({ content: [] }))
    },
    {
      before(request, response) {
        if (request.url === '/mcp' && request.headers.authorization === 'Bearer the-token') return true
        const document = state.documents[request.url!]
        if (document !== undefined) reply(response, document)
        else
          response
            .writeHead(request.url === '/mcp' ? 401 : 404, { 'www-authenticate': state.challenge })
            .end()
        return false
      },
    },
  )
  return { server, state }
}

/** The auth schemes of the imported toolkit, as text with scopes, issuer and resource. */
async function schemesOf(t: TestContext, url: string): Promise<string[]> {
  const imported = await importMcp(url, { headers: { authorization: 'Bearer the-token' } }, localEgress(t))
  assert.ok(!JSON.stringify(imported).includes('the-token'))
  return imported.toolkit.auth.map((one) => {
    if (one.scheme !== 'DCR_OAUTH') return one.scheme
    const issuer = one.issuer === undefined ? '' : ` at ${one.issuer} for ${one.resource}`
    return `DCR_OAUTH ${one.scopes?.default?.join(' ')}${issuer}`
  })
}

test('MCP import: a protected server is listed with a token that is not saved', async (t) => {
  const { server, state } = await startProtectedServer(t)
  const { documents } = state
  const origin = new URL(server.url).origin
  const [why, message] = await refusal(list(t, server.url))
  assert.deepEqual([why, /Authorization: Bearer/.test(message)], ['needs_sign_in', true])
  assert.match(
    (await refusal(list(t, server.url, { headers: { authorization: 'Bearer wrong-token' } })))[1],
    /rejects these credentials/,
  )

  const schemes = () => schemesOf(t, server.url)
  assert.deepEqual(await schemes(), ['BEARER_TOKEN'])
  const metadata = {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
  }
  documents['/.well-known/oauth-authorization-server'] = metadata
  assert.deepEqual(await schemes(), ['OAUTH2', 'BEARER_TOKEN'])
  documents['/.well-known/oauth-authorization-server'] = {
    ...metadata,
    registration_endpoint: `${origin}/register`,
  }
  documents['/.well-known/oauth-protected-resource/mcp'] = {
    resource: server.url,
    authorization_servers: [origin],
    scopes_supported: ['read', 'write'],
  }
  assert.deepEqual(await schemes(), ['DCR_OAUTH read write', 'BEARER_TOKEN'])
  state.challenge = 'Bearer scope="read"'
  assert.deepEqual(await schemes(), ['DCR_OAUTH read', 'BEARER_TOKEN'])
  state.challenge = `Bearer resource_metadata="${origin}/about", scope="read"`
  documents['/about'] = documents['/.well-known/oauth-protected-resource/mcp']
  assert.deepEqual(await schemes(), [`DCR_OAUTH read at ${origin} for ${server.url}`, 'BEARER_TOKEN'])
  for (const hostile of [
    { resource: 'https://bank.example/', authorization_servers: [origin] },
    { resource: server.url, authorization_servers: ['javascript:alert(1)'] },
    { resource: server.url, authorization_servers: [`${origin}/other`] },
    [],
    7,
  ]) {
    documents['/about'] = documents['/.well-known/oauth-protected-resource/mcp'] = hostile
    documents['/.well-known/oauth-authorization-server'] = undefined
    assert.deepEqual(await schemes(), ['BEARER_TOKEN'])
  }
})

test('MCP import: a secret in the URL is used and not saved', async (t) => {
  const server = await sdkServer(
    t,
    (it) => {
      it.registerTool('a', {}, () => ({ content: [] }))
    },
    {
      before: (request, response) =>
        request.url === '/mcp?profile=x&api_key=s3cret' || (response.writeHead(401).end(), false),
    },
  )
  const made = await importMcp(`${server.url}?profile=x&api_key=s3cret#top`, {}, localEgress(t))
  assert.deepEqual(
    [made.toolkit.base_url, JSON.parse(JSON.stringify(made.toolkit.auth))],
    [
      `${server.url}?profile=x`,
      [{ scheme: 'API_KEY', apply: { query: { api_key: '{generic_api_key}' } } }, { scheme: 'BEARER_TOKEN' }],
    ],
  )
  assert.ok(!JSON.stringify(made).includes('s3cret'))
})

test('MCP import: a URL without an MCP server is rejected with advice', async (t) => {
  const old = await peer(t, (request, response) =>
    request.method === 'GET'
      ? response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .write('event: endpoint\ndata: /messages?id=1\n\n')
      : response.writeHead(405).end(),
  )
  const page = await peer(t, (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  )
  const moved = await peer(t, (_request, response) =>
    response.writeHead(308, { location: 'http://169.254.169.254/' }).end(),
  )
  const bare = await peer(t, (_request, response, body) =>
    result(response, (body ?? {}) as Json, { ...HELLO, capabilities: {} }),
  )
  for (const [address, why, reason] of [
    [old.url, 'not_mcp', /transport of 2024 \(HTTP with SSE\)/],
    [page.url, 'not_mcp', /text\/html/],
    [moved.url, 'no_address', /sends on to another address/],
    [bare.url, 'no_operations', /no tools/],
    ['ftp://a.example', 'no_address', /no address/],
    ['nonsense', 'no_address', /no address/],
    ['https://u:p@a.example/mcp', 'no_address', /as a header/],
  ] as [string, string, RegExp][]) {
    const [cause, message] = await refusal(list(t, address))
    assert.deepEqual([address, cause], [address, why])
    assert.match(message, reason)
  }
  await assert.rejects(list(t, 'http://169.254.169.254/mcp'), {
    name: 'EgressError',
    kind: 'refused_address',
  })
  const silent = await peer(t, () => {})
  await assert.rejects(list(t, silent.url, { timeoutMs: 300 }), { name: 'EgressError', kind: 'timeout' })
})
