import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { sampleTool, sampleToolkit } from '#fixtures/sample-toolkits.ts'
import { ManifestError } from '../diagnostics.ts'
import { loadCatalog } from './load.ts'

type Json = Record<string, unknown>

async function writeFolder(t: TestContext, files: Json): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toolkits-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries({ 'shop/icon.svg': '<svg/>', ...files })) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

const load = async (t: TestContext, files: Json) =>
  loadCatalog({ folder: await writeFolder(t, files), lint: true })

async function diagnosticsOf(t: TestContext, files: Json): Promise<string[]> {
  try {
    await load(t, files)
    return []
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error
    return error.diagnostics.map(({ file, path, reason }) => `${file} ${path}: ${reason}`)
  }
}

const ID = { type: 'string', description: 'Id.' }
const ORDER = { type: 'object', description: 'An order.', properties: { id: ID } }
const output = (order: unknown) => ({
  type: 'object',
  properties: { order, others: { type: 'array', items: order } },
})
const get = (more: Json = {}) => sampleTool({ output: output(ORDER), ...more })
const list = (more: Json = {}) => sampleTool({ slug: 'SHOP_LIST', output: output(ORDER), ...more })
const REFERENCE = { $ref: '#/$defs/order' }

test('manifests: $defs of tools.json load as if each reference were written out', async (t) => {
  const expected = await load(t, {
    'shop/toolkit.json': sampleToolkit(),
    'shop/tools.json': { tools: [get(), list({ output: output({ ...ORDER, description: 'The order.' }) })] },
  })
  const catalog = await load(t, {
    'shop/toolkit.json': sampleToolkit(),
    'shop/tools.json': {
      $defs: { id: ID, order: { ...ORDER, properties: { id: { $ref: '#/$defs/id' } } } },
      tools: [
        get({ output: output(REFERENCE) }),
        list({ output: output({ ...REFERENCE, description: 'The order.' }) }),
      ],
    },
  })
  assert.deepEqual([...catalog.manifests('shop', 'latest')], [...expected.manifests('shop', 'latest')])
})

test('manifests: unknown, unused and recursive definitions are rejected with their place', async (t) => {
  const toolsFile = ($defs: Json, reference = '#/$defs/order') => ({
    'shop/toolkit.json': sampleToolkit(),
    'shop/tools.json': { $defs, tools: [get({ output: output({ $ref: reference }) })] },
  })
  const at = 'shop/tools.json /tools/0/output/properties/order'
  assert.equal(
    (await diagnosticsOf(t, toolsFile({}, '#/$defs/order')))[0],
    `${at}: \`#/$defs/order\` is not defined.`,
  )
  assert.deepEqual(await diagnosticsOf(t, toolsFile({ order: ORDER, item: ID })), [
    'shop/tools.json /$defs/item: is not used. Remove it.',
  ])
  assert.match(
    (await diagnosticsOf(t, toolsFile({ order: { type: 'array', items: REFERENCE } }))).join('\n'),
    /\$defs\/order\/items: `#\/\$defs\/order` refers to itself/,
  )
  assert.match(
    (await diagnosticsOf(t, toolsFile({ order: ORDER }, '#/x'))).join('\n'),
    /`\$ref` is not allowed/,
  )
})

test('manifests: definitions that double at every level are rejected', async (t) => {
  const $defs = Object.fromEntries(
    Array.from({ length: 40 }, (_, level) => {
      const next = level === 39 ? ID : { $ref: `#/$defs/d${level + 1}` }
      return [`d${level}`, { type: 'object', anyOf: [next, next] }]
    }),
  )
  const diagnostics = await diagnosticsOf(t, {
    'shop/toolkit.json': sampleToolkit(),
    'shop/tools.json': { $defs, tools: [get({ output: output({ $ref: '#/$defs/d0' }) })] },
  })
  assert.match(diagnostics.join('\n'), /more than 50000 schemas/)
})

test('manifests: one file a tool loads as tools.json does, with the definitions of schemas.json', async (t) => {
  const expected = await load(t, {
    'shop/toolkit.json': sampleToolkit(),
    'shop/tools.json': { tools: [get(), list()] },
  })
  const catalog = await load(t, {
    'shop/toolkit.json': sampleToolkit(),
    'shop/schemas.json': { $defs: { order: ORDER } },
    'shop/tools/SHOP_LIST.json': list({ output: output(REFERENCE) }),
    'shop/tools/SHOP_GET_ORDER.json': { $schema: 'x', ...get({ output: output(REFERENCE) }) },
  })
  assert.deepEqual([...catalog.manifests('shop', 'latest')], [...expected.manifests('shop', 'latest')])
  assert.equal(catalog.digest('shop'), expected.digest('shop'))
})

test('manifests: problems of a tool are reported under the file of the tool', async (t) => {
  assert.deepEqual(
    await diagnosticsOf(t, {
      'shop/toolkit.json': sampleToolkit(),
      'shop/tools/SHOP_GET_ORDER.json': get(),
      'shop/tools/SHOP_LIST.json': list({ effect: 'look', slug: 'SHOP_FIND' }),
      'shop/schemas.json': { $defs: { order: ORDER } },
    }),
    [
      'shop/tools/SHOP_LIST.json /slug: must be the name of the file, `SHOP_LIST`.',
      'shop/schemas.json /$defs/order: is not used. Remove it.',
      'shop/tools/SHOP_LIST.json /effect: must be read, create, update, delete.',
    ],
  )
  assert.match(
    (
      await diagnosticsOf(t, {
        'shop/toolkit.json': sampleToolkit(),
        'shop/tools.json': { tools: [get()] },
        'shop/tools/SHOP_LIST.json': list(),
      })
    ).join('\n'),
    /shop\/tools\.json : must not be next to a folder `tools`/,
  )
})

const FAMILY = {
  auth: [
    {
      scheme: 'OAUTH2',
      authorize: { url: 'https://family.example/authorize', params: { prompt: 'consent', hint: 'x' } },
      token: { url: 'https://family.example/token' },
      refresh: { rotates: 'never' },
    },
    { scheme: 'BASIC' },
  ],
  errors: [{ when: { status: 403 }, meaning: 'permission' }],
  rate_limit: { counts: 'app' },
}
const member = (more: Json = {}) => ({
  ...sampleToolkit({ auth: undefined, base_url: 'https://shop.example', ...more }),
})

test('manifests: a toolkit with `extends` loads as if the blocks of its family were written out', async (t) => {
  const [oauth] = FAMILY.auth
  const own = {
    scheme: 'OAUTH2',
    authorize: { params: { hint: null, login: 'y' } },
    scopes: { default: ['a'] },
  }
  const catalog = await load(t, {
    '_families/family.json': FAMILY,
    'shop/toolkit.json': member({ extends: 'family', auth: [own], rate_limit: { concurrency: 4 } }),
    'shop/tools.json': { tools: [get()] },
  })
  assert.deepEqual(catalog.toolkit('shop')!.manifest, {
    ...sampleToolkit({ base_url: 'https://shop.example' }),
    auth: [
      {
        ...oauth,
        authorize: { url: 'https://family.example/authorize', params: { prompt: 'consent', login: 'y' } },
        scopes: { default: ['a'] },
      },
    ],
    errors: FAMILY.errors,
    rate_limit: { counts: 'app', concurrency: 4 },
  })
  assert.equal(catalog.toolkits.length, 1, 'the folder of families is not a toolkit')
})

test('manifests: a toolkit without `auth` has all schemes of its family', async (t) => {
  const catalog = await load(t, {
    '_families/family.json': FAMILY,
    'shop/toolkit.json': member({ extends: 'family' }),
    'shop/tools.json': { tools: [get()] },
  })
  assert.deepEqual(catalog.toolkit('shop')!.manifest.auth, FAMILY.auth)
})

test('manifests: unusable families are rejected, and an older release must not extend one', async (t) => {
  const files = (toolkit: Json, family: unknown = FAMILY) => ({
    '_families/family.json': family,
    'shop/toolkit.json': toolkit,
    'shop/tools.json': { tools: [get()] },
  })
  for (const [manifest, reason] of [
    [files(member({ extends: 'other' })), /_families\/other\.json : is missing/],
    [files(member({ extends: '../shop/toolkit' })), /\/extends: must be the name of a family/],
    [
      files(member({ extends: 'family' }), { ...FAMILY, slug: 'x' }),
      /family\.json \/slug: belongs to a toolkit/,
    ],
    [files(member({ extends: 'family' }), []), /family\.json : must be object/],
    [
      {
        ...files(sampleToolkit()),
        'shop/versions/20250101_00/toolkit.json': member({ extends: 'family' }),
        'shop/versions/20250101_00/tools.json': { tools: [get()] },
      },
      /20250101_00\/toolkit\.json \/extends: is not allowed in an older release/,
    ],
  ] as [Json, RegExp][])
    assert.match((await diagnosticsOf(t, manifest)).join('\n'), reason)
})
