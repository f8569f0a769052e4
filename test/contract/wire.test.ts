import assert from 'node:assert/strict'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { testApp } from '../fixtures/app.ts'
import { envelope } from './send.ts'

/** The application on a port, spoken to byte by byte: what no HTTP client would send. */
async function listening(t: TestContext) {
  const {
    app: { http },
    keys,
  } = await testApp(t)
  await http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = http.server.address() as AddressInfo
  const exchange = async (text: string) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', () => {}) // a reset after the answer is fine
    socket.write(text)
    await happens(socket, 'close')
    return replyOf(Buffer.concat(chunks).toString())
  }
  return { exchange, port, http, key: keys.projectApiKey }
}

/** Unlike `events.once`, indifferent to errors: the server may hang up while we still write. */
const happens = (socket: Socket, event: 'close' | 'drain' | 'data') =>
  new Promise<void>((resolve) => {
    socket.once(event, () => resolve())
  })

function replyOf(text: string) {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [line = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((one): [string, string] => [
      one.slice(0, one.indexOf(':')).toLowerCase(),
      one.slice(one.indexOf(':') + 1).trim(),
    ]),
  )
  return {
    status: Number(line.split(' ')[1]),
    headers,
    text: body,
    body: body.startsWith('{') ? JSON.parse(body) : undefined,
  }
}

test('bytes that are no HTTP get the error envelope, and the connection ends', async (t) => {
  const { exchange, key } = await listening(t)
  for (const [text, status, slug] of [
    ['NONSENSE\r\n\r\n', 400, 'HTTP_BadRequest'],
    ['GET / HTTP/1.1\r\n\r\n', 400, undefined],
    ['GET /api/v3/tools HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n', 400, 'HTTP_BadRequest'],
    [
      `GET /api/v3/tools HTTP/1.1\r\nhost: a\r\nx-a: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'HTTP_HeadersTooLarge',
    ],
    [`GET /api/v3/tools?${'a'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, 431, 'HTTP_HeadersTooLarge'],
    [
      'POST /api/v3/toolkits/multi HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n',
      400,
      'HTTP_BadRequest',
    ],
    [
      `POST /api/v3/toolkits/multi HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\ncontent-type: ` +
        `application/json\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\nzz\r\n`,
      400,
      undefined,
    ],
  ] as const) {
    const reply = await exchange(text)
    assert.equal(reply.status, status, `${text.slice(0, 60)}: ${reply.text.slice(0, 200)}`)
    if (slug) assert.equal(envelope(reply, text.slice(0, 60)).slug, slug)
  }
})

test('dots in an address are a part like any other: they lead nowhere', async (t) => {
  const { exchange, key } = await listening(t)
  for (const path of [
    '/api/v3/toolkits/../auth_configs',
    '/api/v3/toolkits/%2e%2e/auth_configs',
    '/api/v3/auth_configs/ac_x/..',
    '/api/v3/./auth_configs',
    '//api/v3/auth_configs',
    '/api/v3//auth_configs',
    '/api/v3/auth_configs/..%2fx',
  ]) {
    const reply = await exchange(
      `GET ${path} HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\nconnection: close\r\n\r\n`,
    )
    assert.ok([400, 404, 405].includes(reply.status), `${path}: ${reply.status}`)
    envelope(reply, path)
  }
  const asked = await exchange(
    `GET /api/v3/auth_configs HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\nconnection: close\r\n\r\n`,
  )
  assert.equal(asked.status, 200)
})

/** Sends a body in chunks of 64 KB until an answer comes or 32 MB are gone; answers what came. */
async function pour(port: number, head: string) {
  const socket = connect(port, '127.0.0.1')
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  let answer = ''
  socket.on('data', (data: Buffer) => {
    answer += data.toString()
  })
  socket.on('error', () => {})
  // The server may reset the connection that still pours.
  const closed = happens(socket, 'close')
  socket.write(`${head}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`)
  let sent = 0
  while (!answer && sent < 32 * 1024 * 1024 && !socket.destroyed) {
    sent += chunk.length
    if (!socket.write(chunk)) await Promise.race([happens(socket, 'drain'), closed])
    await new Promise(setImmediate)
  }
  if (!answer) await Promise.race([happens(socket, 'data'), closed])
  socket.destroy()
  return { sent, ...replyOf(answer) }
}

test('a body without a length is read up to the limit and no further', async (t) => {
  const { port, key } = await listening(t)
  const pourIn = () => pour(port, `POST /api/v3/toolkits/multi HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\n`)
  let poured = await pourIn()
  // A reset can overtake the answer and throw it away before it is read (RFC 9112 §9.6); then ask again.
  for (let tries = 0; !poured.status && tries < 5; tries++) poured = await pourIn()
  const { sent, ...reply } = poured
  assert.deepEqual([reply.status, envelope(reply, 'endless').slug], [413, 'HTTP_PayloadTooLarge'])
  assert.ok(sent > 6 * 1024 * 1024 && sent < 32 * 1024 * 1024, `${sent} bytes were taken`)
})

test('without a key a body is not even waited for', async (t) => {
  const { port } = await listening(t)
  const { sent, ...reply } = await pour(port, 'POST /api/v3/toolkits/multi HTTP/1.1\r\nhost: a\r\n')
  assert.equal(envelope(reply, 'endless').slug, 'HTTP_Unauthorized')
  assert.ok(sent < 6 * 1024 * 1024, `${sent} bytes were taken`)
})
