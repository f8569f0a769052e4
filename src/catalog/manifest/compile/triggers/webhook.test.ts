import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { catalogFromSources } from '../../load/load.ts'
import { sampleSource, sampleTrigger } from '#fixtures/sample-toolkits.ts'
import { parseDelivery } from './delivery.ts'
import type { CompiledWebhook } from './webhook.ts'

type Parts = Record<string, unknown>
const REGISTRATION = {
  request: {
    method: 'POST',
    path: '/hooks',
    body: { url: { $: 'webhook_url' }, topic: { $: 'topic' }, section: { $: 'section' } },
  },
  save: { hook_id: 'id' },
  remove: { method: 'DELETE', path: '/hooks/{hook_id}' },
}
const OWN = {
  registration: REGISTRATION,
  constants: { topic: 'orders' },
  verify: { kind: 'hmac', algorithm: 'sha256', key: '{webhook_secret}', signature: { at: 'headers.x-sig' } },
}
const APP = {
  scope: 'app',
  setup: [
    { name: 'signing_secret', display_name: 'Signing secret', description: 'At the app.', secret: true },
  ],
  verify: { ...OWN.verify, key: '{signing_secret}' },
  account: { at: 'body.team', equals: '{subdomain}' },
  only_when: [{ path: 'item.type', equals: 'order' }],
}
const CONFIG = { type: 'object', properties: { section: { type: 'string', description: 'A section.' } } }
const NONE = { type: 'object', properties: {} }
const trigger = (webhook: Parts, more: Parts = {}) =>
  sampleTrigger({ poll: undefined, config: CONFIG, event: undefined, webhook, ...more })
const catalogWith = (triggers: unknown[], shared?: Parts) =>
  catalogFromSources([
    sampleSource({}, undefined, { triggers: { ...(shared ? { webhook: shared } : {}), triggers } }),
  ])
const compiled = (webhook: Parts, shared?: Parts, more: Parts = {}): CompiledWebhook =>
  catalogWith([trigger(webhook, more)], shared).trigger('SHOP_NEW_ORDER', 'latest')!.trigger.webhook!
const delivery = (
  body: unknown,
  {
    headers = {},
    query = '',
    method = 'POST',
  }: { headers?: Record<string, string>; query?: string; method?: string } = {},
) =>
  parseDelivery({
    method,
    url: `https://int.example/hook${query}`,
    headers,
    raw: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  })

test('webhook triggers: shared settings are declared once, and a trigger can override them', () => {
  const { scope, constants, verify, registration } = compiled({ constants: { size: 'l' } }, OWN)
  assert.deepEqual(
    [scope, constants, verify, registration?.manifest.save],
    ['instance', { topic: 'orders', size: 'l' }, OWN.verify, { hook_id: 'id' }],
  )
  assert.equal(compiled({ verify: { kind: 'address' } }, OWN).verify.kind, 'address')
})

test('webhook triggers: events are read from lists, embedded JSON and forms', () => {
  const items = (webhook: Parts, ...args: Parameters<typeof delivery>) =>
    compiled({ ...OWN, ...webhook })
      .itemsOf(delivery(...args))
      .map(({ item }) => item)
  assert.deepEqual(items({}, { a: 1 }), [{ a: 1 }])
  assert.deepEqual(items({ events: 'body.list' }, { list: [1, { a: 2 }] }), [1, { a: 2 }])
  for (const none of [
    '',
    '{',
    '{"list":',
    '['.repeat(200_000),
    '{"lists":[1]}',
    Buffer.from([0xff]).toString('latin1'),
  ])
    assert.deepEqual(items({ events: 'body.list' }, none), [], none.slice(0, 20))
  const data = Buffer.from('{"historyId":7}').toString('base64')
  assert.deepEqual(items({ decode: { at: 'body.message.data', as: 'base64' } }, { message: { data } }), [
    { historyId: 7 },
  ])
  for (const wrong of [{ message: { data: 7 } }, { message: { data: '!!!' } }, {}])
    assert.deepEqual(items({ decode: { at: 'body.message.data', as: 'base64' } }, wrong), [])
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' } }
  assert.deepEqual(items({}, 'a=1&a=2&b=%20', form), [{ a: '1', b: ' ' }])
  assert.deepEqual(
    items({ decode: { at: 'body.payload', as: 'json' } }, `payload=${encodeURIComponent('{"b":[1]}')}`, form),
    [{ b: [1] }],
  )
  assert.deepEqual(
    items({}, '{"__proto__":{"polluted":1}}').map((one) => Object.keys(one as object)),
    [['__proto__']],
  )
  assert.equal(({} as Parts)['polluted'], undefined)
})

test('webhook triggers: an instance selects events by type and by configuration', () => {
  const webhook = compiled({
    ...OWN,
    registration: { ...REGISTRATION, request: { method: 'POST', path: '/hooks', body: ['webhook_url'] } },
    only_when: [
      { path: 'headers.x-event', one_of: ['order', 'refund'] },
      { path: 'item.section', equals_config: 'section' },
    ],
    skip_when: [{ path: 'item.test', equals: true }],
  })
  for (const [body, event, config, expected] of [
    [{ section: 'a' }, 'order', { section: 'a' }, true],
    [{ section: 'b' }, 'order', { section: 'a' }, false],
    [{ section: 'b' }, 'order', {}, true],
    [{}, 'order', { section: 'a' }, false],
    [{}, 'order', { section: ['a', 'b'] }, false],
    [{ section: 'b' }, 'order', { section: ['a', 'b'] }, true],
    [{ section: ['x', 'b'] }, 'refund', { section: 'b' }, true],
    [{ section: 7 }, 'refund', { section: '7' }, true],
    [{ test: true }, 'order', {}, false],
    [{}, 'ping', {}, false],
    [[], 'order', {}, true],
  ] as [unknown, string, Parts, boolean][]) {
    const [item] = webhook.itemsOf(delivery(body, { headers: { 'x-event': event } }))
    assert.equal(webhook.makesEvent(item!, config), expected, JSON.stringify([body, event, config]))
  }
})

test('webhook triggers: a repeated event has the same key', () => {
  const key = (webhook: CompiledWebhook, body: unknown, headers = {}) =>
    webhook.keyOf(webhook.itemsOf(delivery(body, { headers }))[0]!)
  const byHeader = compiled({ ...OWN, key: 'headers.x-id' })
  assert.equal(key(byHeader, { a: 1 }, { 'x-id': 'd-1' }), key(byHeader, { a: 2 }, { 'x-id': 'd-1' }))
  assert.notEqual(key(byHeader, { a: 1 }, { 'x-id': 'd-1' }), key(byHeader, { a: 1 }, { 'x-id': 'd-2' }))
  assert.notEqual(key(byHeader, { a: 1 }), key(byHeader, { a: 2 }), 'without an id, all that it holds')
  const two = compiled({ ...OWN, key: ['item.id', 'item.rev'] })
  assert.notEqual(key(two, { id: '1', rev: '12' }), key(two, { id: '11', rev: '2' }))
  assert.match(key(two, { id: 'a'.repeat(100_000), rev: 1 }), /^[0-9a-f]{64}$/)
})

test('webhook triggers: an event is matched to its accounts', () => {
  const { account, itemsOf } = compiled(APP, undefined, { config: NONE })
  const of = (body: unknown) => itemsOf(delivery(body)).flatMap((item) => account!.of(item))
  assert.deepEqual(
    [
      of({ team: 'T1' }),
      of({ team: 7 }),
      of({ team: ['a', 'b'] }),
      of({ team: '' }),
      of({}),
      of({ team: null }),
      of({ team: Array.from({ length: 5_000 }, (_, n) => n) }).length,
    ],
    [['T1'], ['7'], ['a', 'b'], [], [], [], 100],
  )
})

const diagnosticsOf = (triggers: unknown[], shared?: Parts): string => {
  try {
    catalogWith(triggers, shared)
    return ''
  } catch (error) {
    return String((error as Error).message)
  }
}

const own = (more: Parts = {}, parts: Parts = {}) => diagnosticsOf([trigger({ ...OWN, ...more }, parts)])

const verify = (more: Parts) => own({ verify: { ...OWN.verify, ...more } })

const app = (more: Parts) => diagnosticsOf([trigger({ ...APP, ...more }, { config: NONE })])

const jwt = {
  kind: 'jwt',
  at: 'headers.authorization',
  algorithms: ['RS256'],
  jwks_url: 'https://k.example',
  audience: '{webhook_url}',
}

const INVALID_WEBHOOKS = [
  [own({ verify: undefined }), /no `verify`/],
  [own({ registration: undefined }, { config: NONE }), /no `registration`/],
  [own({ registration: { ...REGISTRATION, remove: undefined } }), /no `remove`/],
  [own({ registration: { ...REGISTRATION, renew: REGISTRATION.remove } }), /needs `expires`/],
  [
    own({
      registration: {
        ...REGISTRATION,
        save: { 'a-b': 'id' },
        remove: { method: 'DELETE', path: '/hooks' },
      },
    }),
    /must be a name that templates can use/,
  ],
  [own({ account: APP.account }), /one account/],
  [own({ setup: APP.setup }), /is only for `scope: app`/],
  [app({ account: undefined }), /whose event it is/],
  [app({ registration: REGISTRATION }), /entered by hand/],
  [app({ only_when: undefined }), /share one URL/],
  [app({ verify: { kind: 'address' } }), /the URL of an app is not secret/],
  [app({ account: { at: 'body.team', equals: 'T1' } }), /without a default/],
  [app({ verify: OWN.verify }), /`webhook_secret` is not a value of this scope/],
  [verify({ key: 'text' }), /without a default/],
  [verify({ key: "{webhook_secret||'x'}" }), /without a default/],
  [verify({ key: '{other}' }), /`other` is not a value/],
  [verify({ message: '{timestamp}' }), /does not sign the body/],
  [verify({ message: '{body}{other}' }), /`\{other\}` is not one of/],
  [verify({ timestamp: { at: 'headers.x-at' } }), /is not signed/],
  [verify({ algorithm: 'md5' }), /sha256/],
  [verify({ signature: { at: 'a b' } }), /pattern|path/],
  [own({ verify: { ...jwt, algorithms: ['RS256', 'HS256'] } }), /must not mix/],
  [own({ verify: { ...jwt, key: '{webhook_secret}' } }), /and not both/],
  [own({ verify: { ...jwt, audience: undefined } }), /tokens for other receivers/],
  [
    own({ only_when: [{ path: 'item.a', equals_config: 'other' }] }),
    /is not a property of the configuration/,
  ],
  [
    own({ handshake: [{ when: [{ path: 'method' }], verified: true, save: { a: 'body.a' }, reply: {} }] }),
    /must not be used with `verified`/,
  ],
  [
    own({ handshake: [{ when: [{ path: 'method' }], expect: { 'query.a': 'b' }, reply: {} }] }),
    /without a default/,
  ],
  [
    diagnosticsOf([
      trigger(APP, { config: NONE }),
      trigger({ ...APP, verify: { ...APP.verify, algorithm: 'sha1' } }, { slug: 'SHOP_OTHER', config: NONE }),
    ]),
    /must be the same for all triggers/,
  ],
  [
    own({}, { config: { type: 'object', properties: { section: {}, colour: {}, hook_id: {} } } }),
    /`hook_id` is supplied by the engine/,
  ],
  [own({}, { event: { a: 'detail.id' } }), /must begin with `item`, `body`/],
  [own({ hook: 1 }), /unknown key `hook`/],
  [diagnosticsOf([trigger(OWN)], { verify: 7 as never }), /webhook\/verify/],
] as [string, RegExp][]

test('webhook triggers: invalid combinations are reported with their place', () => {
  assert.deepEqual(
    [own(), app({}), own({ verify: jwt }), own({ verify: { kind: 'address' } })],
    ['', '', '', ''],
  )
  for (const [found, reason] of INVALID_WEBHOOKS) assert.match(found, reason)
})

test('webhook triggers: the manifest in the guide is valid', () => {
  const guide = readFileSync(
    new URL('../../../../../docs/guides/write-a-webhook-trigger.md', import.meta.url),
    'utf8',
  )
  const [whole, handshake] = [...guide.matchAll(/```json\n([^]*?)```/g)].map(([, text]) => JSON.parse(text!))
  const triggers = (whole.triggers as Parts[]).map((one) => ({
    ...one,
    slug: String(one['slug']).replace('INVENTORY', 'SHOP'),
  }))
  const { webhook } = catalogWith(triggers, { ...whole.webhook, handshake }).trigger(
    'SHOP_ARTICLE_SOLD',
    'latest',
  )!.trigger
  assert.deepEqual(
    [webhook!.constants, webhook!.handshakes.length, webhook!.registration!.renew?.method],
    [{ topic: 'sales' }, 2, 'PATCH'],
  )
})
