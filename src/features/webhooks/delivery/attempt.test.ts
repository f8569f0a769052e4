import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { createEgress, parseAllowRules } from '../../../platform/egress/index.ts'
import { createBranding } from '../../../platform/http/branding/branding.ts'
import { attemptDelivery } from './attempt.ts'
import { createMessage, EventMessages } from './event-message.ts'
import { parseRetryAfter, retryDelay } from './retry-schedule.ts'
import { signer } from '../../../platform/webhook-signature.ts'

const MB = 1024 * 1024
const event = {
  id: 'evt_1',
  type: 'connected_account.expired',
  data: {},
  payload: undefined,
  created_at: new Date(0),
  project_id: 'proj_1',
  organization_id: 'org_1',
}

const brand = createBranding('service')
const message = createMessage(event, 'V3', brand.toWire)

/** Runs one attempt with a receiver that writes its own response. */
async function at(
  t: TestContext,
  answer: (response: ServerResponse) => void,
  { timeoutMs = 15_000, host = '127.0.0.1', lookup = undefined as never } = {},
) {
  const server = createServer((request, response) => {
    request.resume()
    response.on('error', () => {})
    answer(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const egress = createEgress({
    allow: host === '127.0.0.1' ? parseAllowRules('127.0.0.1') : [],
    ...(lookup ? { lookup } : {}),
  })
  t.after(async () => {
    server.closeAllConnections()
    server.close()
    await egress.close()
  })
  const url = `http://${host}:${(server.address() as AddressInfo).port}/`
  return attemptDelivery(
    { egress, clock: { now: () => 1_767_225_600_000 }, brand, timeoutMs },
    { webhook_url: url, version: 'V3', sign: signer(['whsec_AAAA']) },
    message,
    1,
  )
}

test('attempt: a receiver that hangs or sends an endless body fails, unless it has sent a 2xx status', async (t) => {
  const hung = await at(t, () => {}, { timeoutMs: 200 })
  assert.deepEqual([hung.delivered, hung.status], [false, null])
  assert.match(hung.error ?? '', /within/)
  const flood = (response: ServerResponse) => {
    const chunk = Buffer.alloc(MB)
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', more)
    more()
  }
  const noisy = await at(t, (response) => {
    response.writeHead(500)
    flood(response)
  })
  assert.deepEqual([noisy.delivered, noisy.status], [false, null])
  const glad = await at(t, (response) => {
    response.writeHead(200)
    flood(response)
  })
  assert.deepEqual([glad.delivered, glad.status, glad.response?.length], [true, 200, 2_048])
  const slow = await at(
    t,
    (response) => {
      response.writeHead(202)
      response.write('o')
    },
    { timeoutMs: 300 },
  )
  assert.deepEqual([slow.delivered, slow.status, slow.response], [true, 202, 'o'])
  const inside = await at(
    t,
    (response) => {
      response.end()
    },
    {
      host: 'hooks.example.com',
      lookup: ((_name: string, _options: unknown, done: (error: null, found: object[]) => void) =>
        done(null, [{ address: '127.0.0.1', family: 4 }])) as never,
    },
  )
  assert.deepEqual([inside.delivered, inside.status], [false, null])
  assert.doesNotMatch(inside.error ?? '', /127\.0\.0\.1/)
})

test('attempt: a host name that resolves to a private IP address later is rejected', async (t) => {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { connection: 'close' }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const addresses = ['127.0.0.1', '10.0.0.1']
  const lookup = ((_name: string, _options: unknown, done: (error: null, found: object[]) => void) =>
    done(null, [{ address: addresses.shift(), family: 4 }])) as never
  const egress = createEgress({ allow: parseAllowRules('127.0.0.1'), lookup })
  t.after(async () => {
    server.closeAllConnections()
    server.close()
    await egress.close()
  })
  const again = () =>
    attemptDelivery(
      { egress, clock: { now: () => 0 }, brand, timeoutMs: 5_000 },
      {
        webhook_url: `http://hooks.example.com:${(server.address() as AddressInfo).port}/`,
        version: 'V3',
        sign: signer(['whsec_AAAA']),
      },
      message,
      1,
    )
  const [first, second] = [await again(), await again()]
  assert.deepEqual(
    [first.delivered, second.delivered, second.status, second.error?.includes('10.0.0.1')],
    [true, false, null, false],
  )
})

test('signature: each secret has two, and the first equals the published test vector', () => {
  const [asText, decoded, ...others] = signer(['whsec_test_0123456789abcdef'])(
    'msg_00000000-0000-4000-8000-000000000001',
    1_767_225_600,
    '{"a":1}',
  ).split(' ')
  assert.equal(asText, 'v1,qOPE4H6CB6yZtODFL2/KwEL+3+0Zj01TL4YAMcDgR4w=')
  assert.notEqual(decoded, asText)
  assert.deepEqual(others, [])
  assert.equal(signer(['whsec_AAAA', 'whsec_BBBB'])('msg_1', 1, '').split(' ').length, 4)
})

test('retries: delays follow the schedule within a fifth, and Retry-After can extend one by up to a day', () => {
  const waits = (random: number) =>
    [1, 2, 3, 4, 5, 6, 7, 8].map((tries) => {
      const wait = retryDelay(tries, 0, () => random)
      return wait === undefined ? undefined : Math.round(wait)
    })
  assert.deepEqual(waits(0), [4, 240, 1_440, 5_760, 14_400, 28_800, 28_800, undefined])
  assert.deepEqual(waits(0.5), [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000, undefined])
  assert.equal(retryDelay(1, 60), 60)
  assert.equal(retryDelay(1, 10 ** 9), 86_400)
  assert.equal(retryDelay(8, 60), undefined)
  const now = Date.parse('2026-01-01T00:00:00Z')
  const table: [string | string[] | undefined, number][] = [
    ['120', 120],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['-5', 0],
    ['1e9', 0],
    ['soon', 0],
    ['soon GMT', 0],
    ['', 0],
    [undefined, 0],
    [['1', '2'], 0],
  ]
  for (const [value, seconds] of table) assert.equal(parseRetryAfter(value, now), seconds, String(value))
})

test('message: the receivers of an event of a project share its message for each version, until it is forgotten', () => {
  const decrypted: string[] = []
  const db = {
    decrypt: <T>(_bytes: Buffer, context: string): T => {
      decrypted.push(context)
      return { data: { trigger_slug: 'A' }, payload: { n: decrypted.length } } as T
    },
  }
  const delivery = (event_id: string, version = 'V3') =>
    ({
      ...event,
      type: 'trigger.message',
      event_id,
      version,
      data: null,
      encrypted_payload: Buffer.alloc(0),
    }) as never
  const messages = new EventMessages({ db, brand })
  const [first, other, again] = ['evt_1', 'evt_2', 'evt_1'].map((id) => messages.of(delivery(id)))
  assert.equal(first, again)
  assert.match(other!.body, /"n":2/)
  assert.notEqual(other!.id, first!.id)
  assert.match(messages.of(delivery('evt_1', 'V1')).body, /"trigger_name":"A".*"n":3/)
  assert.match(messages.of({ ...(delivery('evt_1') as object), project_id: 'proj_2' } as never).body, /"n":4/)
  messages.clear()
  assert.match(messages.of(delivery('evt_1')).body, /"n":5/)
  assert.deepEqual(
    decrypted.map((context) => context.split(':')[1]),
    ['evt_1', 'evt_2', 'evt_1', 'evt_1', 'evt_1'],
  )
})
