import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { lintFiles } from '../../lint/lint-files.ts'
import { catalogFromSources, loadCatalog } from '../../load/load.ts'
import { renderRequest } from '../request/request.ts'
import { sampleSource, sampleTrigger } from '#fixtures/sample-toolkits.ts'
import { parseTimestamp, TIMESTAMP_WRITERS } from './timestamps.ts'

type Parts = Record<string, unknown>

const catalogWith = (...triggers: unknown[]) =>
  catalogFromSources([sampleSource({}, undefined, { triggers: { triggers } })])
const diagnosticsOf = (...triggers: unknown[]): string => {
  try {
    catalogWith(...triggers)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}
const poll = (more: Parts, of: Parts = {}) =>
  diagnosticsOf(sampleTrigger({ poll: { ...(sampleTrigger()['poll'] as Parts), ...more }, ...of }))

test('trigger types: lookup by slug in any case, alias and version; toolkits count their types', () => {
  const older = {
    version: '20260115_00',
    toolkit: sampleSource().toolkit,
    tools: sampleSource().tools,
    triggers: { triggers: [sampleTrigger({ slug: 'SHOP_ORDER_CAME' })] },
  }
  const catalog = catalogFromSources([
    sampleSource(
      {
        releases: [
          { version: '20260301_00', changes: 'x' },
          { version: '20260115_00', changes: 'x' },
        ],
      },
      undefined,
      {
        triggers: {
          triggers: [
            sampleTrigger({ aliases: ['SHOP_ORDER_CAME'] }),
            sampleTrigger({ slug: 'SHOP_AN_OLD_ONE', deprecated: true }),
          ],
        },
        versions: [older],
      },
    ),
  ])
  assert.equal(catalog.trigger('shop_new_order', 'latest')?.version, '20260301_00')
  assert.equal(catalog.trigger('SHOP_ORDER_CAME', 'latest')?.trigger.slug, 'SHOP_NEW_ORDER')
  assert.equal(catalog.trigger('SHOP_NEW_ORDER', '00000000_00')?.trigger.slug, 'SHOP_ORDER_CAME')
  for (const slug of ['SHOP_NONE', 'SHOP_NEW_ORDER_', 'X', '__PROTO__'])
    assert.equal(catalog.trigger(slug, 'latest'), undefined)
  assert.deepEqual(
    [
      catalog.toolkit('shop')?.triggerCount,
      catalog.triggers('shop', 'latest').map(({ trigger }) => trigger.slug),
      catalog.triggers('none', 'latest'),
    ],
    [1, ['SHOP_AN_OLD_ONE', 'SHOP_NEW_ORDER'], []],
  )
})

test('polling triggers: the interval and request values come from configuration and engine', () => {
  const { trigger } = catalogWith(sampleTrigger()).trigger('SHOP_NEW_ORDER', 'latest')!
  assert.deepEqual(Object.keys(trigger.config['properties'] as Parts), ['interval', 'status', 'section'])
  const request = renderRequest(
    trigger.poll!.request,
    { status: 'open', page: 2, section: 'b' },
    () => undefined,
  )
  assert.deepEqual(
    [request.path, request.query],
    [
      '/orders',
      [
        ['status', 'open'],
        ['page', '2'],
      ],
    ],
  )
  assert.deepEqual(trigger.payloadOf({ item: { id: 7, note: 'x' } }), { order: 7 })
  assert.deepEqual(
    catalogWith(sampleTrigger({ event: undefined }))
      .trigger('SHOP_NEW_ORDER', 'latest')!
      .trigger.payloadOf({ item: 'text' }),
    { value: 'text' },
  )
})

test('polling triggers: items have compound keys, timestamps in every form, and conditions', () => {
  const { poll } = catalogWith(
    sampleTrigger({ poll: { ...(sampleTrigger()['poll'] as Parts), key: ['id', 'rev'] } }),
  ).trigger('SHOP_NEW_ORDER', 'latest')!.trigger
  assert.deepEqual(
    [{ id: 1, rev: 'a' }, { id: 1 }, null, { id: '', rev: 1 }].map((item) => poll!.keyOf(item)),
    ['[1,"a"]', undefined, undefined, undefined],
  )
  for (const [item, config, expected] of [
    [{ kind: 'sale' }, {}, true],
    [{ kind: 'test' }, {}, false],
    [{ kind: 'sale', section: 'a' }, { section: 'b' }, false],
    [{ kind: 'sale', section: 7 }, { section: '7' }, true],
    ['text', {}, false],
  ] as [unknown, Parts, boolean][])
    assert.equal(poll!.makesEvent(item, config), expected, JSON.stringify(item))
  const at = Date.UTC(2026, 0, 2, 3, 4, 5)
  for (const text of [
    '2026-01-02T03:04:05Z',
    '2026-01-02T04:04:05+01:00',
    at,
    at / 1_000,
    String(at),
    String(at / 1_000),
    `${at / 1_000}.000000`,
  ])
    assert.equal(parseTimestamp(text), at, String(text))
  for (const none of [
    undefined,
    null,
    '',
    'soon',
    -1,
    Number.NaN,
    Infinity,
    {},
    [],
    '9'.repeat(400),
    '2026-99-99',
    8.7e15,
  ])
    assert.equal(parseTimestamp(none), undefined)
  assert.deepEqual(
    Object.values(TIMESTAMP_WRITERS).map((write) => write(at + 1)),
    ['2026-01-02T03:04:05.001Z', at / 1_000, at + 1, '2026-01-02'],
  )
})

test('polling triggers: invalid combinations are reported with their place', () => {
  assert.equal(poll({}), '')
  const cursor = { start: { request: { method: 'GET', path: '/now' }, path: 'cursor' }, next: 'cursor' }
  const request = { method: 'GET', path: '/orders', query: ['status', 'page', 'section'] }
  for (const [found, reason] of [
    [
      diagnosticsOf(sampleTrigger({ slug: 'STORE_NEW' })),
      /triggers\.json \/triggers\/0\/slug: must begin with `SHOP_`/,
    ],
    [diagnosticsOf(sampleTrigger(), sampleTrigger()), /is also a name of SHOP_NEW_ORDER/],
    [diagnosticsOf(sampleTrigger({ poll: undefined })), /needs one of `poll` and `webhook`/],
    [diagnosticsOf(sampleTrigger({ payload: { type: 'array' } })), /payload\/type: must be `object`/],
    [
      diagnosticsOf(sampleTrigger({ event: { a: 'order.id' } })),
      /event\/a: must begin with `item`, `detail`, `config`/,
    ],
    [diagnosticsOf(sampleTrigger({ event: { a: 'detail.id' } })), /needs `detail` in `poll`/],
    [diagnosticsOf({ ...sampleTrigger(), hook: 1 }), /unknown key `hook`/],
    [diagnosticsOf([[]]), /triggers\/0/],
    [
      diagnosticsOf(
        sampleTrigger({ config: { type: 'object', properties: { status: {}, section: {}, cursor: {} } } }),
      ),
      /`cursor` is supplied by the engine/,
    ],
    [poll({ by: 'cursor' }), /must have both `"by": "cursor"` and `cursor`/],
    [poll({ by: 'cursor', cursor }), /does not use `cursor`, so every poll/],
    [poll({ by: 'since', since: { format: 'iso' }, time: undefined }), /needs `time`/],
    [poll({ request: { ...request, path: '//{status}' } }), /must begin with `\/`/],
    [poll({ request: { ...request, body: ['page'] } }), /a GET request must not have a body/],
    [poll({ request: { ...request, query: ['status', 'section'] } }), /does not use `page`/],
    [poll({ page: { by: 'cursor' } }), /either `next` or `next_header`/],
    [poll({ interval: { min: 20 } }), /must have `min` ≤ `default`/],
    [poll({ only_when: [{ path: 'a', equals_config: 'b' }] }), /equals_config: `b` is not a property/],
    [
      poll({ request: { ...request, path: '/{nothing}' } }),
      /`nothing` is neither a property of the configuration/,
    ],
    [poll({ request: { ...request, query: ['page'] } }), /config\/properties\/status: is not used/],
    [poll({ use_token: 'user_token' }), /is not a value of a connection/],
  ] as [string, RegExp][])
    assert.match(found, reason)
})

test('trigger types: schemas are compiled, and a property without a description is reported', async () => {
  const reported: string[] = []
  const triggers = [
    sampleTrigger({ config: { type: 'object', properties: { a: { type: 'string' } } } }),
    sampleTrigger({ payload: { type: 'object', properties: { a: { type: 'strin' } } } }),
    null,
    { config: 1 },
  ]
  await lintFiles({ toolkit: {}, tools: { tools: [] }, triggers: { triggers } }, (file) => ({
    add: (path, reason) => {
      reported.push(`${file} ${path} ${reason}`)
    },
  }))
  assert.match(
    reported.join('\n'),
    /^triggers\.json \/triggers\/0\/config\/properties\/a `a` needs a description\.\ntriggers\.json \/triggers\/1\/payload is not a valid JSON Schema/,
  )
})

test('trigger types: every shipped type builds its request from the required configuration', async () => {
  const catalog = await loadCatalog({
    folder: fileURLToPath(new URL('../../../../../toolkits', import.meta.url)),
  })
  const found = catalog.toolkits.flatMap(({ slug }) => catalog.triggers(slug, 'latest'))
  assert.ok(found.length > 0)
  for (const {
    trigger: { poll, config, slug },
  } of found) {
    if (!poll) continue
    const args = Object.fromEntries(
      Object.keys((config['properties'] ?? {}) as Parts).map((name) => [name, 'x']),
    )
    assert.match(renderRequest(poll.request, args, () => 'https://x.example').path, /^(\/|https?:\/\/)/, slug)
  }
})
