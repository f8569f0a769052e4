import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { readProject, readSessionInfo } from '../../../contract/projects/index.ts'
import {
  createWebhook,
  deleteProjectWebhook,
  deleteWebhook,
  listEventTypes,
  listWebhooks,
  readProjectWebhook,
  readWebhook,
  refreshProjectWebhook,
  rotateWebhookSecret,
  updateProjectWebhook,
  updateWebhook,
} from '../../../contract/webhooks/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { createEgress, parseAllowRules } from '../../../platform/egress/index.ts'

const URL_1 = 'https://app.example.com/hooks'
const draft = {
  webhook_url: URL_1,
  enabled_events: [
    'service.trigger.message',
    'service.connected_account.expired',
    'service.trigger.message',
  ] as 'service.trigger.message'[],
}

test('subscriptions: create, read, update and delete; the secret is encrypted, and later masked on v3.1', async (t) => {
  const s = await testApp(t)
  const newer = s.as({ 'x-api-key': s.keys.projectApiKey }, 'v3.1')
  const { status, body: made } = await newer(createWebhook, { body: draft })
  assert.equal(status, 201)
  assert.match(made.id, /^ws_\w{12}$/)
  assert.match(made.secret, /^whsec_[A-Za-z0-9+/]{32}$/)
  assert.deepEqual(
    { ...made, id: '', secret: '', created_at: '', updated_at: '' },
    {
      id: '',
      webhook_url: URL_1,
      version: 'V3',
      enabled_events: ['service.trigger.message', 'service.connected_account.expired'],
      max_at_once: 32,
      max_per_second: null,
      secret: '',
      approval_secret: null,
      public_key: null,
      disabled_at: null,
      disabled_reason: null,
      failing_since: null,
      created_at: '',
      updated_at: '',
    },
  )
  const params = { id: made.id }
  assert.deepEqual((await s.call(readWebhook, { params })).body, made)
  const masked = { ...made, secret: `whsec_**${made.secret.slice(-4)}` }
  assert.deepEqual((await newer(readWebhook, { params })).body, masked)
  assert.deepEqual((await newer(listWebhooks, { query: { limit: 1 } })).body, {
    items: [masked],
    next_cursor: null,
    total_pages: 1,
    current_page: 1,
    total_items: 1,
  })
  const row = await s.app.db.one<{ text: string }>(
    sql`select encode(secret, 'escape') as text from webhook_subscriptions`,
  )
  assert.ok(row && !row.text.includes(made.secret.slice(6)), 'the database has no secret in clear')
  const changed = await s.call(updateWebhook, {
    params,
    body: { version: 'V1', enabled_events: ['service.trigger.message'] },
  })
  assert.deepEqual(
    [changed.status, changed.body.version, changed.body.enabled_events, changed.body.secret],
    [200, 'V1', ['service.trigger.message'], made.secret],
  )
  assert.ok(changed.body.updated_at > made.updated_at)
  assert.deepEqual((await s.call(deleteWebhook, { params })).body, { success: true })
  for (const route of [readWebhook, deleteWebhook])
    assert.deepEqual(
      [(await s.call(route, { params })).status, (await s.call(route, { params })).body.error.slug],
      [404, 'WebhookSubscription_NotFound'],
    )
})

test('event types: each has its payload versions, and a subscription with another version is rejected', async (t) => {
  const s = await testApp(t)
  const { items } = (await s.call(listEventTypes)).body
  assert.deepEqual(
    items.map(({ event_type, supported_versions }) => [event_type, supported_versions]),
    [
      ['service.trigger.message', ['V1', 'V2', 'V3']],
      ['service.connected_account.active', ['V3']],
      ['service.connected_account.failed', ['V3']],
      ['service.connected_account.deleted', ['V3']],
      ['service.connected_account.expired', ['V3']],
      ['service.webhook.disabled', ['V3']],
      ['service.trigger.disabled', ['V3']],
      ['service.approval.requested', ['V3']],
      ['service.approval.decided', ['V3']],
      ['service.budget.threshold_reached', ['V3']],
      ['service.session_hook.before_execute', ['V3']],
      ['service.session_hook.after_execute', ['V3']],
    ],
  )
  const rejection = async (body: object) => {
    const reply = await s.call(createWebhook, { body } as never)
    return [reply.status, reply.body.error.errors]
  }
  const versionError = 'Error in payload.version: V2 does not have service.connected_account.expired; use V3'
  assert.deepEqual(await rejection({ ...draft, version: 'V2' }), [400, [versionError]])
  for (const events of [[], ['service.nothing'], ['connected_account.expired'], 'service.trigger.message'])
    assert.equal((await rejection({ ...draft, enabled_events: events }))[0], 400)
  const { id } = (await s.call(createWebhook, { body: draft })).body
  const patch = async (body: object) => {
    const reply = await s.call(updateWebhook, { params: { id }, body } as never)
    return [reply.status, reply.body.error?.errors]
  }
  assert.deepEqual(await patch({ version: 'V2' }), [400, [versionError]])
  assert.deepEqual(await patch({}), [
    400,
    [
      'Error in payload: one of webhook_url, enabled_events, version, max_at_once, max_per_second and ' +
        'asymmetric_signatures is required',
    ],
  ])
  assert.deepEqual(
    (
      await Promise.all(
        [0, 257, 1.5].flatMap((n) => [
          patch({ max_at_once: n }),
          patch({ max_per_second: n === 257 ? 10_001 : n }),
        ]),
      )
    ).map(([status]) => status),
    Array(6).fill(400),
  )
  assert.equal((await patch({ version: 'V2', enabled_events: ['service.trigger.message'] }))[0], 200)
})

test('webhook_url: must be public, https and without credentials; a loopback URL needs EGRESS_ALLOW', async (t) => {
  const closed = await testApp(t, {
    egress: createEgress({ allow: parseAllowRules('127.0.0.1:8080,10.1.2.3') }),
  })
  const { id } = (await closed.call(createWebhook, { body: draft })).body
  const judged = async (webhook_url: string) => {
    const reply = await closed.call(updateWebhook, { params: { id }, body: { webhook_url } })
    return reply.status === 200 ? 'existing' : `${reply.status} ${reply.body.error.slug}`
  }
  const table = {
    existing: [
      'https://other.example.com:8443/a?b=c',
      'http://127.0.0.1:8080/hooks',
      'http://localhost:8080',
      'http://127.1:8080/',
      'https://10.1.2.3/',
    ],
    '400 WebhookSubscription_AddressRefused': [
      'http://app.example.com/hooks',
      'https://user:pass@app.example.com/',
      'https://127.0.0.1/',
      'http://127.0.0.1:8081/',
      'http://[::1]:8080/',
      'https://10.0.0.1/',
      'http://10.1.2.3/',
      'https://169.254.169.254/latest',
      'https://0x7f000001/',
      'https://[::ffff:10.0.0.1]/',
      'https://localhost./',
      'https://a.localhost/',
      'https://app.example.com/#part',
      'https://',
    ],
    '400 HTTP_BadRequest': [
      'ftp://app.example.com/',
      'app.example.com',
      '',
      `https://app.example.com/${'a'.repeat(2048)}`,
    ],
  }
  for (const [expected, urls] of Object.entries(table))
    for (const url of urls) assert.equal(await judged(url), expected, url)
})

test('subscriptions: one for each URL, at most twenty, and none is visible in other projects', async (t) => {
  const s = await testApp(t)
  const url = (n: number) => `https://r${n}.example.com/`
  const create = (n: number, call = s.call) =>
    call(createWebhook, { body: { ...draft, webhook_url: url(n) } })
  const replies = await Promise.all(Array.from({ length: 24 }, (_, n) => create(Math.floor(n / 2))))
  assert.deepEqual(
    [201, 409].map((status) => replies.filter((one) => one.status === status).length),
    [12, 12],
    'of two that come together one is existing',
  )
  assert.equal(
    replies.find(({ status }) => status === 409)?.body.error.slug,
    'WebhookSubscription_AlreadyExists',
  )
  const [{ id }, second] = replies
    .filter(({ status }) => status === 201)
    .map(({ body }) => body) as unknown as [{ id: string }, { webhook_url: string }]
  assert.equal(
    (await s.call(updateWebhook, { params: { id }, body: { webhook_url: second.webhook_url } })).status,
    409,
  )
  const more = await Promise.all(Array.from({ length: 10 }, (_, n) => create(n + 12)))
  assert.deepEqual(
    more.filter(({ status }) => status === 409).map(({ body }) => body.error.slug),
    ['WebhookSubscription_LimitReached', 'WebhookSubscription_LimitReached'],
  )
  const { items, total_items: total } = (await s.call(listWebhooks, { query: { limit: 50 } })).body
  assert.deepEqual(
    [total, items.length, items.map(({ created_at: at }) => at)],
    [20, 20, items.map(({ created_at: at }) => at).sort()],
  )
  const other = await s.otherProject()
  const theirs = (await create(0, other)).body.id
  for (const [route, body] of [
    [readWebhook],
    [updateWebhook, { version: 'V3' }],
    [deleteWebhook],
    [rotateWebhookSecret, {}],
  ] as const) {
    const [foreign, missing] = await Promise.all(
      [theirs, 'ws_000000000000'].map((one) =>
        s.call(route as typeof updateWebhook, { params: { id: one }, ...(body ? { body } : {}) }),
      ),
    )
    assert.equal(foreign?.status, 404)
    assert.equal(
      foreign?.body.error.message.replace(theirs, ''),
      missing?.body.error.message.replace('ws_000000000000', ''),
    )
  }
  assert.equal((await other(listWebhooks)).body.total_items, 1)
})

test('secret rotation: the former secret is valid for the requested time', async (t) => {
  const s = await testApp(t)
  const made = (await s.call(createWebhook, { body: draft })).body
  const params = { id: made.id }
  const { status, body: first } = await s.as({ 'x-api-key': s.keys.projectApiKey }, 'v3.1')(
    rotateWebhookSecret,
    { params },
  )
  assert.equal(status, 200)
  assert.match(first.secret, /^whsec_[A-Za-z0-9+/]{32}$/)
  assert.notEqual(first.secret, made.secret)
  const hours =
    (Date.parse(first.former_secret_until as string) -
      Date.parse((await s.call(readWebhook, { params })).body.updated_at)) /
    3_600_000
  assert.equal(hours, 24)
  assert.equal((await s.call(readWebhook, { params })).body.secret, first.secret)
  assert.equal(
    (await s.call(rotateWebhookSecret, { params, body: { overlap_hours: 0 } })).body.former_secret_until,
    null,
  )
  assert.equal(
    (await s.app.db.one<{ former_secret: unknown }>(sql`select former_secret from webhook_subscriptions`))
      ?.former_secret,
    null,
  )
  for (const overlap of [-1, 169, 1.5, 'x'])
    assert.equal(
      (await s.call(rotateWebhookSecret, { params, body: { overlap_hours: overlap } } as never)).status,
      400,
    )
})

test('project reads: show secret, version and time of the webhook; v3.1 and keys have it masked', async (t) => {
  const s = await testApp(t)
  const read = async (version: 'v3' | 'v3.1') => {
    const organization = s.as({ 'x-org-api-key': s.keys.organizationApiKey }, version)
    return (await organization(readProject, { params: { nano_id: s.keys.projectId } })).body
  }
  const { webhook_secret: none, webhook_version: before, last_subscribed_at: never } = await read('v3')
  assert.deepEqual([none, before, never], [null, 'V2', null])
  const { body: created } = await s.call(createWebhook, {
    body: { webhook_url: URL_1, enabled_events: ['service.trigger.message'], version: 'V1' },
  })
  const v3 = await read('v3')
  assert.deepEqual([v3.webhook_secret, v3.webhook_version, v3.is_new_webhook], [created.secret, 'V1', false])
  const { webhook_secret: masked } = await read('v3.1')
  assert.ok(masked && masked !== created.secret && masked.endsWith(String(created.secret).slice(-4)))
  assert.ok(Math.abs(Date.parse(v3.last_subscribed_at ?? '') - Date.now()) < 60_000)
  const { webhook_secret: ofSession } = (await s.call(readSessionInfo)).body.project
  assert.ok(ofSession && ofSession !== created.secret && ofSession.endsWith(String(created.secret).slice(-4)))
})

test('project webhook: the older API uses the oldest subscription with trigger messages', async (t) => {
  const s = await testApp(t)
  const subscription = async () => {
    const { webhook_url: url, event_webhook_url: events } = (await s.call(readSessionInfo)).body.project
    return [url, events]
  }
  const none = { webhook_url: null, event_webhook_url: null, webhook_version: null }
  assert.deepEqual((await s.call(readProjectWebhook)).body, none)
  for (const route of [refreshProjectWebhook, deleteProjectWebhook])
    assert.equal((await s.call(route)).body.error.slug, 'WebhookSubscription_NotFound')
  const { body: expiry } = await s.call(createWebhook, {
    body: {
      webhook_url: 'https://expiry.example.com/',
      enabled_events: ['service.connected_account.expired'],
    },
  })
  assert.equal(
    (await s.call(updateProjectWebhook, { body: { webhook_url: 'http://app.example.com/' } })).body.error
      .slug,
    'WebhookSubscription_AddressRefused',
  )
  assert.deepEqual((await s.call(updateProjectWebhook, { body: { webhook_url: URL_1 } })).body, {
    webhook_url: URL_1,
    event_webhook_url: expiry.webhook_url,
    webhook_version: 'V2',
  })
  assert.deepEqual(
    [
      (await s.call(updateProjectWebhook, { body: { webhook_url: `${URL_1}/2`, webhook_version: 'V1' } }))
        .body.webhook_version,
      await subscription(),
    ],
    ['V1', [`${URL_1}/2`, expiry.webhook_url]],
  )
  const { items } = (await s.call(listWebhooks)).body
  assert.deepEqual(
    [items.length, (await s.call(refreshProjectWebhook)).body.webhook_secret === items[1]?.secret],
    [2, false],
  )
  const other = await s.otherProject()
  assert.deepEqual((await other(readProjectWebhook)).body, none)
  assert.equal((await other(deleteProjectWebhook)).status, 404)
  assert.equal((await s.call(deleteProjectWebhook)).status, 200)
  assert.deepEqual(
    [
      await subscription(),
      (await s.org(readProject, { params: { nano_id: s.keys.projectId } })).body.event_webhook_url,
    ],
    [[null, expiry.webhook_url], expiry.webhook_url],
  )
})

test('branding: event types are returned with the brand and accepted in both spellings', async (t) => {
  const s = await testApp(t, { wireBrand: 'acme' })
  const { body } = await s.call(createWebhook, {
    body: { webhook_url: URL_1, enabled_events: ['acme.trigger.message', 'service.trigger.disabled'] },
  } as never)
  assert.deepEqual((body as { enabled_events: string[] }).enabled_events, [
    'acme.trigger.message',
    'acme.trigger.disabled',
  ])
  assert.deepEqual(await s.app.db.one(sql`select enabled_events from webhook_subscriptions`), {
    enabled_events: ['service.trigger.message', 'service.trigger.disabled'],
  })
})
