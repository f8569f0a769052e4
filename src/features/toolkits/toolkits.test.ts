import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { catalogFromSources } from '../../catalog/index.ts'
import { sampleSource, sampleTool, sampleToolkit } from '#fixtures/sample-toolkits.ts'
import {
  listToolkitCategories,
  listToolkits,
  listToolkitsMulti,
  readToolkit,
  readToolkitChangelog,
  type ToolkitFilters,
} from '../../contract/toolkits/index.ts'
import { executeTool } from '../../contract/tools/index.ts'
import { legacyToolkitId } from './present.ts'

const VERSIONS = Array.from({ length: 12 }, (_, n) => `202603${String(12 - n).padStart(2, '0')}_00`)
const AUTH = [
  {
    scheme: 'OAUTH2',
    name: 'Shop sign-in',
    hint_url: 'https://docs.shop.example/oauth',
    authorize: { url: 'https://shop.example/authorize' },
    token: { url: 'https://shop.example/token' },
    scopes: { default: ['orders'], available: ['orders', 'customers'] },
    fields: {
      connected_account_initiation: [
        {
          name: 'subdomain',
          display_name: 'Store',
          description: 'xyz in xyz.shop.example.',
          legacy_template_name: 'shop',
        },
      ],
    },
  },
]

function example() {
  const other = (slug: string, more: Record<string, unknown> = {}, tools = 1) => ({
    slug,
    icon: '<svg/>',
    toolkit: sampleToolkit({
      slug,
      name: slug,
      categories: ['communication'],
      base_url: 'https://x.example',
      auth: [{ scheme: 'NO_AUTH' }],
      ...more,
    }),
    tools: {
      tools: Array.from({ length: tools }, (_, n) => sampleTool({ slug: `${slug.toUpperCase()}_T${n}` })),
    },
  })
  const shop = (versions: string[]) =>
    sampleToolkit({
      auth: AUTH,
      categories: ['communication'],
      app_url: 'https://shop.example',
      docs_url: 'https://docs.shop.example',
      identity: { path: '/me' },
      releases: versions.map((version) => ({ version, changes: `What ${version} changed.` })),
    })
  return catalogFromSources([
    {
      ...sampleSource(),
      toolkit: shop(VERSIONS),
      tools: { tools: [sampleTool(), sampleTool({ slug: 'SHOP_NEW' })] },
      versions: VERSIONS.slice(1).map((version, n) => ({
        version,
        toolkit: shop(VERSIONS.slice(n + 1)),
        tools: { tools: [sampleTool()] },
      })),
    },
    other('alpha', {
      name: 'Zebra',
      categories: ['developer-tools'],
      description: 'Grazes on the open savanna.',
    }),
    other('beta', { name: 'Antelope', categories: ['developer-tools', 'communication'] }, 3),
    other('old', { name: 'Mammoth', deprecated: true }),
  ])
}
const start = (t: TestContext) => testApp(t, { catalog: example() })

test('a list item has every field of the contract', async (t) => {
  const { call } = await start(t)
  const { status, body } = await call(listToolkits, { query: { search: 'shop' } })
  assert.equal(status, 200)
  assert.deepEqual(body, {
    items: [
      {
        slug: 'shop',
        name: 'Shop',
        auth_schemes: ['OAUTH2', 'BEARER_TOKEN'],
        service_managed_auth_schemes: [],
        is_local_toolkit: false,
        no_auth: false,
        type: 'native',
        auth_guide_url: 'https://docs.shop.example',
        deprecated: { toolkitId: legacyToolkitId('shop') },
        meta: {
          created_at: '2026-01-15T00:00:00.000Z',
          updated_at: '2026-03-12T00:00:00.000Z',
          description: 'Sells things to people who want things.',
          logo: 'http://localhost:3900/logos/shop.svg',
          app_url: 'https://shop.example',
          categories: [{ id: 'communication', slug: 'communication', name: 'communication' }],
          triggers_count: 0,
          tools_count: 2,
          version: VERSIONS[0],
          available_versions: ['00000000_00', ...VERSIONS.toReversed()],
        },
      },
    ],
    next_cursor: null,
    total_pages: 1,
    current_page: 1,
    total_items: 1,
  })
})

test('sort_by=usage lists the toolkits first that the project calls most', async (t) => {
  const { call } = await start(t)
  const execute = (slug: string) =>
    call(executeTool, {
      params: { tool_slug: slug },
      body: { user_id: 'u1', version: 'latest', arguments: {} },
    })
  for (const slug of ['ALPHA_T0', 'ALPHA_T0', 'SHOP_GET_ORDER']) await execute(slug)
  const order = async (query: ToolkitFilters) =>
    (await call(listToolkits, { query })).body.items.map(({ slug }) => slug)
  assert.deepEqual(await order({ sort_by: 'usage' }), ['alpha', 'shop', 'beta'])
  assert.deepEqual(await order({}), ['alpha', 'shop', 'beta'], 'the default')
})

test('each filter leaves what it names, in the order that is asked for', async (t) => {
  const { call } = await start(t)
  const slugs = async (query: ToolkitFilters = {}) => {
    const { status, body } = await call(listToolkits, { query })
    assert.equal(status, 200)
    const { status: multiStatus, body: multi } = await call(listToolkitsMulti, {
      body: { ...query, search: undefined } as never,
    })
    assert.equal(multiStatus, 200)
    if (!query.search) assert.deepEqual(multi, body, 'both ways to list agree')
    return body.items.map(({ slug }) => slug)
  }
  assert.deepEqual(await slugs(), ['beta', 'shop', 'alpha'], 'those with most tools first, then by slug')
  assert.deepEqual(await slugs({ sort_by: 'usage' }), ['beta', 'shop', 'alpha'])
  assert.deepEqual(
    await slugs({ sort_by: 'alphabetically' }),
    ['beta', 'shop', 'alpha'],
    'Antelope, Shop, Zebra',
  )
  assert.deepEqual(await slugs({ include_deprecated: true, sort_by: 'alphabetically' }), [
    'beta',
    'old',
    'shop',
    'alpha',
  ])
  assert.deepEqual(await slugs({ category: 'developer-tools' }), ['beta', 'alpha'])
  assert.deepEqual(await slugs({ category: 'Developer Tools' }), ['beta', 'alpha'])
  assert.deepEqual(await slugs({ category: 'communication' }), ['beta', 'shop'])
  assert.deepEqual(await slugs({ category: 'nothing' }), [])
  assert.deepEqual(await slugs({ managed_by: 'all' }), ['beta', 'shop', 'alpha'])
  assert.deepEqual(await slugs({ managed_by: 'service' }), ['beta', 'shop', 'alpha'], 'as type=native')
  assert.deepEqual(await slugs({ managed_by: 'project' }), [], 'as type=custom')
  assert.deepEqual(await slugs({ type: 'custom' }), [])
  assert.deepEqual(await slugs({ type: 'native', managed_by: 'project' }), ['beta', 'shop', 'alpha'])
  assert.deepEqual(await slugs({ type: 'all' }), ['beta', 'shop', 'alpha'])
  for (const search of ['SAVANNA', 'zebra', 'alpha']) assert.deepEqual(await slugs({ search }), ['alpha'])
  assert.deepEqual(await slugs({ search: 'mammoth' }), [], 'deprecated ones are not found either')
})

test('a value of another kind, or a search of less than three characters, is rejected with its name', async (t) => {
  const { call } = await start(t)
  for (const [name, value] of [
    ['search', 'ab'],
    ['managed_by', 'me'],
    ['type', 'magic'],
    ['sort_by', 'age'],
    ['include_deprecated', 'maybe'],
    ['limit', '-1'],
    ['cursor', 'x'],
  ] as const) {
    const { status, body } = await call(listToolkits, { query: { [name]: value } as never })
    assert.deepEqual([status, body.error.code], [400, 10400], name)
    assert.match(body.error.errors[0] ?? '', new RegExp(`^Error in query\\.${name}: `))
  }
})

test('chosen toolkits are listed in any case, unknown ones are left out, and no choice is all', async (t) => {
  const { call } = await start(t)
  const multi = async (body: object) =>
    (await call(listToolkitsMulti, { body })).body.items.map(({ slug }) => slug)
  assert.deepEqual(await multi({ toolkits: ['SHOP', 'nowhere', 'alpha', 'old'] }), ['shop', 'alpha'])
  assert.deepEqual(await multi({ toolkits: ['shop', 'old'], include_deprecated: true }), ['shop', 'old'])
  assert.deepEqual(await multi({ toolkits: [] }), [], 'an empty choice chooses nothing')
  assert.deepEqual(await multi({}), ['beta', 'shop', 'alpha'])
  const bare = await call(listToolkitsMulti)
  assert.deepEqual([bare.status, bare.body.total_items], [200, 3])
})

test('pages follow each other without a gap, from a query and from a body, where null is the default', async (t) => {
  const { call } = await start(t)
  const first = (await call(listToolkits, { query: { limit: 2 } })).body
  assert.deepEqual(
    [first.items.length, first.next_cursor, first.total_pages, first.total_items],
    [2, 'Mi0y', 2, 3],
  )
  const second = (await call(listToolkits, { query: { cursor: 'Mi0y' } })).body
  assert.deepEqual(
    [second.items.map(({ slug }) => slug), second.next_cursor, second.current_page],
    [['alpha'], null, 2],
  )
  assert.deepEqual((await call(listToolkitsMulti, { body: { cursor: 'Mi0y' } })).body, second)
  assert.equal((await call(listToolkitsMulti, { body: { limit: null, cursor: null } })).body.items.length, 3)
  const beyond = (await call(listToolkits, { query: { cursor: Buffer.from('9-2').toString('base64') } })).body
  assert.deepEqual([beyond.items, beyond.next_cursor, beyond.total_items], [[], null, 3])
})

test('the categories are one page, by id', async (t) => {
  const { call } = await start(t)
  const { body } = await call(listToolkitCategories)
  assert.deepEqual(body, {
    items: [
      { id: 'communication', slug: 'communication', name: 'communication' },
      { id: 'developer-tools', slug: 'developer-tools', name: 'developer tools' },
    ],
    next_cursor: null,
    total_pages: 1,
    current_page: 1,
    total_items: 2,
  })
})

test('the changelog has the last ten versions of each toolkit, newest first', async (t) => {
  const { call } = await start(t)
  const { items } = (await call(readToolkitChangelog)).body
  const shop = items.find(({ slug }) => slug === 'shop')
  assert.deepEqual(shop, {
    slug: 'shop',
    name: 'Shop',
    display_name: 'Shop',
    versions: VERSIONS.slice(0, 10).map((version) => ({ version, changelog: `What ${version} changed.` })),
  })
  assert.ok(items.length >= 3)
})

test('a toolkit is read with its schemes and the fields that each asks for', async (t) => {
  const { call } = await start(t)
  const { status, body } = await call(readToolkit, { params: { slug: 'SHOP' } })
  assert.equal(status, 200)
  const { auth_config_details: details, meta, ...rest } = body
  assert.deepEqual(rest, {
    slug: 'shop',
    name: 'Shop',
    enabled: true,
    auth_schemes: ['OAUTH2', 'BEARER_TOKEN'],
    service_managed_auth_schemes: [],
    service_managed_auth: [],
    is_local_toolkit: false,
    no_auth: false,
    type: 'native',
    auth_guide_url: 'https://docs.shop.example',
    base_url: 'https://{subdomain}.shop.example',
    get_current_user_endpoint: '/me',
    get_current_user_endpoint_method: 'GET',
    deprecated: {
      toolkitId: legacyToolkitId('shop'),
      getCurrentUserEndpoint: '/me',
      rawProxyInfoByAuthSchemes: ['OAUTH2', 'BEARER_TOKEN'].map((mode) => ({
        auth_mode: mode,
        proxy: { base_url: 'https://{subdomain}.shop.example' },
      })),
    },
  })
  assert.deepEqual([meta.version, meta.tools_count, meta.available_versions.length], [VERSIONS[0], 2, 13])
  const [oauth, bearer] = details
  assert.deepEqual(oauth, oauthDetails())
  assert.deepEqual(
    [bearer?.mode, bearer?.fields.connected_account_initiation.required.map(({ name }) => name)],
    ['BEARER_TOKEN', ['token', 'subdomain']],
  )
  assert.ok(!('deprecated_auth_provider_details' in bearer!))
})

/** A field as the API describes it. */
const field = (
  name: string,
  displayName: string,
  description: string,
  required: boolean,
  more: object = {},
) => ({
  name,
  displayName,
  type: 'string',
  description,
  required,
  default: null,
  is_secret: false,
  ...more,
})

/** The description of the OAuth scheme of the toolkit. */
function oauthDetails() {
  const store = field('subdomain', 'Store', 'xyz in xyz.shop.example.', true, {
    legacy_template_name: 'shop',
  })
  return {
    mode: 'OAUTH2',
    name: 'Shop sign-in',
    auth_hint_url: 'https://docs.shop.example/oauth',
    proxy: { base_url: 'https://{subdomain}.shop.example' },
    deprecated_auth_provider_details: {
      authorization_url: 'https://shop.example/authorize',
      token_url: 'https://shop.example/token',
    },
    fields: {
      auth_config_creation: {
        required: [
          field('client_id', 'Client id', 'Client id of your app, from its page at the provider.', true),
          field(
            'client_secret',
            'Client secret',
            'Client secret of your app, from its page at the provider.',
            true,
            { is_secret: true },
          ),
        ],
        optional: [
          field(
            'oauth_redirect_uri',
            'Redirect URI',
            'Redirect URI that the provider sends users to; register it with your app.',
            false,
            { default: 'http://localhost:3900/api/v3/toolkits/auth/callback' },
          ),
          field('scopes', 'Scopes', 'Scopes to request, separated by commas.', false, { default: 'orders' }),
        ],
      },
      connected_account_initiation: { required: [store], optional: [] },
    },
  }
}

test('a version shows the toolkit as it was then; one that never was is not found', async (t) => {
  const { call } = await start(t)
  const at = async (version?: string) => {
    const { body } = await call(readToolkit, { params: { slug: 'shop' }, query: { version } as never })
    return [body.meta.version, body.meta.tools_count]
  }
  assert.deepEqual(await at('latest'), [VERSIONS[0], 2])
  assert.deepEqual(await at(VERSIONS[0]), [VERSIONS[0], 2])
  assert.deepEqual(await at(VERSIONS[1]), [VERSIONS[1], 1])
  assert.deepEqual(await at('00000000_00'), ['00000000_00', 1])
  const none = await call(readToolkit, { params: { slug: 'shop' }, query: { version: '20200101_00' } })
  assert.deepEqual(
    [none.status, none.body.error.code, none.body.error.message],
    [404, 2102, 'Toolkit shop has no version 20200101_00'],
  )
  assert.equal(
    (await call(readToolkit, { params: { slug: 'shop' }, query: { version: 'newest' } })).status,
    400,
  )
})

test('a deprecated toolkit is readable, an unknown one is not found, and one without auth says so', async (t) => {
  const { call } = await start(t)
  const old = await call(readToolkit, { params: { slug: 'old' } })
  assert.deepEqual([old.status, old.body.no_auth, old.body.auth_schemes], [200, true, ['NO_AUTH']])
  const none = await call(readToolkit, { params: { slug: 'nowhere' } })
  assert.deepEqual(
    [none.status, none.body.error.slug, none.body.error.code, none.body.error.message],
    [404, 'Toolkit_ToolkitNotFound', 2101, 'Toolkit nowhere not found'],
  )
  for (const slug of ['a b', '../etc', 'x'.repeat(65)])
    assert.equal((await call(readToolkit, { params: { slug } })).status, 400, slug)
})

test('legacy ids are stable UUIDs, one a toolkit', () => {
  assert.match(legacyToolkitId('shop'), /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.deepEqual(
    [legacyToolkitId('shop'), legacyToolkitId('shop') === legacyToolkitId('mail')],
    [legacyToolkitId('shop'), false],
  )
})
