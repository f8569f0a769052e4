import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test, type TestContext } from 'node:test'
import { McpServer as ModernServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { localEgress } from '#fixtures/egress.ts'
import {
  encodeHeaderValue,
  type McpClient,
  createMcpClient,
  McpError,
  egressTransport,
  type McpPeer as Spoken,
} from '../index.ts'
import { type Peer, peer, modernServer, sdkServer } from '#fixtures/mcp-client.ts'

type Json = Record<string, unknown>

const MB = 1024 * 1024
function clientOf(
  t: TestContext,
  { url }: { url: string },
  {
    timeoutMs = 10_000,
    signal,
    bytesMax = 10 * MB,
  }: { timeoutMs?: number; signal?: AbortSignal; bytesMax?: number } = {},
): McpClient {
  return createMcpClient({
    send: egressTransport(localEgress(t), url, { authorization: 'Bearer t-1' }, bytesMax),
    timeoutMs,
    signal,
  })
}
const call = (
  client: McpClient,
  peer: Spoken,
  name: string,
  args: Json = {},
  headers?: Record<string, string>,
) => client.request(peer, 'call', 'tools/call', { name, arguments: args }, headers)
const textIn = (result: Json) => (result['content'] as Json[]).map(({ text }) => text).join('|')
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => assert.fail('it was answered'),
    (error: Error) => error as McpError,
  )

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

test('mcp client: pings are answered, and requests for users or models are declined', async (t) => {
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

/** A server by hand: `answer` replies to everything but the handshake. */
function byHand(
  t: TestContext,
  answer: (response: ServerResponse, message: Json | undefined, method: string, count: number) => unknown,
  handshake: Json = {},
): Promise<Peer> {
  let count = 0
  return peer(t, (request, response, body) => {
    const message = body as Json | undefined
    if (message?.['method'] === 'server/discover')
      return response.writeHead(400).end('Bad Request: no session')
    if (message?.['method'] === 'initialize')
      return reply(response, {
        jsonrpc: '2.0',
        id: message['id'],
        result: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'hand', version: '1' },
          ...handshake,
        },
      })
    if (message?.['method'] === 'notifications/initialized') return response.writeHead(202).end()
    return answer(response, message, request.method!, ++count)
  })
}
const reply = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const events = (response: ServerResponse, ...parts: string[]) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const part of parts) response.write(part)
}
const event = (message: unknown, more = '') => `${more}data: ${JSON.stringify(message)}\n\n`
const result = (id: unknown, text: string) => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text }] },
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

const flood = event({ jsonrpc: '2.0', method: 'notifications/message', params: { data: 'x' } }).repeat(500)

const HOSTILE_SERVERS = [
  [
    'another id',
    (r, m) => reply(r, result(Number(m!['id']) + 1, 'x')),
    'unreadable',
    /application\/json without a response/,
  ],
  [
    'another id in a stream',
    (r, m) => {
      events(r, event(result(Number(m!['id']) + 1, 'x')))
      r.end()
    },
    'unreadable',
    /no response/,
  ],
  ['nothing', (r) => r.writeHead(202).end(), 'unreadable', /no response/],
  [
    'a page',
    (r) => r.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    'unreadable',
    /text\/html.*streamable HTTP/,
  ],
  [
    'broken JSON',
    (r) => r.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":'),
    'unreadable',
    /without a response/,
  ],
  [
    'no result',
    (r, m) => reply(r, { jsonrpc: '2.0', id: m!['id'], result: 'x' }),
    'unreadable',
    /without a response/,
  ],
  ['another protocol', (r, m) => reply(r, { id: m!['id'], result: {} }), 'unreadable', /without a response/],
  [
    'an error',
    (r, m) => reply(r, { jsonrpc: '2.0', id: m!['id'], error: { code: -32603, message: 'y'.repeat(9_000) } }),
    'rpc',
    /^y{2000}$/,
  ],
  [
    'an error without words',
    (r, m) => reply(r, { jsonrpc: '2.0', id: m!['id'], error: {} }),
    'rpc',
    /no reason given/,
  ],
  [
    'an error without an id',
    (r) => reply(r, { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'bad' } }, 400),
    'rpc',
    /bad/,
  ],
  [
    'a list of messages',
    (r, m) =>
      reply(r, [
        { jsonrpc: '2.0', method: 'notifications/x' },
        { jsonrpc: '2.0', id: m!['id'], error: { code: 1, message: 'in a list' } },
      ]),
    'rpc',
    /in a list/,
  ],
  ['a redirect', (r) => r.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(), 'status', /307/],
  [
    'a flood',
    (r) => {
      events(r, ...Array.from({ length: 21 }, () => flood))
    },
    'unreadable',
    /thousands of messages/,
  ],
  [
    'ten megabytes',
    (r) => {
      events(r, ...Array.from({ length: 11 }, () => `data: ${'z'.repeat(MB)}\n`))
    },
    'too_large',
    /larger than/,
  ],
  [
    'an endless line',
    (r) => {
      const more = () => {
        if (!r.destroyed) r.write('z'.repeat(64 * 1024), more)
      }
      events(r)
      more()
    },
    'too_large',
    /larger than/,
  ],
  [
    'a result of another kind',
    (r, m) => reply(r, { jsonrpc: '2.0', id: m!['id'], result: { resultType: 'task' } }),
    'unreadable',
    /unknown type task/,
  ],
  [
    'a wish',
    (r, m) =>
      reply(r, {
        jsonrpc: '2.0',
        id: m!['id'],
        result: {
          resultType: 'input_required',
          inputRequests: { a: { method: 'elicitation/create', params: { message: 'Which size?' } } },
        },
      }),
    'input',
    /Which size\?/,
  ],
  [
    'keys of prototypes',
    (r, m) =>
      r
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`{"jsonrpc":"2.0","id":${String(m!['id'])},"__proto__":{"result":{"content":[]}}}`),
    'unreadable',
    /without a response/,
  ],
] as [string, (response: ServerResponse, message: Json | undefined) => unknown, string, RegExp][]

test('mcp client: hostile and broken responses are errors, within limits', async (t) => {
  for (const [what, answer, kind, reason] of HOSTILE_SERVERS) {
    const server = await byHand(t, (response, message) =>
      message?.['method'] === 'tools/call' ? answer(response, message) : response.writeHead(202).end(),
    )
    const client = clientOf(t, server)
    const { peer: spoken } = await client.connect()
    const error = await failure(call(client, spoken, 'x'))
    assert.deepEqual([what, error.kind], [what, kind])
    assert.match(error.message, reason, what)
  }
})

test('mcp client: an unsupported handshake is rejected', async (t) => {
  for (const [handshake, reason] of [
    [{ protocolVersion: '1999-01-01' }, /1999-01-01; supported are/],
    [{ protocolVersion: 7 }, /revision 7/],
  ] as [Json, RegExp][]) {
    const error = await failure(
      clientOf(t, await byHand(t, (response) => response.end(), handshake)).connect(),
    )
    assert.deepEqual([error.kind, reason.test(error.message)], ['unsupported', true], error.message)
  }
  const strange = await peer(t, (_request, response, body) => {
    const { id, method } = body as Json
    if (method === 'initialize') response.setHeader('mcp-session-id', 'x'.repeat(3_000))
    return reply(
      response,
      method === 'initialize'
        ? { jsonrpc: '2.0', id, result: { protocolVersion: '2025-06-18' } }
        : { jsonrpc: '2.0', id, error: { code: -32022, message: 'no', data: { supported: ['2025-06-18'] } } },
      method === 'initialize' ? 200 : 400,
    )
  })
  assert.match((await failure(clientOf(t, strange).connect())).message, /session id/)
  const future = await peer(t, (_request, response, body) =>
    reply(
      response,
      {
        jsonrpc: '2.0',
        id: (body as Json)['id'],
        error: { code: -32022, message: 'no', data: { supported: ['2031-01-01'] } },
      },
      400,
    ),
  )
  assert.equal((await failure(clientOf(t, future).connect())).kind, 'unsupported')
  const locked = await peer(t, (_request, response) => response.writeHead(401).end())
  assert.deepEqual(
    [(await failure(clientOf(t, locked).connect())).reply?.status, locked.said()],
    [401, ['server/discover']],
  )
})
