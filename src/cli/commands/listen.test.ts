import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { Command } from 'commander'
import { Webhook } from 'standardwebhooks'
import { liveText, messageText, positionText, retryText } from '../../platform/sse.ts'
import { CallError } from '../api-client/call.ts'
import { addListenCommand } from './listen.ts'

const item = (n: number) => ({
  event_id: `evt_${n}`,
  ordering_key: 'ti_1',
  payload: {
    id: `msg_${n}`,
    timestamp: '2026-02-03T10:01:02.345Z',
    type: 'acme.trigger.message',
    metadata: { trigger_slug: 'GMAIL_NEW' },
    data: { n, '2': 'b', '1': 'a' },
  },
})
const messages = (...numbers: number[]) =>
  numbers.map((n) => messageText(String(n), JSON.stringify(item(n)))).join('')
const OPENED = retryText(1_000) + positionText('10')
const refusal = {
  error: {
    message: 'Invalid API key',
    code: 801,
    slug: 'APIKey_InvalidAPIKey',
    status: 401,
    request_id: 'r',
    suggested_fix: 'Use a valid key.',
    errors: [],
  },
}

/** A server whose answers to the stream are given one after another; the last ends it. */
async function listen(
  args: string[],
  answers: (string[] | number | Error)[],
  receive: () => Response = () => new Response(null, { status: 204 }),
) {
  const out = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof out) =>
    new Writable({
      write(chunk, _encoding, done) {
        out[name] += String(chunk)
        done()
      },
    })
  const asked: { query: string; last: string | null }[] = []
  const received: { url: string; body: string; headers: Record<string, string> }[] = []
  const pauses: number[] = []
  let code = -1
  const fake = async (
    url: string,
    init: { method?: string; body?: string; headers: Record<string, string>; signal: AbortSignal },
  ) => {
    if (init.method === 'POST') {
      received.push({ url, body: init.body ?? '', headers: init.headers })
      return receive()
    }
    asked.push({ query: new URL(url).search, last: new Headers(init.headers).get('last-event-id') })
    const answer = answers.shift() ?? 401
    if (answer instanceof Error) throw answer
    if (typeof answer === 'number') return Response.json({ ...refusal }, { status: answer })
    return new Response(ReadableStream.from(answer.map((text) => new TextEncoder().encode(text))), {
      headers: { 'content-type': 'text/event-stream' },
    })
  }
  const program = new Command().exitOverride()
  addListenCommand(
    program,
    { env: {}, stdout: stream('stdout'), stderr: stream('stderr'), fetch: fake as never, cwd: '/nowhere' },
    (result) => {
      code = result
    },
    async (ms) => {
      pauses.push(ms)
    },
  )
  await program.parseAsync(['listen', '--url', 'http://127.0.0.1:9', '--api-key', 'ak_1', ...args], {
    from: 'user',
  })
  return { ...out, code, asked, received, pauses }
}

test('listen: events are printed, and forwarded in order with valid webhook signatures', async () => {
  const answers = [204, 500]
  const done = await listen(
    ['--forward', 'http://localhost:8080/hooks', '--event-types', 'acme.trigger.message'],
    [[OPENED, messages(11, 12)]],
    () => new Response(null, { status: answers.shift() ?? 204 }),
  )
  assert.deepEqual(done.asked[0], { query: '?event_types=acme.trigger.message', last: null })
  const secret = /whsec_\S+/.exec(done.stderr)?.[0] ?? ''
  assert.deepEqual(
    done.received.map(({ url, headers }) => [
      url,
      headers['webhook-id'],
      headers['x-acme-webhook-version'],
      headers['x-acme-delivery-attempt'],
    ]),
    [
      ['http://localhost:8080/hooks', 'msg_11', 'V3', '1'],
      ['http://localhost:8080/hooks', 'msg_12', 'V3', '1'],
    ],
  )
  for (const { body, headers } of done.received)
    assert.equal((new Webhook(secret).verify(body, headers) as { type: string }).type, 'acme.trigger.message')
  assert.match(
    done.stdout,
    /^10:01:02  evt_11  acme.trigger.message  GMAIL_NEW  ti_1  → 204 in \d+ ms\n10:01:02  evt_12 .* → 500 in \d+ ms\n$/,
  )
  assert.match(done.stderr, /Listening for events after 10[^]*Invalid API key/)
  assert.equal(done.code, 1, 'a later rejection by the server ends the command')
  const own = await listen(
    ['--forward', 'http://localhost:8080/', '--secret', 'whsec_AAAAAAAAAAAAAAAA', '--json'],
    [[OPENED, messages(11)]],
    () => {
      throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })
    },
  )
  const [line] = own.stdout.split('\n')
  assert.deepEqual(
    { ...JSON.parse(line ?? ''), forwarded: 0 },
    { last_event_id: '11', ...item(11), forwarded: 0 },
  )
  assert.deepEqual(
    [JSON.parse(line ?? '').forwarded.error, own.stderr.includes('whsec_')],
    ['ECONNREFUSED', false],
  )
})

test('listen: executions are printed with their outcome, and not forwarded, because no webhook delivers them', async () => {
  const live = (type: string, data: object) =>
    liveText(
      JSON.stringify({
        event_id: 'log_1',
        ordering_key: null,
        payload: { ...item(1).payload, metadata: {}, type, data },
      }),
    )
  const call = { tool_slug: 'SHOP_GET', user_id: 'u1', successful: false, duration_ms: 12 }
  const { stdout, received } = await listen(
    ['--forward', 'http://localhost:8080/hooks'],
    [
      [
        OPENED,
        live('acme.tool_execution.ended', call),
        live('acme.tool_execution.missed', { count: 3 }),
        live('acme.tool_execution.missed', { count: null }),
      ],
    ],
  )
  assert.deepEqual(received, [])
  assert.deepEqual(stdout.split('\n'), [
    '10:01:02  log_1  acme.tool_execution.ended  SHOP_GET  u1  failed  12 ms',
    '10:01:02  log_1  acme.tool_execution.missed  3 executions are missing',
    '10:01:02  log_1  acme.tool_execution.missed  some executions are missing',
    '',
  ])
})

test('listen: a broken stream continues after the last complete event', async () => {
  const whole = messages(11, 12)
  const lost = new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })
  const { asked, stdout, pauses } = await listen(
    ['--json', '--last-event-id', '5'],
    [
      [OPENED, whole.slice(0, 30), whole.slice(30, -2)],
      lost,
      503,
      429,
      [positionText('11') + messages(12), positionText('19')],
      [messages(20)],
    ],
  )
  assert.deepEqual(
    asked.map(({ last }) => last),
    ['5', '11', '11', '11', '11', '19', '20'],
  )
  assert.deepEqual(
    [...stdout.matchAll(/^\{"last_event_id":"(\d+)"/gm)].map(([, id]) => id),
    ['11', '12', '20'],
  )
  assert.deepEqual(pauses, [500, 1_000, 2_000, 4_000, 500, 500])
})

test('listen: options that cannot work end with an error message', async () => {
  await assert.rejects(
    listen([], [new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })]),
    (error) => error instanceof CallError && /cannot be reached \(ECONNREFUSED\)/.test(error.message),
  )
  assert.equal((await listen([], [503])).code, 4)
  for (const args of [
    ['--forward', 'localhost:8080'],
    ['--forward', 'http://x', '--secret', 'abc'],
    ['--for', 'soon'],
  ])
    await assert.rejects(listen(args, []), /takes/)
  const hostile = await listen(
    [],
    [
      [
        OPENED,
        messageText('11', JSON.stringify({ event_id: 'evt_\u001b[2J', ordering_key: null, payload: {} })),
      ],
    ],
  )
  assert.ok(!hostile.stdout.includes('\u001b['))
})
