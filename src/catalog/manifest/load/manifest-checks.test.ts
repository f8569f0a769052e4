import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogFromSources } from './load.ts'
import { sampleTool, sampleToolkit, SAMPLE_OAUTH, sampleSource } from '#fixtures/sample-toolkits.ts'
import { load, folderOf, SOUND, assertRejected } from '#fixtures/manifest-folders.ts'

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
