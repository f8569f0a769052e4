import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookEndpoints,
  mergeWebhookEndpoint,
  readWebhookEndpoint,
  readWebhookEndpointSchema,
  replaceWebhookEndpoint,
  setTriggerStatus,
} from '../../../../contract/triggers/index.ts'

import { sql } from '../../../../platform/db/sql.ts'
import { startPushTriggerApp, SECRET, sign } from '#fixtures/push-triggers.ts'

/** The application with three accounts; `endpoint`, `url` and `triggers` are those that the checks create. */
async function startEndpointApp(t: TestContext) {
  const s = await startPushTriggerApp(t)
  const other = await s.otherProject()
  const [acme, second, umbrella] = [
    await s.connect('acme', 'u1'),
    await s.connect('acme', 'u2'),
    await s.connect('umbrella', 'u3'),
  ]
  const create = (body: object, call = s.call) => call(createWebhookEndpoint, { body: body as never })
  const upsert = (slug: string, account: string, config: object = {}) =>
    s.upsert(slug, { connected_account_id: account, trigger_config: config })
  const at = () => String(Math.floor(s.clock.now() / 1_000))
  const created = { endpoint: '', url: '', triggers: [] as string[] }
  const send = (events: unknown, { secret = SECRET, to = created.url, when = at() } = {}) => {
    const body = typeof events === 'string' ? events : JSON.stringify({ events })
    return s.deliver(to, body, { 'x-at': when, 'x-sig': sign(secret, `${when}.${body}`) })
  }
  const params = () => ({ nano_id: created.endpoint })
  return { s, other, acme, second, umbrella, create, upsert, at, created, send, params }
}

type EndpointApp = Awaited<ReturnType<typeof startEndpointApp>>

const order = (id: string, more: object = {}) => ({ type: 'order', store: 'acme', id, ...more })

test('webhook endpoints: one URL for all accounts of an OAuth app', async (t) => {
  const app = await startEndpointApp(t)

  await t.test(
    'a trigger of an app requires an endpoint that is set up, and the error names what is missing',
    () => checkRequiredEndpoint(app),
  )

  await t.test(
    'setup fields are described, checked, encrypted, masked, merged and replaced; other projects cannot read them',
    () => checkSetupFields(app),
  )

  await t.test(
    'the application calls the URL, and the values that it sends are returned until a delivery is verified',
    () => checkVerification(app),
  )

  await t.test('an event reaches every matching trigger of its account and type, and no other', () =>
    checkMatching(app),
  )

  await t.test(
    'deliveries that are repeated or reordered create one event each, in the order of their arrival',
    () => checkRepeatedDeliveries(app),
  )

  await t.test('the older URL, which contains the project, accepts the same deliveries', () =>
    checkOlderUrl(app),
  )

  await t.test(
    'disabled triggers, and those of a project with triggers switched off, receive no events',
    () => checkDisabledTriggers(app),
  )

  await t.test(
    'a delivery with too many events is rejected completely, and a deleted endpoint accepts nothing',
    () => checkLimits(app),
  )
})

async function checkRequiredEndpoint({ create, upsert, acme, created }: EndpointApp): Promise<void> {
  const none = await upsert('ORDER_IN_APP', acme)
  assert.deepEqual(
    [none.status, (none.body as any).error.slug],
    [400, 'TriggerInstance_WebhookEndpointRequired'],
  )
  assert.match(JSON.stringify(none.body), /Create one for shop/)
  const made = await create({ toolkit_slug: 'Shop' })
  assert.equal(made.status, 201)
  const endpoint = made.body.id
  Object.assign(created, { endpoint, url: made.body.webhook_url })
  assert.deepEqual(made.body, {
    id: endpoint,
    toolkit_slug: 'shop',
    client_id: null,
    webhook_url: `http://localhost:3900/api/v3.1/webhook_ingress/shop/${endpoint}/trigger_event`,
    data: null,
    created_at: made.body.created_at,
    verified_at: null,
  })
  const again = await create({ toolkit_slug: 'shop', client_id: null })
  assert.deepEqual([again.status, again.body], [200, made.body])
  assert.match(JSON.stringify((await upsert('ORDER_IN_APP', acme)).body), /lacks signing_secret/)
  assert.equal((await create({ toolkit_slug: 'nothing' })).status, 404)
}

async function checkSetupFields({ s, other, create, params, created }: EndpointApp): Promise<void> {
  const { body: schema } = await s.call(readWebhookEndpointSchema, { query: { toolkit_slug: 'shop' } })
  assert.deepEqual(schema, {
    toolkit_slug: 'shop',
    setup_fields: {
      signing_secret: {
        display_name: 'Signing secret',
        description: 'At the app.',
        is_required: true,
        is_secret: true,
      },
      region: {
        display_name: 'Region',
        description: 'At the app.',
        is_required: false,
        is_secret: false,
      },
    },
  })
  const merge = (data: Record<string, string | null>, call = s.call) =>
    call(mergeWebhookEndpoint, { params: params(), body: { data } })
  assert.deepEqual((await merge({ signing_secret: 'first-secret', region: 'eu' })).body.data, {
    signing_secret: 'firs...',
    region: 'eu',
  })
  assert.deepEqual(
    (await merge({ signing_secret: 'firs...', region: null })).body.data,
    { signing_secret: 'firs...' },
    'a mask that comes back changes nothing',
  )
  assert.deepEqual(
    (
      await s.call(replaceWebhookEndpoint, {
        params: params(),
        body: { data: { signing_secret: SECRET } },
      })
    ).body.data,
    { signing_secret: 'of-t...' },
  )
  assert.doesNotMatch(
    JSON.stringify(await s.db.rows(sql`select encode(data, 'escape') as data from webhook_endpoints`)),
    /of-the-app/,
  )
  assert.equal((await merge({ colour: 'red' })).status, 400)
  for (const reply of [
    await other(readWebhookEndpoint, { params: params() }),
    await merge({ signing_secret: 'x' }, other),
    await other(replaceWebhookEndpoint, { params: params(), body: { data: {} } }),
    await other(deleteWebhookEndpoint, { params: params() }),
  ])
    assert.equal(reply.status, 404)
  assert.deepEqual(
    [(await other(listWebhookEndpoints)).body, (await s.call(listWebhookEndpoints)).body],
    [{ items: [] }, { items: [{ id: created.endpoint, toolkit_slug: 'shop', client_id: null }] }],
  )
  assert.notEqual((await create({ toolkit_slug: 'shop' }, other)).body.id, created.endpoint)
}

async function checkVerification({ s, send, params, created }: EndpointApp): Promise<void> {
  assert.equal((await send('{"type":"verify","challenge":"c-1"}', { secret: 'wrong' })).status, 401)
  const { status: brought } = await s.deliver(created.url, '{"verification_token":"brought-1"}')
  assert.equal(brought, 200)
  assert.deepEqual((await s.call(readWebhookEndpoint, { params: params() })).body.data, {
    signing_secret: 'of-t...',
    verification_token: 'brought-1',
  })
  const { status, text, headers } = await send('{"type":"verify","challenge":"c-1"}')
  assert.deepEqual(
    [status, text, headers['content-type'], headers['x-content-type-options']],
    [200, 'c-1', 'text/plain; charset=utf-8', 'nosniff'],
  )
  const { data, verified_at: verified } = (await s.call(readWebhookEndpoint, { params: params() })).body
  assert.deepEqual(
    [(data as Record<string, string>)['verification_token'], typeof verified],
    ['brou...', 'string'],
  )
  assert.equal(
    (await s.deliver(created.url, '{"verification_token":"brought-2"}')).status,
    401,
    'it cannot be changed afterwards',
  )
}

async function checkMatching(app: EndpointApp): Promise<void> {
  const { s, acme, second, umbrella, upsert, send, created } = app
  for (const [slug, account, config] of [
    ['ORDER_IN_APP', acme, {}],
    ['ORDER_IN_APP', acme, { section: 'a' }],
    ['ORDER_IN_APP', second, {}],
    ['REFUND_IN_APP', acme, {}],
    ['ORDER_IN_APP', umbrella, {}],
  ] as const) {
    const reply = await upsert(slug, account, config)
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    created.triggers.push(reply.body.trigger_id)
  }
  assert.equal(s.hooks.size, 0, 'the application is not asked')
  assert.equal(
    (
      await send([
        order('1', { section: 'b' }),
        order('2', { section: 'a' }),
        { type: 'refund', store: 'acme', id: '3' },
        { type: 'other', store: 'acme', id: '4' },
        order('5', { store: 'nobody' }),
        { id: '6' },
        null,
        7,
      ])
    ).status,
    200,
  )
  const received = await s.db.rows<{ trigger: string; events: number }>(
    sql`select ordering_key as trigger, count(*)::int as events from events
        where type = 'trigger.message' group by 1`,
  )
  assert.deepEqual(
    new Map(received.map(({ trigger, events }) => [trigger, events])),
    new Map([
      [created.triggers[0], 2],
      [created.triggers[1], 1],
      [created.triggers[2], 2],
      [created.triggers[3], 1],
    ]),
  )
  assert.ok(
    (await s.payloads()).some(
      ({ id, section, ...rest }) => id === '1' && section === 'b' && Object.keys(rest).length === 0,
    ),
  )
}

async function checkRepeatedDeliveries({ s, send }: EndpointApp): Promise<void> {
  const before = (await s.payloads()).length
  await Promise.all(['7', '7', '7'].map((id) => send([order(id, { store: 'umbrella' })])))
  for (const id of ['10', '9', '7', '12', '9'])
    assert.equal((await send([order(id, { store: 'umbrella' })])).status, 200)
  assert.deepEqual(
    (await s.payloads()).slice(before).map(({ id }) => id),
    ['7', '10', '9', '12'],
  )
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      send([order(`x-${n}`, { store: 'umbrella' }), order(`y-${n}`, { store: 'umbrella' })]),
    ),
  )
  const rows = await s.payloads()
  assert.equal(rows.length, before + 4 + 40)
  const inOrder = rows.slice(before + 4).map(({ id }) => String(id))
  for (const [index, id] of inOrder.entries())
    if (id.startsWith('x-'))
      assert.equal(inOrder[index + 1], id.replace('x', 'y'), 'events of a delivery stay together')
}

async function checkOlderUrl({ s, send, at, created }: EndpointApp): Promise<void> {
  const before = (await s.payloads()).length
  const older = `/api/v3/trigger_instances/shop/${s.keys.projectId}/handle`
  assert.equal((await send([order('20', { store: 'umbrella' })], { to: older })).status, 200)
  assert.equal((await s.payloads()).length, before + 1)
  const rejection = async (to: string, options: object = {}) => {
    const { status, text } = await send([order('21')], { to, ...options })
    return `${status} ${text.replace(/"request_id":"[^"]+"/, '')}`
  }
  const known = await rejection(older, { secret: 'wrong' })
  assert.match(known, /^401/)
  for (const one of [
    rejection(older.replace('shop', 'gmail')),
    rejection(older.replace('shop', 'nothing')),
    rejection(older.replace(/proj_\w+/, 'proj_000000000000')),
    rejection(created.url, { when: String(Number(at()) - 301) }),
    rejection(created.url.replace('/shop/', '/gmail/')),
    rejection(created.url.replace(created.endpoint, 'we_000000000000')),
  ])
    assert.equal(await one, known)
  assert.equal((await s.payloads()).length, before + 1)
}

async function checkDisabledTriggers({ s, send, created }: EndpointApp): Promise<void> {
  const before = (await s.payloads()).length
  await s.call(setTriggerStatus, {
    params: { trigger_id: created.triggers[4]! },
    body: { status: 'disable' },
  })
  assert.equal((await send([order('30', { store: 'umbrella' })])).status, 200)
  assert.equal((await s.payloads()).length, before)
  await s.call(setTriggerStatus, { params: { trigger_id: created.triggers[4]! }, body: { status: 'enable' } })
  await s.db.run(sql`update projects set triggers_enabled = false`)
  await send([order('31', { store: 'umbrella' })])
  await s.db.run(sql`update projects set triggers_enabled = true`)
  await send([order('32', { store: 'umbrella' })])
  assert.deepEqual(
    (await s.payloads()).slice(before).map(({ id }) => id),
    ['32'],
  )
}

async function checkLimits({ s, send, params }: EndpointApp): Promise<void> {
  assert.equal((await send(Array.from({ length: 10_001 }, () => 1))).status, 413)
  assert.equal((await s.call(deleteWebhookEndpoint, { params: params() })).status, 200)
  assert.equal((await send([order('40')])).status, 401)
}
