import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differenceOf } from '../versions/difference.ts'
import type { McpListing } from './index.ts'
import { imported, tool, loads, type Json, TEXT } from '#fixtures/mcp-import.ts'

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
