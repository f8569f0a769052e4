import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { test, type TestContext } from 'node:test'
import { Composio } from '@composio/core'
import { Webhook as Standard } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { ageEvents } from '#fixtures/partitions.ts'
import { until } from '#fixtures/until.ts'
import { listEvents, replayEvents } from '../../../contract/events/index.ts'
import { deleteProject } from '../../../contract/projects/index.ts'
import {
  deleteWebhook,
  readWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '../../../contract/webhooks/index.ts'
import type { Answer, Recorded } from '#fixtures/upstream.ts'
import { sql } from '../../../platform/db/sql.ts'
import { claimDeliveries } from './claim.ts'
import { startWebhookApp, FACTS } from '#fixtures/webhooks.ts'

const headersOf = ({ headers }: Recorded) => ({
  'webhook-id': String(headers['webhook-id']),
  'webhook-timestamp': String(headers['webhook-timestamp']),
  'webhook-signature': String(headers['webhook-signature']),
})
/** The program that readers of the guide copy. */
async function verifierOfGuide() {
  const page = readFileSync(new URL('../../../../docs/guides/verify-a-webhook.md', import.meta.url), 'utf8')
  const [, program = ''] = /```ts\n([^]*?)```/.exec(page) ?? []
  const module = (await import(
    `data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(program))}`
  )) as { verify(secret: string, headers: Record<string, string>, body: string): boolean }
  return module.verify
}
const keysOf = (requests: readonly Recorded[]) =>
  requests.map(({ body }) => (JSON.parse(body) as { data: { message_id: string } }).data.message_id)

/** The body of a message, by the version of the payload of its subscription. */
const expectedBodies = ({ created_at: at, webhook_id: id }: { created_at: string; webhook_id: string }) => ({
  V1:
    `{"trigger_name":"GMAIL_NEW_GMAIL_MESSAGE","trigger_id":"${FACTS.trigger_uuid}",` +
    `"connection_id":"${FACTS.connected_account_uuid}","payload":{"message_id":"18c1","subject":"hi"},` +
    `"log_id":"log_TpxVOLXYnwXZ"}`,
  V2:
    `{"type":"gmail_new_gmail_message","timestamp":"${at}","log_id":"log_TpxVOLXYnwXZ",` +
    `"data":{"message_id":"18c1","subject":"hi","connection_id":"${FACTS.connected_account_uuid}",` +
    `"connection_nano_id":"ca_Zp4Wd81rNcYe","trigger_nano_id":"ti_Jk3FsTy0KbzR",` +
    `"trigger_id":"${FACTS.trigger_uuid}","user_id":"u-17"}}`,
  V3:
    `{"id":"${id}","timestamp":"${at}","type":"composio.trigger.message",` +
    `"metadata":{"log_id":"log_TpxVOLXYnwXZ","trigger_slug":"GMAIL_NEW_GMAIL_MESSAGE",` +
    `"trigger_id":"ti_Jk3FsTy0KbzR","connected_account_id":"ca_Zp4Wd81rNcYe",` +
    `"auth_config_id":"ac_7hQ2vLk9TmXa","user_id":"u-17"},"data":{"message_id":"18c1","subject":"hi"}}`,
})

/** The verifier of the guide accepts a delivery, and rejects it with another secret, body, time or no headers. */
async function assertVerifiedByGuide(secret: string, headers: Record<string, string>, body: string) {
  const verify = await verifierOfGuide()
  const later = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 301) }
  assert.deepEqual(
    [
      verify(secret, headers, body),
      verify(`${secret.slice(0, -4)}AAAA`, headers, body),
      verify(secret, headers, `${body} `),
      verify(secret, later, body),
      verify(secret, {}, ''),
      verify(secret, { ...headers, 'webhook-timestamp': 'NaN' }, body),
    ],
    [true, false, false, false, false, false],
    'the lines of the guide',
  )
}

test('delivery: the message has the bytes of its payload version; three independent verifiers accept it', async (t) => {
  const s = await startWebhookApp(t, { wireBrand: 'composio' })
  const subscriptions = {
    V1: await s.subscribe('/V1', 'V1'),
    V2: await s.subscribe('/V2', 'V2'),
    V3: await s.subscribe('/V3', 'V3'),
  }
  await s.publish(['18c1'])
  await s.ended(3)
  const subscription = await s.show('18c1')
  const composio = new Composio({
    apiKey: 'ak_any',
    baseURL: 'http://127.0.0.1:9',
    allowTracking: false,
    disableVersionCheck: true,
  })
  for (const [version, text] of Object.entries(expectedBodies(subscription))) {
    const request = s.receiver.requests.find(({ path }) => path === `/${version}`) as Recorded
    const { secret } = subscriptions[version as 'V1']
    assert.equal(request.body, text)
    assert.deepEqual(
      [
        request.method,
        request.headers['content-type'],
        request.headers['x-composio-webhook-version'],
        request.headers['x-composio-delivery-attempt'],
        request.headers['webhook-id'],
      ],
      ['POST', 'application/json', version, '1', subscription.webhook_id],
    )
    assert.match(
      subscription.webhook_id,
      /^msg_[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    )
    const headers = headersOf(request)
    for (const verifier of [new Standard(secret), new Svix(secret)]) {
      assert.deepEqual(verifier.verify(request.body, headers), JSON.parse(text))
      assert.throws(() => verifier.verify(request.body.replace('18c1', '18c2'), headers))
    }
    const checked = {
      id: headers['webhook-id'],
      timestamp: headers['webhook-timestamp'],
      signature: headers['webhook-signature'],
      payload: request.body,
      secret,
    }
    const verified = await composio.triggers.verifyWebhook(checked)
    assert.deepEqual([verified.version, verified.payload.triggerSlug], [version, 'GMAIL_NEW_GMAIL_MESSAGE'])
    await assert.rejects(composio.triggers.verifyWebhook({ ...checked, secret: `${secret}x` }))
    await assertVerifiedByGuide(secret, headers, request.body)
  }
})

test('delivery: messages of a trigger keep their order if one fails; no repeated event is delivered', async (t) => {
  const s = await startWebhookApp(t)
  const { id } = await s.subscribe('/hooks')
  let isFailing = true
  s.answer(({ body }) => ({ status: isFailing && body.includes('"a2"') ? 503 : 204 }))
  await assert.rejects(
    s.db.begin(async (tx) => {
      await tx.run(
        sql`insert into events (id, project_id, type, data)
            values ('evt_gone', ${s.keys.projectId}, 'trigger.message', '{}')`,
      )
      throw new Error('no')
    }),
  )
  assert.equal(await s.publish(['a1', 'a2', 'a3']), 3)
  assert.equal(await s.publish(['a2', 'a3']), 0)
  assert.equal(await s.publish(['b1'], 'ti_other'), 1)
  await s.ended(2)
  await s.tried(3)
  assert.deepEqual(
    keysOf(s.receiver.requests).sort(),
    ['a1', 'a2', 'b1'],
    'a3 waits for a2, the other trigger does not wait',
  )
  const waiting = (await s.show('a2')).deliveries[0]
  assert.deepEqual([waiting?.status, waiting?.attempts, waiting?.log[0]?.status], ['pending', 1, 503])
  const delay =
    (Date.parse(waiting?.next_at as string) - Date.parse(waiting?.log[0]?.ended_at as string)) / 1_000
  assert.ok(delay >= 4 && delay <= 6, `${delay} s`)
  isFailing = false
  await s.makeDue()
  await s.ended(4)
  assert.deepEqual(
    keysOf(s.receiver.requests).filter((key) => key.startsWith('a')),
    ['a1', 'a2', 'a2', 'a3'],
  )
  const [first, second] = s.receiver.requests.filter(({ body }) => body.includes('"a2"')) as [
    Recorded,
    Recorded,
  ]
  assert.deepEqual(
    [first.body, first.headers['webhook-id']],
    [second.body, second.headers['webhook-id']],
    'an attempt repeats the same bytes under the same id',
  )
  assert.deepEqual(
    [first, second].map(({ headers }) => headers['x-service-delivery-attempt']),
    ['1', '2'],
  )
  // One that stays behind for too long does not hold the others for ever.
  isFailing = true
  await s.db.run(
    sql`update webhook_deliveries set status = 'pending', created_at = now() - interval '11 minutes',
        next_at = now() + interval '1 hour' where event_id = ${s.eventId('a2')}`,
  )
  await s.publish(['a4'])
  await s.ended(4)
  assert.equal((await s.call(readWebhook, { params: { id } })).body.failing_since, null)
})

async function publishToFailingReceiver(t: TestContext) {
  const s = await startWebhookApp(t)
  const watcher = await s.subscribe('/watcher', 'V3', ['service.webhook.disabled'])
  const { id } = await s.subscribe('/hooks')
  const answers: Answer[] = [
    { status: 302, headers: { location: '/elsewhere' } },
    { status: 429, headers: { 'retry-after': '7200' } },
    { cut: true },
    { status: 500, text: `\0${'é'.repeat(3_000)}` },
  ]
  s.answer(({ path }) => (path === '/hooks' ? (answers.shift() ?? { status: 400 }) : {}))
  await s.publish(['m1'])
  return { s, id, watcher }
}

type DeadLetter = Awaited<ReturnType<typeof publishToFailingReceiver>>

test('delivery: redirects fail, Retry-After counts, the 8th failure is last, 410 disables, retry works', async (t) => {
  const started = await publishToFailingReceiver(t)
  await checkRetries(started)
  await checkDeadLetters(started)
  await checkGone(started)
  await checkReplay(started)
})

async function checkRetries({ s }: DeadLetter): Promise<void> {
  const seconds: number[] = []
  for (let number = 1; number <= 8; number++) {
    await s.tried(number)
    const one = (await s.show('m1')).deliveries[0]
    const last = one?.log.at(-1)
    if (one?.next_at) seconds.push((Date.parse(one.next_at) - Date.parse(last?.ended_at as string)) / 1_000)
    await s.makeDue()
  }
  const near = [5, 7_200 * 1.0, 1_800, 7_200, 18_000, 36_000, 36_000]
  seconds.forEach((value, n) =>
    assert.ok(
      value >= near[n]! * (n === 1 ? 1 : 0.8) - 0.01 && value <= near[n]! * (n === 1 ? 1 : 1.2) + 0.01,
      `wait ${n + 1}: ${value} s`,
    ),
  )
  assert.equal(seconds.length, 7)
  const [dead] = (await s.show('m1')).deliveries
  assert.deepEqual(
    [dead?.status, dead?.attempts, dead?.next_at, dead?.log.map(({ status }) => status)],
    ['dead', 8, null, [302, 429, null, 500, 400, 400, 400, 400]],
  )
  assert.match(dead?.log[2]?.error ?? '', /connection/)
  assert.ok(
    Buffer.byteLength(dead?.log[3]?.answer ?? '') <= 2_052 && dead?.log[3]?.answer?.startsWith('\u{fffd}é'),
  )
  assert.ok(!s.receiver.requests.some(({ path }) => path === '/elsewhere'))
}

async function checkDeadLetters({ s }: DeadLetter): Promise<void> {
  const letters = await s.call(listEvents, { query: { delivery_status: 'dead' } })
  assert.deepEqual(
    letters.body.items.map(({ id: one, deliveries }) => [one, deliveries]),
    [[s.eventId('m1'), { pending: 0, delivered: 0, dead: 1 }]],
  )
  const { total_items: total, total_is_minimum: isMinimum, next_cursor: next } = letters.body
  assert.deepEqual([total, isMinimum, next], [1, false, null])
}

async function checkGone({ s, id }: DeadLetter): Promise<void> {
  s.answer(() => ({ status: 410 }))
  assert.deepEqual(
    (
      await s.call(replayEvents, {
        body: { from: '2020-01-01T00:00:00Z', only_dead: true, subscription_id: id },
      })
    ).body,
    { queued: 1 },
  )
  await until(
    'it is disabled',
    async () => (await s.call(readWebhook, { params: { id } })).body.disabled_reason === 'gone',
  )
  assert.equal(
    s.receiver.requests.filter(({ path }) => path === '/hooks').at(-1)?.headers['x-service-delivery-attempt'],
    '9',
    'attempts count on',
  )
  await until('the other subscription receives the event', () =>
    s.receiver.requests.some(({ path }) => path === '/watcher'),
  )
  const message = JSON.parse(s.receiver.requests.find(({ path }) => path === '/watcher')?.body ?? '') as {
    type: string
    data: { id: string; disabled_reason: string }
  }
  assert.deepEqual(
    [message.type, message.data.id, message.data.disabled_reason],
    ['service.webhook.disabled', id, 'gone'],
  )
}

async function checkReplay({ s, id, watcher }: DeadLetter): Promise<void> {
  s.answer(() => ({}))
  assert.equal(
    (await s.call(replayEvents, { body: { event_ids: [s.eventId('m1')] } })).body.queued,
    0,
    'nothing is queued for who is disabled',
  )
  assert.equal((await s.call(testWebhook, { params: { id } })).body.delivered, true)
  assert.equal((await s.call(replayEvents, { body: { event_ids: [s.eventId('m1')] } })).body.queued, 1)
  await until('it arrived', async () => (await s.show('m1')).deliveries[0]?.status === 'delivered')
  const other = await s.otherProject()
  assert.equal((await other(listEvents)).body.total_items, 0)
  assert.equal(
    (await other(replayEvents, { body: { event_ids: [s.eventId('m1')], from: '2020-01-01T00:00:00Z' } })).body
      .queued,
    0,
  )
  assert.equal(
    (await other(replayEvents, { body: { from: '2020-01-01T00:00:00Z', subscription_id: watcher.id } }))
      .status,
    404,
  )
}

test('delivery: five days of failures disable a subscription, an update enables it; old secrets sign', async (t) => {
  const s = await startWebhookApp(t)
  const made = await s.subscribe('/hooks')
  const params = { id: made.id }
  s.answer(() => ({ status: 500 }))
  await s.publish(['m1'])
  await s.tried(1)
  const { failing_since: since, disabled_at: not } = (await s.call(readWebhook, { params })).body
  assert.deepEqual([typeof since, not], ['string', null])
  await s.db.run(sql`update webhook_subscriptions set failing_since = now() - interval '5 days 1 minute'`)
  await s.makeDue()
  await until(
    'it is disabled',
    async () => (await s.call(readWebhook, { params })).body.disabled_reason === 'failing',
  )
  await s.publish(['m2'])
  assert.deepEqual((await s.show('m2')).deliveries, [], 'new events are stored and have no delivery')
  const { secret } = (await s.call(rotateWebhookSecret, { params })).body
  s.answer(() => ({}))
  assert.equal(
    (await s.call(updateWebhook, { params, body: { webhook_url: `${s.receiver.url}/fixed` } })).body
      .disabled_at,
    null,
  )
  await s.makeDue()
  await s.ended(1)
  const request = s.receiver.requests.at(-1) as Recorded
  assert.equal(request.path, '/fixed', 'a retry uses the new URL')
  for (const key of [made.secret, secret]) new Standard(key).verify(request.body, headersOf(request))
  const entered = Promise.withResolvers<void>()
  const leave = Promise.withResolvers<void>()
  s.answer(async () => {
    entered.resolve()
    await leave.promise
    return {}
  })
  await s.publish(['m3'])
  await entered.promise
  assert.equal((await s.call(deleteWebhook, { params })).status, 200)
  leave.resolve()
  await s.subscribe('/after')
  await s.publish(['m4'])
  await s.ended(1)
  assert.deepEqual([(await s.show('m3')).deliveries, (await s.show('m4')).deliveries.length], [[], 1])
})

test('retention: events are removed when the project says, pending and dead ones later; all encrypted', async (t) => {
  const s = await startWebhookApp(t)
  await s.subscribe('/hooks')
  await s.publish(['old', 'pending', 'dead', 'new'])
  await s.ended(4)
  const row = await s.db.one<{ row: string }>(
    sql`select row_to_json(e)::text as row from events e where id = ${s.eventId('old')}`,
  )
  assert.ok(row && !row.row.includes('subject'))
  assert.deepEqual((await s.show('old')).payload, { message_id: 'old', subject: 'hi' })
  await s.db.run(
    sql`update webhook_deliveries set status = 'pending', next_at = now() + interval '1 hour'
        where event_id = ${s.eventId('pending')}`,
  )
  await s.db.run(sql`update webhook_deliveries set status = 'dead' where event_id = ${s.eventId('dead')}`)
  await ageEvents(s.db, 3, sql`id <> ${s.eventId('new')}`)
  const removeOldEvents = () => s.schedule('webhooks.removeOldEvents')
  await removeOldEvents()
  const left = async () =>
    (await s.call(listEvents, { query: { limit: 50 } })).body.items.map(({ id }) => id).sort()
  assert.equal((await left()).length, 4)
  await s.db.run(sql`update projects set config = config || '{"event_retention_days": 2}'`)
  await removeOldEvents()
  assert.deepEqual(await left(), ['dead', 'new', 'pending'].map((key) => s.eventId(key)).sort())
})

test('attack: a deleted project delivers nothing, and deliveries of other projects go out', async (t) => {
  const s = await startWebhookApp(t, {}, { waits: true })
  await s.otherProject()
  await s.subscribe('/former')
  await s.publish(['one'])
  assert.equal((await s.org(deleteProject, { params: { nano_id: s.keys.projectId } })).status, 200)
  const load = { ids: [], claimed: [], prefetch: [] }
  assert.deepEqual(await claimDeliveries(s.db, { limit: 10, load }), [])
  await s.db.run(sql`update webhook_subscriptions set max_per_second = 10`)
  assert.deepEqual(await claimDeliveries(s.db, { limit: 10, load }), [], 'with a limit per second')
  await s.db.run(sql`update projects set deleted_at = null where id = ${s.keys.projectId}`)
  assert.equal((await claimDeliveries(s.db, { limit: 10, load })).length, 1, 'the deletion was the reason')
})
