import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { catalogFromSources, loadCatalog } from './load.ts'
import { ManifestError } from '../diagnostics.ts'
import { SAMPLE_OAUTH, sampleSource, sampleTool, sampleToolkit } from '#fixtures/sample-toolkits.ts'

/** A toolkits folder with these files; gone when the test ends. */
async function folderOf(t: TestContext, files: Record<string, unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toolkits-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

const SOUND = () => ({
  'shop/toolkit.json': sampleToolkit(),
  'shop/tools.json': { tools: [sampleTool()] },
  'shop/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
})

/** The mistakes as `file path: reason`. */
async function mistakesOf(work: () => unknown): Promise<string[]> {
  try {
    await work()
    return []
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error
    return error.diagnostics.map(({ file, path, reason }) => `${file} ${path}: ${reason}`)
  }
}
const load = (folder: string, lint = true) => mistakesOf(() => loadCatalog({ folder, lint }))

async function assertRejected(
  t: TestContext,
  files: Record<string, unknown>,
  ...expected: RegExp[]
): Promise<void> {
  const diagnosticsOf = await load(await folderOf(t, { ...SOUND(), ...files }))
  assert.equal(diagnosticsOf.length, expected.length, diagnosticsOf.join('\n'))
  expected.forEach((pattern) =>
    assert.ok(
      diagnosticsOf.some((one) => pattern.test(one)),
      `${pattern} not in\n${diagnosticsOf.join('\n')}`,
    ),
  )
}

test('manifest loading: a valid folder loads, and plain files and hidden folders are ignored', async (t) => {
  const folder = await folderOf(t, { ...SOUND(), 'README.md': 'x', '.git/config': 'x' })
  const catalog = await loadCatalog({ folder, lint: true })
  assert.deepEqual(
    [...catalog.tools].map(({ slug }) => slug),
    ['SHOP_GET_ORDER'],
  )
  assert.match(catalog.toolkit('shop')!.icon, /^<svg/)
})

test('manifest loading: all diagnostics are reported together, with file, JSON pointer and reason', async (t) => {
  await assertRejected(
    t,
    {
      'shop/toolkit.json': sampleToolkit({ slug: 'store', nam: 'x', name: undefined }),
      'shop/tools.json': { tools: [sampleTool({ effect: 'look' })] },
      'empty/icon.svg': '<svg/>',
    },
    /shop\/toolkit\.json : unknown key `nam`/,
    /shop\/toolkit\.json : `name` is missing/,
    /shop\/tools\.json \/tools\/0\/effect: must be read, create, update, delete/,
    /empty\/toolkit\.json : is missing/,
  )
})

test('manifest loading: a toolkit without tools has its accounts and raw requests', async (t) => {
  const { 'shop/tools.json': _, ...files } = SOUND()
  const catalog = await loadCatalog({ folder: await folderOf(t, files), lint: true })
  assert.deepEqual(catalog.toolkit('shop')!.tools, [])
  assert.ok(catalog.toolkit('shop')!.schemes.length > 0)
})

test('manifest loading: an underscore may stand before a digit of a slug, and __proto__ is no slug', async (t) => {
  const toolkitNamed = (slug: string) => ({
    [`${slug}/toolkit.json`]: sampleToolkit({ slug }),
    [`${slug}/icon.svg`]: SOUND()['shop/icon.svg'],
  })
  const catalog = await loadCatalog({ folder: await folderOf(t, toolkitNamed('_2go')), lint: true })
  assert.ok(catalog.toolkit('_2go'))
  assert.match(
    (await load(await folderOf(t, toolkitNamed('__proto__')))).join(),
    /must begin with a letter, a digit/,
  )
})

test('manifest loading: the error of a failed start says what to do', () => {
  assert.throws(
    () => catalogFromSources([sampleSource({ slug: 'x' })]),
    (error: ManifestError) =>
      error.name === 'ManifestError' &&
      error.exitCode === 1 &&
      error.fix.length > 0 &&
      error.message.includes('shop/toolkit.json /slug'),
  )
})

test('manifest loading: a file that is not JSON is reported as a diagnostic', async (t) => {
  await assertRejected(
    t,
    { 'shop/tools.json': '{"tools": [', 'shop/toolkit.json': '' },
    /shop\/tools\.json : is not JSON/,
    /shop\/toolkit\.json : is not JSON/,
  )
})

test('manifest loading: the error for a missing folder says which setting to change', async () => {
  await assert.rejects(
    loadCatalog({ folder: '/nowhere/toolkits' }),
    (error: Error) => error.name === 'StartupError' && error.message.includes('/nowhere/toolkits'),
  )
})

test('manifest loading: prototype keys, deep nesting and wrong types are rejected', async (t) => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000)
  await assertRejected(
    t,
    {
      'shop/toolkit.json': JSON.stringify(sampleToolkit()).replace(
        '"name"',
        '"__proto__":{"polluted":1},"name"',
      ),
    },
    /toolkit\.json : must not use the key `__proto__`/,
  )
  await assertRejected(
    t,
    { 'shop/tools.json': `{"tools":${deep}}` },
    /tools\.json : (is nested deeper|is not JSON)/,
  )
  for (const value of ['null', '7', '"x"', '[]', '1e999'])
    await assertRejected(t, { 'shop/tools.json': value }, /tools\.json : must be object/)
  await assertRejected(
    t,
    { 'shop/toolkit.json': sampleToolkit({ constructor: 1 }) },
    /unknown key `constructor`/,
  )
  await assertRejected(
    t,
    { 'shop/toolkit.json': sampleToolkit({ request: { timeout_seconds: 1e300 } }) },
    /timeout_seconds: must be/,
  )
  assert.equal((Object.prototype as { polluted?: unknown }).polluted, undefined)
})

test('manifest loading: a link that leads out of the folder is rejected', async (t) => {
  const outside = await folderOf(t, {
    'secret.json': sampleToolkit(),
    'other/toolkit.json': sampleToolkit({ slug: 'other' }),
    'other/tools.json': { tools: [sampleTool()] },
  })
  const folder = await folderOf(t, SOUND())
  await symlink(join(outside, 'other'), join(folder, 'other'))
  await rm(join(folder, 'shop/toolkit.json'))
  await symlink(join(outside, 'secret.json'), join(folder, 'shop/toolkit.json'))
  assert.deepEqual((await load(folder, false)).map((one) => one.replace(/:.*/, '')).sort(), [
    'other ',
    'shop/toolkit.json ',
  ])
})

const INVALID_MANIFESTS: [Record<string, unknown>, RegExp][] = [
  [{ slug: 'STORE_GET' }, /\/tools\/0\/slug: must begin with `SHOP_`/],
  [{ request: undefined }, /needs one of `request`, `mcp` and/],
  [{ run: 'code' }, /needs one of `request`, `mcp` and|no tools\.ts/],
  [{ mcp: { tool: 'x' } }, /needs one of `request`, `mcp` and/],
  [
    { request: undefined, mcp: { tool: 'x', headers: { 'a b': 'id' } } },
    /headers\/a b: is not a valid header name/,
  ],
  [{ request: undefined, mcp: { tool: 'x', headers: { A: 'id', a: 'id' } } }, /declares a header twice/],
  [
    { request: undefined, mcp: { tool: 'x', headers: { A: 'nobody.x' } } },
    /`nobody\.x` is not a property of the input/,
  ],
  [{ request: undefined, mcp: { tool: 'x', path: '/y' } }, /unknown key `path`/],
  [
    { request: { method: 'GET', path: '/orders/{id}', query: ['limit'] } },
    /query\/0: `limit` is not a property/,
  ],
  [{ request: { method: 'GET', path: '/orders/{id}/{nobody}' } }, /`nobody` is neither a property/],
  [{ request: { method: 'GET', path: '/orders' } }, /properties\/id: is not used/],
  [{ request: { method: 'GET', path: '{id}' } }, /must begin with `\/`/],
  [{ request: { method: 'GET', path: 'https://{id}.x/' } }, /must not have an argument in the host/],
  [{ request: { method: 'GET', path: '/a/../{id}' } }, /dot|`\.\.` segment/],
  [{ request: { method: 'GET', path: '/{id' } }, /is not a placeholder/],
  [
    { request: { method: 'GET', path: '/{id}', body: { a: { $: 'id', as: 'xml' } } } },
    /body\/a\/as: must be one of/,
  ],
  [
    {
      input: {
        type: 'object',
        properties: { id: { type: 'string', description: 'x' } },
        required: ['id', 'id', 'no'],
      },
    },
    /lists a property twice/,
  ],
  [
    { input: { type: 'object', properties: { id: { type: 'text', description: 'x' } } } },
    /not a valid JSON Schema/,
  ],
  [{ input: { type: 'object', properties: { id: { type: 'string' } } } }, /`id` needs a description/],
  [
    { input: { type: 'object', properties: { id: { $ref: '#/x', description: 'x' } } } },
    /`\$ref` is not allowed/,
  ],
  [
    { input: { type: 'object', properties: { id: { description: 'x', typ: 'string' } } } },
    /not a valid JSON Schema/,
  ],
  [{ input: { properties: { id: { type: 'string', description: 'x' } } } }, /input\/type: must be `object`/],
  [{ no_auth: true, request: { method: 'GET', path: '/{id}/{subdomain}' } }, /`subdomain` is neither/],
]

test('manifest checks: invalid tools are rejected with the reason', async (t) => {
  for (const [more, pattern] of INVALID_MANIFESTS) {
    const diagnosticsOf = await load(
      await folderOf(t, { ...SOUND(), 'shop/tools.json': { tools: [sampleTool(more)] } }),
    )
    assert.ok(
      diagnosticsOf.some((one) => pattern.test(one)),
      `${pattern} not in\n${diagnosticsOf.join('\n')}`,
    )
  }
  await assertRejected(
    t,
    { 'shop/tools.json': { tools: [sampleTool(), sampleTool()] } },
    /tool SHOP_GET_ORDER is declared twice; keep one/,
  )
})

test('manifest checks: two toolkits cannot have the same tool slug', async (t) => {
  await assertRejected(
    t,
    {
      'shop_x/toolkit.json': sampleToolkit({ slug: 'shop_x' }),
      'shop_x/tools.json': { tools: [sampleTool({ slug: 'SHOP_X_GET' })] },
      'shop_x/icon.svg': '<svg/>',
      'shop/tools.json': { tools: [sampleTool({ slug: 'SHOP_X_GET' })] },
    },
    /also a tool of `shop`/,
  )
})

const oauth = (more: Record<string, unknown>) => ({ auth: [{ ...SAMPLE_OAUTH, ...more }] })

const INVALID_AUTH: [Record<string, unknown>, RegExp][] = [
  [
    {
      releases: [
        { version: '20260115_00', changes: 'x' },
        { version: '20260115_01', changes: 'y' },
      ],
    },
    /releases\/1\/version: must be older/,
  ],
  [{ releases: [{ version: '20261340_00', changes: 'x' }] }, /must begin with a date/],
  [
    {
      releases: [
        { version: '20260215_00', changes: 'x' },
        { version: '20260115_00', changes: 'y' },
      ],
    },
    /first release are missing/,
  ],
  [{ categories: ['a', 'a'] }, /lists a category twice/],
  [{ created: '2026-02-30' }, /created: is not a date/],
  [{ auth: [{ scheme: 'API_KEY' }], base_url: 'https://x.example' }, /auth\/0: `apply` is missing/],
  [{ auth: [{ scheme: 'MAGIC' }] }, /`scheme` must be one of/],
  [{ auth: [{ scheme: 'BASIC', sign: 1 }], base_url: 'https://x.example' }, /auth\/0: unknown key `sign`/],
  [{ base_url: 'https://{region}.example' }, /base_url: no field, token or captured value is named `region`/],
  [
    { request: { headers: { a: '{toString}' } } },
    /request\/headers\/a: no field, token or captured value is named/,
  ],
  [
    { ...oauth({ apply: { headers: { a: '{acces_token}' } } }) },
    /no field, token or captured value is named `acces_token`/,
  ],
  [{ ...oauth({ refresh: {} }) }, /refresh: declare how a refresh token is requested/],
  [{ ...oauth({ base_url: undefined }), base_url: undefined }, /`base_url` is missing/],
  [{ auth: [SAMPLE_OAUTH, SAMPLE_OAUTH] }, /auth\/1: scheme OAUTH2 is declared twice; keep one/],
  [
    {
      auth: [
        {
          scheme: 'BEARER_TOKEN',
          fields: {
            omit: ['tokn'],
            connected_account_initiation: [{ name: 'a', display_name: 'A', description: 'x', pattern: '(' }],
          },
        },
      ],
      base_url: 'https://x.example',
    },
    /`tokn` is not a field/,
  ],
  [
    {
      auth: [
        {
          scheme: 'BEARER_TOKEN',
          fields: {
            connected_account_initiation: [
              { name: 'a', display_name: 'A', description: 'x', multiline: true, enum: ['a'] },
            ],
          },
        },
      ],
      base_url: 'https://x.example',
    },
    /multiline: is for free text only/,
  ],
  [
    {
      auth: [
        {
          scheme: 'BEARER_TOKEN',
          fields: {
            connected_account_initiation: [
              { name: 'a', display_name: 'A', description: 'x', multiline: true, prefix: 'https://' },
            ],
          },
        },
      ],
      base_url: 'https://x.example',
    },
    /multiline: is for free text only/,
  ],
  [
    {
      auth: [
        {
          scheme: 'BEARER_TOKEN',
          fields: {
            connected_account_initiation: [
              { name: 'a', display_name: 'A', description: 'x', multiline: true, type: 'number' },
            ],
          },
        },
      ],
      base_url: 'https://x.example',
    },
    /multiline: is for free text only/,
  ],
  [
    {
      auth: [
        {
          scheme: 'BEARER_TOKEN',
          fields: {
            connected_account_initiation: [
              { name: 'a', display_name: 'A', description: 'x', multiline: 'yes' },
            ],
          },
        },
      ],
      base_url: 'https://x.example',
    },
    /multiline: must be/,
  ],
  [
    {
      auth: [
        {
          scheme: 'BEARER_TOKEN',
          base_url: 'https://{a}.x',
          fields: {
            connected_account_initiation: [
              { name: 'a', display_name: 'A', description: 'x', required: false },
            ],
          },
        },
      ],
    },
    /`a` can be empty/,
  ],
]

test('manifest checks: invalid toolkits and auth schemes are rejected with the reason', async (t) => {
  for (const [more, pattern] of INVALID_AUTH) {
    const diagnosticsOf = await load(
      await folderOf(t, { ...SOUND(), 'shop/toolkit.json': sampleToolkit(more) }),
      false,
    )
    assert.ok(
      diagnosticsOf.some((one) => pattern.test(one)),
      `${pattern} not in\n${diagnosticsOf.join('\n')}`,
    )
  }
})

test('manifest checks: an icon with scripts or external references is rejected', async (t) => {
  for (const icon of [
    '<svg><script>1</script></svg>',
    '<svg onload="x"/>',
    '<svg><a href="https://x"/></svg>',
    '<html/>',
    '<!DOCTYPE x><svg/>',
    '<svg fill="url(https://x)"/>',
  ]) {
    const diagnosticsOf = await load(await folderOf(t, { ...SOUND(), 'shop/icon.svg': icon }))
    assert.ok(diagnosticsOf.length > 0 && diagnosticsOf.every((one) => one.startsWith('shop/icon.svg')), icon)
  }
})

test('code tools: the module is imported at its first use, and the check reports a missing one', async (t) => {
  const tool = sampleTool({ slug: 'SHOP_ADD', request: undefined, run: 'code' })
  const files = { ...SOUND(), 'shop/tools.json': { tools: [tool] }, 'package.json': '{"type":"module"}' }
  const sound = await folderOf(t, {
    ...files,
    'shop/tools.ts':
      'globalThis.imported = 1 + (globalThis.imported ?? 0)\nexport const tools = { SHOP_ADD: (args: { ' +
      'id: string }) => args.id }',
  })
  const catalog = await loadCatalog({ folder: sound })
  const code = catalog.tool('SHOP_ADD', 'latest')!.tool.code!
  assert.equal((globalThis as { imported?: number }).imported, undefined)
  assert.equal((await code())({ id: 'x' }, {} as never), 'x')
  assert.equal(await code(), await code())
  assert.equal((globalThis as { imported?: number }).imported, 1)
  const unsound = await folderOf(t, {
    ...files,
    'shop/tools.ts': 'export const tools = { SHOP_SUB: () => 1 }',
  })
  assert.equal((await load(unsound)).length, 2)
  assert.equal((await load(unsound, false)).length, 0)
})

test('manifest checks: a callback value selects a host only with a pattern', async () => {
  const auth = (capture: unknown, token = 'https://{place}/token') => [
    {
      scheme: 'OAUTH2',
      authorize: { url: 'https://a.example/authorize' },
      token: { url: token },
      refresh: { rotates: 'never' },
      callback: { capture: { place: capture } },
    },
  ]
  const wrong = (entries: unknown[], base = 'https://api.example') => {
    try {
      catalogFromSources([sampleSource({ base_url: base, auth: entries }, [sampleTool()])])
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }
  assert.match(wrong(auth('place')), /`place` comes from the callback and selects a host/)
  assert.match(
    wrong(auth('place', 'https://a.example/token'), 'https://{place}.api.example'),
    /base_url.*`place` comes from the callback/,
  )
  assert.match(wrong(auth({ param: 'place', pattern: '(' })), /has a `\(` without its/)
  assert.equal(wrong(auth({ param: 'place', pattern: '[a-z]+\\.a\\.example' })), '')
  assert.equal(wrong(auth('place', 'https://a.example/{place}/token')), '')
})
