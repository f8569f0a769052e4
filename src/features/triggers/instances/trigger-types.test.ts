import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sampleTrigger } from '#fixtures/sample-toolkits.ts'
import {
  type TriggerType,
  readTriggerType,
  listTriggerTypes,
  listTriggerSlugs,
} from '../../../contract/triggers/index.ts'
import { listToolkits } from '../../../contract/toolkits/index.ts'
import { startTriggerApp } from '#fixtures/triggers.ts'
import { CHOICE } from '#fixtures/trigger-config.ts'

type PresentedType = TriggerType & Record<'config' | 'payload', Record<string, any>>

async function startTriggerTypes(t: TestContext) {
  const s = await startTriggerApp(t, {
    triggers: [
      sampleTrigger({ config: { type: 'object', properties: CHOICE, required: ['section'] } }),
      sampleTrigger({ slug: 'SHOP_OLD', deprecated: true }),
    ],
  })
  const newer = s.as({ 'x-api-key': s.keys.projectApiKey }, 'v3.1')
  return { s, newer }
}

type TriggerTypes = Awaited<ReturnType<typeof startTriggerTypes>>

test('trigger types: listed and read in both formats, in any letter case; toolkits show their number', async (t) => {
  const started = await startTriggerTypes(t)
  const { s, newer } = started
  const old = (await s.call(readTriggerType, { params: { slug: 'shop_new_order' } })).body as PresentedType
  assert.deepEqual(
    [old.slug, old.type, old.version, old.toolkit, old.instructions],
    [
      'SHOP_NEW_ORDER',
      'poll',
      '20260115_00',
      { slug: 'shop', name: 'Shop', logo: 'http://localhost:3900/logos/shop.svg' },
      '',
    ],
  )
  assert.deepEqual(old.config['status'], {
    type: 'enum',
    default: 'open',
    options: ['open', 'shut'],
    description: 'Which.',
    required: false,
    examples: [],
  })
  assert.deepEqual(
    [Object.keys(old.config), old.config['section'].required, old.payload['order'].type],
    [['interval', 'status', 'section'], true, 'integer'],
  )
  const now = (await newer(readTriggerType, { params: { slug: 'SHOP_NEW_ORDER' } })).body as PresentedType
  assert.deepEqual(
    [
      now.config['type'],
      now.config['title'],
      now.config['required'],
      now.payload['title'],
      now.requires_webhook_endpoint_setup,
    ],
    ['object', 'Config', ['section'], 'Payload', false],
  )
  await checkTypeList(started)
})

async function checkTypeList({ s }: TriggerTypes): Promise<void> {
  assert.deepEqual(
    (await s.call(listTriggerTypes, { query: { toolkit_slugs: ['SHOP', 'none'] } })).body.items.map(
      ({ slug }) => slug,
    ),
    ['SHOP_NEW_ORDER'],
  )
  assert.deepEqual(
    [
      (await s.call(listTriggerTypes, { query: { toolkit_slugs: ['none'] } })).body.items,
      (await s.call(listTriggerSlugs)).body,
    ],
    [[], ['SHOP_NEW_ORDER']],
  )
  assert.equal((await s.call(listToolkits)).body.items[0]?.meta.triggers_count, 1)
  for (const [slug, query] of [
    ['SHOP_NONE', {}],
    ['SHOP_NEW_ORDER', { toolkit_versions: '20200101_00' }],
  ] as const) {
    const { status, body } = await s.call(readTriggerType, { params: { slug }, query })
    assert.deepEqual([status, body.error.slug], [404, 'TriggerType_NotFound'])
  }
}
