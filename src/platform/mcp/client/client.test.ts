import assert from 'node:assert/strict'
import { test } from 'node:test'
import { McpServer as ModernServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { encodeHeaderValue } from '../index.ts'
import { sdkServer, modernServer, peer } from '#fixtures/mcp-client.ts'
import {
  type Json,
  clientOf,
  call,
  failure,
  byHand,
  events,
  event,
  result,
  reply,
} from '#fixtures/mcp-client-servers.ts'

const textIn = (result: Json) => (result['content'] as Json[]).map(({ text }) => text).join('|')

test('mcp client: servers with a handshake work, with and without streams and sessions', async (t) => {
  for (const [json, keepsSessions] of [
    [true, false],
    [false, false],
    [true, true],
    [false, true],
  ] as const) {
    const sessions = new Map()
    const server = await sdkServer(
      t,
      (it) => {
        it.registerTool('echo', { inputSchema: { text: z.string() } }, ({ text }) => ({
          content: [{ type: 'text', text }],
        }))
      },
      { json, ...(keepsSessions && { sessions }) },
    )
    const client = clientOf(t, server)
    const { peer: spoken, about } = await client.connect()
    assert.deepEqual(
      [spoken.era, spoken.version, typeof spoken.session, (about['serverInfo'] as Json)['title']],
      ['legacy', '2025-11-25', keepsSessions ? 'string' : 'undefined', 'Sample'],
    )
    assert.equal(textIn(await call(client, spoken, 'echo', { text: 'grüß dich 🎉' })), 'grüß dich 🎉')
    await client.endSession(spoken)
    assert.deepEqual(server.said(), [
      'server/discover',
      'initialize',
      'notifications/initialized',
      'tools/call',
      ...(keepsSessions ? ['DELETE'] : []),
    ])
    const { headers } = server.seen.find(({ message }) => message?.method === 'tools/call')!
    assert.deepEqual(
      [headers['mcp-protocol-version'], headers['mcp-session-id'], headers.authorization],
      ['2025-11-25', spoken.session, 'Bearer t-1'],
    )
  }
})

test('mcp client: servers without a handshake are discovered and called with the required headers', async (t) => {
  for (const both of [false, true]) {
    const server = await modernServer(
      t,
      () => {
        const it = new ModernServer({ name: 'modern', version: '2' }, { instructions: 'Newest.' })
        it.registerTool('say.hi', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
          content: [{ type: 'text', text }],
          structuredContent: { text },
        }))
        return it
      },
      { both },
    )
    const client = clientOf(t, server)
    const { peer: spoken, about } = await client.connect()
    assert.deepEqual(
      [spoken, about['instructions'], (about['serverInfo'] as Json)['name']],
      [{ era: 'modern', version: '2026-07-28' }, 'Newest.', 'modern'],
    )
    assert.equal(textIn(await call(client, spoken, 'say.hi', { text: 'x' })), 'x')
    assert.deepEqual(server.said(), ['server/discover', 'tools/call'])
    assert.deepEqual(
      ['mcp-name', 'mcp-method', 'mcp-protocol-version'].map((name) => server.seen[1]!.headers[name]),
      ['say.hi', 'tools/call', '2026-07-28'],
    )
    const unknown = await failure(call(client, spoken, 'nothing'))
    assert.deepEqual([unknown.kind, /nothing/.test(unknown.message)], ['rpc', true])
  }
})

test('mcp client: header values are encoded in base64 if necessary', () => {
  for (const [value, header] of [
    ['us-west1', 'us-west1'],
    ['a b', 'a b'],
    ['', ''],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
  ] as const)
    assert.equal(encodeHeaderValue(value), header)
})

test('mcp client: pings get a response, and requests for users or models are declined', async (t) => {
  const server = await sdkServer(
    t,
    (it) => {
      it.registerTool('ask', {}, async ({ sendRequest }: any) => {
        const pong = await sendRequest({ method: 'ping' }, z.object({}))
        const refused = await sendRequest(
          { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
          z.any(),
        ).catch((error: Error) => error.message)
        return { content: [{ type: 'text', text: JSON.stringify([pong, refused]) }] }
      })
    },
    { sessions: new Map() },
  )
  const client = clientOf(t, server)
  const { peer: spoken } = await client.connect()
  assert.match(textIn(await call(client, spoken, 'ask')), /^\[\{\},".*no user and no model to ask/)
})

test('mcp client: a stream that ends before its response is resumed', async (t) => {
  let id: unknown
  const server = await byHand(t, (response, message, method, count) => {
    if (message) id = message['id']
    if (count === 1) {
      events(response, 'retry: 1\nid: e-1\ndata: \n\n')
      return void response.end()
    }
    if (count === 2) {
      events(response, 'retry: 1\nid: e-2\n', event({ jsonrpc: '2.0', method: 'notifications/progress' }))
      return void response.socket!.end()
    }
    events(response, event(result(id, `${method} ${count}`)))
  })
  const client = clientOf(t, server)
  const { peer: spoken } = await client.connect()
  assert.equal(textIn(await call(client, spoken, 'slow')), 'GET 3')
  assert.deepEqual(
    server.seen.filter(({ method }) => method === 'GET').map(({ headers }) => headers['last-event-id']),
    ['e-1', 'e-2'],
  )
})

test('mcp client: a server that closes the connection on a notification still works', async (t) => {
  const server = await peer(t, (_request, response, body) => {
    const { id, method } = (body ?? {}) as Json
    if (method === 'notifications/initialized') return response.socket!.resetAndDestroy()
    return method === 'server/discover'
      ? response.writeHead(404).end()
      : reply(response, {
          jsonrpc: '2.0',
          id,
          result:
            method === 'initialize'
              ? { protocolVersion: '2025-03-26' }
              : { content: [{ type: 'text', text: 'in' }] },
        })
  })
  const client = clientOf(t, server)
  const { peer: spoken } = await client.connect()
  assert.deepEqual(
    [spoken, textIn(await call(client, spoken, 'x'))],
    [{ era: 'legacy', version: '2025-03-26' }, 'in'],
  )
})

test('mcp client: an open stream is closed after the response, and lines are read in any chunks', async (t) => {
  for (const newline of ['\n', '\r\n', '\r']) {
    let closed = false
    const server = await byHand(t, (response, message) => {
      response.on('close', () => {
        closed = true
      })
      const text = [
        '\uFEFF: hello',
        'event: message',
        `data: ${JSON.stringify(result(message!['id'], 'ünï')).replace('"result"', `${newline}data: "result"`)}`,
        '',
        '',
      ].join(newline)
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7))
    })
    const client = clientOf(t, server)
    const { peer: spoken } = await client.connect()
    assert.equal(textIn(await call(client, spoken, 'x')), 'ünï')
    while (!closed) await new Promise((resolve) => setImmediate(resolve))
  }
})

test('mcp client: an aborted call is cancelled at the server', async (t) => {
  for (const how of ['aborted', 'timeout'] as const) {
    const cancelled = Promise.withResolvers<Json>()
    const stop = new AbortController()
    const server = await byHand(t, (response, message) => {
      if (message?.['method'] === 'notifications/cancelled') {
        cancelled.resolve(message['params'] as Json)
        return void response.writeHead(202).end()
      }
      events(response, ': waiting\n\n')
      if (how === 'aborted') setImmediate(() => stop.abort())
    })
    const client = clientOf(t, server, { signal: stop.signal, ...(how === 'timeout' && { timeoutMs: 400 }) })
    const { peer: spoken } = await client.connect()
    const error = await failure(call(client, spoken, 'slow'))
    assert.equal(error.kind as string, how)
    assert.equal(
      (await cancelled.promise)['requestId'],
      server.seen.find(({ message }) => message?.method === 'tools/call')!.message!.id,
    )
  }
})
