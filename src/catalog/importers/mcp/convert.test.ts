import assert from 'node:assert/strict'
import { test } from 'node:test'
import formats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { catalogFromSources } from '../../manifest/load/load.ts'
import { differenceOf, type ImportOptions, ImportRejected } from '../index.ts'
import { convertMcp, type McpListing } from './index.ts'

type Json = Record<string, any>

const TEXT = { type: 'string' }
const tool = (name: string, more: Json = {}): Json => ({
  name,
  description: 'Does something that is worth a sentence.',
  inputSchema: {
    type: 'object',
    properties: { text: TEXT },
    required: ['text'],
    additionalProperties: false,
  },
  ...more,
})
const listing = (tools: unknown[], more: Partial<McpListing> = {}): McpListing => ({
  address: 'https://mcp.shop.example/mcp',
  revision: '2025-11-25',
  serverInfo: { name: 'shop', version: '1.4.0' },
  instructions: 'Sells things to people who want things.',
  tools,
  signIn: { anonymous: true, resource: 'https://mcp.shop.example/mcp', headers: [], query: [] },
  ...more,
})
const imported = (tools: unknown[], more: Partial<McpListing> = {}, options: ImportOptions = {}) =>
  convertMcp(listing(tools, more), options)
const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allowUnionTypes: true,
  addUsedSchema: false,
})
formats.default(ajv)

/** As any toolkit is loaded; every input compiles. */
function loads({ toolkit, tools }: ReturnType<typeof convertMcp>) {
  for (const { input, output } of tools) {
    ajv.compile(input)
    ajv.compile(output)
  }
  return catalogFromSources([
    {
      slug: toolkit.slug,
      toolkit: {
        ...toolkit,
        created: '2026-01-01',
        releases: [{ version: '20260101_00', changes: 'First.' }],
      },
      tools: { tools },
      icon: '<svg/>',
    },
  ])
}
const only = (more: Json) => imported([tool('act', more)]).tools[0]!

test('MCP import: a server becomes a toolkit with a readable name and unchanged tool descriptions', () => {
  const made = imported([
    tool('search_docs', {
      title: 'Search the docs',
      annotations: { readOnlyHint: true, openWorldHint: false },
    }),
    tool('createOrder'),
  ])
  assert.deepEqual(made.toolkit, {
    slug: 'shop_mcp',
    name: 'Shop',
    description: 'Sells things to people who want things.',
    categories: ['imported'],
    base_url: 'https://mcp.shop.example/mcp',
    auth: [{ scheme: 'NO_AUTH' }],
  })
  assert.deepEqual(made.tools[0], {
    slug: 'SHOP_MCP_SEARCH_DOCS',
    name: 'Search the docs',
    human_description: 'Search the docs',
    description: 'Does something that is worth a sentence.',
    effect: 'read',
    open_world: false,
    input: {
      type: 'object',
      properties: { text: { type: 'string', description: 'Text.' } },
      required: ['text'],
      additionalProperties: false,
    },
    output: { type: 'object' },
    mcp: { tool: 'search_docs' },
  })
  assert.deepEqual(
    [made.tools[1]!.slug, made.tools[1]!.name, made.tools[1]!.effect],
    ['SHOP_MCP_CREATE_ORDER', 'Create order', 'create'],
  )
  assert.deepEqual(
    [made.report.version, made.origins],
    [
      '1.4.0',
      { 'tools/call search_docs': 'SHOP_MCP_SEARCH_DOCS', 'tools/call createOrder': 'SHOP_MCP_CREATE_ORDER' },
    ],
  )
  loads(made)
  for (const [serverInfo, address, slug, name] of [
    [{ name: 'github-mcp-server' }, undefined, 'github_mcp', 'Github MCP Server'],
    [{ name: 'x', title: 'Linear' }, undefined, 'linear_mcp', 'Linear'],
    [{ name: 'mcp-server' }, 'https://mcp.linear.app/mcp', 'linear_mcp', 'Linear'],
    [null, 'http://127.0.0.1:8/mcp', 'remote_mcp', 'MCP server'],
    [{ name: 7, title: ['x'] }, 'https://api.acme.co.uk/', 'acme_mcp', 'Acme'],
    [{ name: '🎉' }, undefined, 'api_mcp', '🎉'],
  ] as const) {
    const { toolkit } = imported([tool('a')], { serverInfo, ...(address && { address }) })
    assert.deepEqual([toolkit.slug, toolkit.name], [slug, name])
  }
})

test('MCP import: hints set the effect, and a tool name can only make it more dangerous', () => {
  for (const [name, annotations, effect, idempotent] of [
    ['list', { readOnlyHint: true }, 'read', undefined],
    ['list', undefined, 'update', undefined],
    ['list', { readOnlyHint: false }, 'update', undefined],
    ['delete_all', { readOnlyHint: true }, 'delete', false],
    ['deleteAll', { readOnlyHint: true, destructiveHint: true }, 'delete', false],
    ['list_dropped', { readOnlyHint: true }, 'read', undefined],
    ['get_drop_off', { readOnlyHint: true }, 'read', undefined],
    ['run', { destructiveHint: true }, 'delete', false],
    ['run', { destructiveHint: true, idempotentHint: true }, 'delete', true],
    ['run', { destructiveHint: false, idempotentHint: true }, 'update', true],
    ['add_item', { destructiveHint: false }, 'create', undefined],
    ['remove_item', undefined, 'delete', false],
    ['send', {}, 'create', undefined],
    ['x', { readOnlyHint: 'yes' }, 'update', undefined],
  ] as [string, Json | undefined, string, boolean | undefined][]) {
    const made = imported([tool(name, { annotations })]).tools[0]!
    assert.deepEqual(
      [name, annotations, made.effect, made.idempotent],
      [name, annotations, effect, idempotent],
    )
  }
})

/** The schema of a server, and what the tool takes. */
const INPUT_SCHEMAS = [
  [{ type: 'object' }, { type: 'object', properties: {}, additionalProperties: true }],
  [
    { type: 'object', properties: {} },
    { type: 'object', properties: {}, additionalProperties: false },
  ],
  [
    { type: 'object', additionalProperties: false },
    { type: 'object', properties: {}, additionalProperties: false },
  ],
  [
    { type: 'object', properties: { a: TEXT }, additionalProperties: { type: 'integer' } },
    {
      type: 'object',
      properties: { a: { type: 'string', description: 'A.' } },
      additionalProperties: { type: 'integer' },
    },
  ],
  [
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $ref: '#/definitions/In',
      definitions: {
        In: {
          type: 'object',
          properties: { n: { $ref: '#/definitions/N' } },
          required: ['n'],
          additionalProperties: false,
        },
        N: { type: 'integer', minimum: 1, description: 'How many.' },
      },
    },
    {
      type: 'object',
      properties: { n: { type: 'integer', minimum: 1, description: 'How many.' } },
      required: ['n'],
      additionalProperties: false,
    },
  ],
  [
    {
      type: 'object',
      $defs: { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } } },
      properties: { node: { $ref: '#/$defs/Node' } },
    },
    {
      type: 'object',
      properties: {
        node: {
          type: 'object',
          properties: {
            next: { type: 'object', description: 'Again an object of the kind that holds it.' },
          },
          description: 'Node.',
        },
      },
      additionalProperties: false,
    },
  ],
  [
    { allOf: [{ type: 'object', properties: { a: TEXT }, required: ['a'] }, { properties: { b: TEXT } }] },
    {
      type: 'object',
      properties: { a: { type: 'string', description: 'A.' }, b: { type: 'string', description: 'B.' } },
      required: ['a'],
      additionalProperties: false,
    },
  ],
  [
    {
      type: 'object',
      oneOf: [
        { properties: { a: TEXT, k: TEXT }, required: ['a', 'k'] },
        { properties: { b: TEXT, k: TEXT }, required: ['b', 'k'] },
      ],
    },
    {
      type: 'object',
      properties: {
        a: { type: 'string', description: 'A.' },
        k: { type: 'string', description: 'K.' },
        b: { type: 'string', description: 'B.' },
      },
      required: ['k'],
      additionalProperties: true,
    },
  ],
  [
    {
      type: 'object',
      properties: {
        far: { $ref: 'https://evil.example/schema.json' },
        p: { type: 'string', pattern: '^(a+)+$', default: 'a' },
      },
    },
    {
      type: 'object',
      properties: {
        far: { description: 'Far.' },
        p: { type: 'string', description: 'P. Default: a. Pattern: ^(a+)+$' },
      },
      additionalProperties: false,
    },
  ],
  [
    { type: 'object', properties: { 'odd name': TEXT, constructor: TEXT } },
    {
      type: 'object',
      properties: {
        'odd name': { type: 'string', description: 'Odd name.' },
        constructor: { type: 'string', description: 'Constructor.' },
      },
      additionalProperties: false,
    },
  ],
] as [Json, Json][]

test('MCP import: schemas of every draft become input schemas that compile', () => {
  for (const [inputSchema, expected] of INPUT_SCHEMAS) {
    const made = imported([tool('act', { inputSchema })])
    assert.deepEqual(made.tools[0]!.input, expected, JSON.stringify(inputSchema))
    loads(made)
  }
  assert.deepEqual(
    only({
      outputSchema: {
        type: 'array',
        items: { $ref: '#/$defs/I' },
        $defs: { I: { type: 'object', properties: { id: TEXT } } },
      },
    }).output,
    {
      type: 'object',
      properties: { items: { type: 'array', items: { type: 'object', properties: { id: TEXT } } } },
    },
  )
})

test('MCP import: header arguments are marked, and a tool with an invalid mark is skipped', () => {
  const marked = (properties: Json, more: Json = {}) =>
    imported([tool('fine'), tool('act', { inputSchema: { type: 'object', properties, ...more } })])
  assert.deepEqual(
    marked({
      region: { ...TEXT, 'x-mcp-header': 'Region' },
      at: { type: 'object', properties: { n: { type: 'integer', 'x-mcp-header': 'N' } } },
    }).tools[1]!.mcp,
    { tool: 'act', headers: { Region: 'region', N: 'at.n' } },
  )
  for (const [properties, more] of [
    [{ a: { ...TEXT, 'x-mcp-header': 'a b' } }],
    [{ a: { ...TEXT, 'x-mcp-header': '' } }],
    [{ a: { type: 'number', 'x-mcp-header': 'A' } }],
    [{ a: { ...TEXT, 'x-mcp-header': 'A' }, b: { ...TEXT, 'x-mcp-header': 'a' } }],
    [{ 'a.b': { ...TEXT, 'x-mcp-header': 'A' } }],
    [{ a: { type: 'array', items: { ...TEXT, 'x-mcp-header': 'A' } } }],
    [{}, { $defs: { D: { ...TEXT, 'x-mcp-header': 'A' } } }],
    [{ a: { ...TEXT, 'x-mcp-header': 'A\r\nx: y' } }],
  ] as [Json, Json?][])
    assert.deepEqual(
      marked(properties, more).report.refused.map(({ cause }) => cause),
      ['not_readable'],
      JSON.stringify(properties),
    )
  assert.deepEqual(marked({ 'x-mcp-header': TEXT }).report.refused, [])
})

test('MCP import: slugs are short, unique and stable across imports', () => {
  const long = 'x'.repeat(200)
  const names = [
    'get-item',
    'get_item',
    'getItem',
    long,
    `${long}y`,
    '検索',
    '検査',
    'a/b',
    'admin.tools.list',
  ]
  const first = imported(names.map((name) => tool(name)))
  const slugs = first.tools.map(({ slug }) => slug)
  assert.equal(new Set(slugs).size, names.length)
  for (const slug of slugs) assert.match(slug, /^SHOP_MCP_[A-Z0-9_]{1,55}$/)
  assert.deepEqual(
    first.tools.map(({ mcp }) => mcp!.tool),
    names,
  )
  const former = new Map(Object.entries(first.origins))
  const again = imported(
    [
      tool('get item'),
      ...names.toReversed().map((name) => tool(name, { annotations: { readOnlyHint: true } })),
    ],
    {},
    { former },
  )
  assert.deepEqual(
    again.tools.slice(1).map(({ slug }) => slug),
    slugs.toReversed(),
  )
  const { added, removed, changed } = differenceOf(
    first,
    imported(
      [
        tool('get-item', {
          inputSchema: { type: 'object', properties: { text: TEXT, more: TEXT }, required: ['text', 'more'] },
        }),
        tool('new'),
      ],
      {},
      { former },
    ),
  )
  assert.deepEqual(
    [added, removed.length, changed.map(({ breaking }) => breaking)],
    [['SHOP_MCP_NEW'], names.length - 1, [['`more` is new and required.']]],
  )
  loads(first)
})

const server = {
  issuer: 'https://as.example',
  authorizationEndpoint: 'https://as.example/{a}',
  tokenEndpoint: 'https://as.example/t',
}

const needs = { anonymous: false, resource: 'https://mcp.shop.example/mcp', headers: [], query: [] }

const SIGN_INS = [
  [{ ...needs }, [{ scheme: 'BEARER_TOKEN' }]],
  [{ ...needs, challenge: 'basic' }, [{ scheme: 'BASIC' }, { scheme: 'BEARER_TOKEN' }]],
  [
    {
      ...needs,
      scopes: ['a'],
      scopesSupported: ['a', 'b'],
      server: { ...server, registrationEndpoint: 'https://as.example/r' },
    },
    [{ scheme: 'DCR_OAUTH', scopes: { default: ['a'], available: ['a', 'b'] } }, { scheme: 'BEARER_TOKEN' }],
  ],
  [
    { ...needs, server: { ...server, revocationEndpoint: 'https://as.example/x', authMethods: ['none'] } },
    [
      {
        scheme: 'OAUTH2',
        authorize: { url: 'https://as.example/{{a}' },
        token: { url: 'https://as.example/t' },
        refresh: { rotates: 'sometimes' },
        client_auth: 'none',
        resource: 'https://mcp.shop.example/mcp',
        revoke: { url: 'https://as.example/x' },
      },
      { scheme: 'BEARER_TOKEN' },
    ],
  ],
  [
    { ...needs, headers: [{ name: 'x-api-key' }, { name: 'x-tenant' }], query: ['token'] },
    [
      {
        scheme: 'API_KEY',
        fields: {
          connected_account_initiation: [
            {
              name: 'x_tenant',
              display_name: 'X tenant',
              description: 'Value of `x-tenant`.',
              secret: true,
            },
            { name: 'token', display_name: 'Token', description: 'Value of `token`.', secret: true },
          ],
        },
        apply: {
          headers: { 'x-api-key': '{generic_api_key}', 'x-tenant': '{x_tenant}' },
          query: { token: '{token}' },
        },
      },
      { scheme: 'BEARER_TOKEN' },
    ],
  ],
  [
    { ...needs, headers: [{ name: 'authorization', word: 'Token' }] },
    [{ scheme: 'BEARER_TOKEN', apply: { headers: { authorization: 'Token {token}' } } }],
  ],
  [{ ...needs, anonymous: true, headers: [{ name: 'accept-language' }] }, [{ scheme: 'NO_AUTH' }]],
  [
    { ...needs, anonymous: true, server: { ...server, registrationEndpoint: 'https://as.example/r' } },
    [{ scheme: 'DCR_OAUTH' }, { scheme: 'BEARER_TOKEN' }],
  ],
] as [McpListing['signIn'], Json[]][]

test('MCP import: auth schemes come from the server, from the import request, and a token', () => {
  for (const [signIn, expected] of SIGN_INS) {
    const made = imported([tool('a')], { signIn })
    assert.deepEqual(JSON.parse(JSON.stringify(made.toolkit.auth)), expected)
    loads(made)
  }
  assert.deepEqual(imported([tool('a')], {}, { auth: [{ scheme: 'BASIC' }] }).toolkit.auth, [
    { scheme: 'BASIC' },
  ])
})

test('MCP import: unusable tools are skipped with the cause, and a server without tools is rejected', () => {
  const { report, tools } = imported([
    null,
    7,
    {},
    tool(''),
    tool('x'.repeat(300)),
    tool('a\nb'),
    tool('good'),
    tool('good'),
    tool('no', { inputSchema: undefined }),
    tool('task', { execution: { taskSupport: 'required' } }),
    tool('deep', { inputSchema: JSON.parse(`${'{"properties":{"a":'.repeat(150)}{}${'}}'.repeat(150)}`) }),
  ])
  assert.deepEqual(
    [tools.map(({ slug }) => slug), report.refused.map(({ cause }) => cause)],
    [
      ['SHOP_MCP_GOOD'],
      [...Array(6).fill('unsafe_name'), 'unsafe_name', 'not_readable', 'unsupported_method', 'too_large'],
    ],
  )
  for (const tools of [[], [null]])
    assert.throws(
      () => imported(tools),
      (error: ImportRejected) => error.why === 'no_operations',
    )
  const many = imported([
    tool('wide', {
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 900 }, (_, index) => [
            `p${index}`,
            { type: 'string', description: 'Long words. '.repeat(40) },
          ]),
        ),
      },
    }),
  ])
  assert.ok(JSON.stringify(many.tools).length < 110_000)
})

const base = tool('act', {
  title: 'Act',
  annotations: { readOnlyHint: true },
  outputSchema: {
    type: 'object',
    properties: { a: { $ref: '#/$defs/A' } },
    $defs: { A: { anyOf: [{ $ref: '#' }, TEXT] } },
  },
  inputSchema: {
    type: 'object',
    $defs: { A: { allOf: [{ $ref: '#/$defs/A' }] } },
    properties: { a: { $ref: '#/$defs/A' }, b: { type: ['string', 'null'], enum: ['x', null] } },
    required: ['a'],
  },
})

const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    null,
    [],
    {},
    '',
    -1,
    '{',
    '{x}',
    '#',
    '__proto__',
    { $ref: '#' },
    { $ref: 5 },
    { __proto__: null, 'x-mcp-header': 'A' },
    true,
  ),
)

test('MCP import: any tool list is rejected or gives a toolkit that loads', () => {
  const places: string[][] = []
  const visit = (value: unknown, at: string[]) => {
    if (value !== null && typeof value === 'object')
      for (const [key, inner] of Object.entries(value)) {
        places.push([...at, key])
        visit(inner, [...at, key])
      }
  }
  visit(base, [])
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...places), junk), { minLength: 1, maxLength: 4 }),
      fc.jsonValue({ maxDepth: 2 }),
      (spoilt, info) => {
        const copy = structuredClone(base)
        for (const [path, value] of spoilt) {
          const parent = path
            .slice(0, -1)
            .reduce<unknown>(
              (at, key) => (at !== null && typeof at === 'object' ? (at as Json)[key] : undefined),
              copy,
            )
          if (parent !== null && typeof parent === 'object') (parent as Json)[path.at(-1)!] = value
        }
        try {
          loads(imported([copy, tool('other')], { serverInfo: info, instructions: info }))
        } catch (error) {
          if (!(error instanceof ImportRejected)) throw error
        }
      },
    ),
    { numRuns: 300 },
  )
})
