import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { peer } from '#fixtures/mcp-client.ts'
import {
  event,
  reply,
  result,
  events,
  MB,
  type Json,
  byHand,
  clientOf,
  failure,
  call,
} from '#fixtures/mcp-client-servers.ts'

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
