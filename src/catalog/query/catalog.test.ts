import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogFromSources } from '../manifest/load/load.ts'
import { sampleSource, sampleTool, sampleToolkit } from '#fixtures/sample-toolkits.ts'

const release = (version: string) => ({ version, changes: 'x' })

function withHistory() {
  return catalogFromSources([
    sampleSource(
      { releases: [release('20260301_00'), release('20260201_00'), release('20260115_00')] },
      [sampleTool({ name: 'Newest' }), sampleTool({ slug: 'SHOP_NEW' })],
      {
        versions: [
          {
            version: '20260115_00',
            toolkit: sampleToolkit({ releases: [release('20260115_00')] }),
            tools: { tools: [sampleTool({ name: 'First' }), sampleTool({ slug: 'SHOP_GONE' })] },
          },
        ],
      },
    ),
  ])
}

test('catalog: a tool is found by its slug in any case, in the requested version', () => {
  const catalog = withHistory()
  const found = catalog.tool('shop_get_ORDER', 'latest')!
  assert.deepEqual(
    [found.tool.name, found.version, found.toolkit.version],
    ['Newest', '20260301_00', '20260301_00'],
  )
  assert.equal(catalog.tool('SHOP_GET_ORDER', '20260115_00')!.tool.name, 'First')
  const first = catalog.tool('SHOP_GET_ORDER', '00000000_00')!
  assert.deepEqual(
    [first.tool.name, first.version, first.toolkit.version],
    ['First', '00000000_00', '20260115_00'],
  )
})

test('catalog: a tool is not found in a version without it', () => {
  const catalog = withHistory()
  assert.equal(catalog.tool('SHOP_NEW', '00000000_00'), undefined)
  assert.equal(catalog.tool('SHOP_GONE', 'latest'), undefined)
  assert.equal(catalog.tool('SHOP_GONE', '00000000_00')!.tool.slug, 'SHOP_GONE')
  for (const [slug, version] of [
    ['SHOP_GET_ORDER', '20260201_00'],
    ['SHOP_GET_ORDER', 'constructor'],
    ['__proto__', 'latest'],
    ['', ''],
    ['SHOP_NO', 'latest'],
  ] as const)
    assert.equal(catalog.tool(slug, version), undefined)
})

test('catalog: `latest` is the newest release, and an unknown version is undefined', () => {
  const catalog = withHistory()
  assert.equal(catalog.resolveVersion('SHOP', 'latest'), '20260301_00')
  assert.equal(catalog.resolveVersion('shop', '00000000_00'), '00000000_00')
  assert.equal(catalog.resolveVersion('shop', '20260115_00'), '20260115_00')
  assert.equal(catalog.resolveVersion('shop', '20260201_00'), undefined, 'a release without its files')
  assert.equal(catalog.resolveVersion('nobody', 'latest'), undefined)
  assert.deepEqual(catalog.availableVersions('shop'), ['00000000_00', '20260115_00', '20260301_00'])
  assert.deepEqual(catalog.availableVersions('nobody'), [])
})

test('catalog: a single release is both the first and the newest', () => {
  const catalog = catalogFromSources([sampleSource()])
  assert.deepEqual(catalog.availableVersions('shop'), ['00000000_00', '20260115_00'])
  assert.equal(
    catalog.tool('SHOP_GET_ORDER', '00000000_00')!.tool,
    catalog.tool('SHOP_GET_ORDER', 'latest')!.tool,
  )
})

test('catalog: an older release must be listed in the manifest', () => {
  const versions = (version: string) => () =>
    catalogFromSources([
      sampleSource({}, [sampleTool()], {
        versions: [{ version, toolkit: sampleToolkit(), tools: { tools: [sampleTool()] } }],
      }),
    ])
  assert.throws(versions('20200101_00'), /is not a release/)
  assert.throws(versions('20260115_00'), /is the newest release/)
})

test('catalog: toolkits are sorted by name, categories by id, and both are immutable', () => {
  const catalog = catalogFromSources([
    {
      ...sampleSource({ slug: 'zed', name: 'alpha', categories: ['crm', 'ai'] }, [
        sampleTool({ slug: 'ZED_A' }),
      ]),
      slug: 'zed',
    },
    sampleSource({ name: 'Beta' }),
  ])
  assert.deepEqual(
    catalog.toolkits.map(({ name }) => name),
    ['alpha', 'Beta'],
  )
  assert.deepEqual(catalog.categories, [
    { id: 'ai', name: 'ai' },
    { id: 'crm', name: 'crm' },
    { id: 'e-commerce', name: 'e commerce' },
  ])
  assert.throws(() => {
    ;(catalog.toolkits as unknown[]).push(1)
  }, TypeError)
  assert.throws(() => {
    ;(catalog.tools.slice(0, 1)[0] as { name: string }).name = 'x'
  }, TypeError)
})

test('catalog: hint tags follow from the effect', () => {
  const tagsOf = (more: Record<string, unknown>, toolkit = {}) =>
    catalogFromSources([sampleSource(toolkit, [sampleTool(more)])]).tools.slice(0, 1)[0]!.tags
  assert.deepEqual(tagsOf({ important: true, tags: ['orders'] }), [
    'important',
    'readOnlyHint',
    'idempotentHint',
    'openWorldHint',
    'orders',
  ])
  assert.deepEqual(tagsOf({ effect: 'create' }), ['createHint', 'openWorldHint'])
  const put = { method: 'PUT', path: '/orders/{id}' }
  assert.deepEqual(tagsOf({ effect: 'update', idempotent: true, open_world: false, request: put }), [
    'updateHint',
    'idempotentHint',
  ])
  assert.deepEqual(tagsOf({ effect: 'delete', request: { ...put, method: 'DELETE' } }), [
    'destructiveHint',
    'idempotentHint',
    'openWorldHint',
  ])
  const get = { method: 'GET', path: '/orders/{id}/run' }
  assert.deepEqual(tagsOf({ effect: 'update', idempotent: true, request: get }), [
    'updateHint',
    'openWorldHint',
  ])
  assert.deepEqual(tagsOf({ effect: 'delete', request: get }), ['destructiveHint', 'openWorldHint'])
  assert.deepEqual(tagsOf({}, { local: true, base_url: undefined, auth: [{ scheme: 'NO_AUTH' }] }), [
    'readOnlyHint',
    'idempotentHint',
  ])
})
