import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestApp } from '#fixtures/app.ts'
import { createAuthConfig } from '../../contract/auth-configs/index.ts'
import { listTools, readTool, listToolSlugs, requiredScopes } from '../../contract/tools/index.ts'
import { start } from '#fixtures/tool-list.ts'

const ALL = ['MAIL_SEND', 'OLD_A', 'MAIL_FETCH', 'MAIL_WIPE', 'SHOP_CREATE_ORDER', 'SHOP_GET_ORDER']

test('list tools: each filter selects its tools; important tools come first, then by slug', async (t) => {
  const { onV31: slugs } = await start(t)
  for (const [query, expected] of [
    [{}, ALL],
    [{ toolkit_slug: 'MAIL' }, ['MAIL_SEND', 'MAIL_FETCH', 'MAIL_WIPE']],
    [{ toolkit_slug: 'mail,shop,nowhere' }, ALL.filter((slug) => slug !== 'OLD_A')],
    [{ toolkit_slug: 'nowhere' }, []],
    [{ important: 'true' }, ['MAIL_SEND', 'OLD_A']],
    [{ important: 'false' }, ALL],
    [{ toolkit_slug: 'mail', important: 'true' }, ['MAIL_SEND']],
    [{ toolkit_slug: 'shop', important: 'true' }, ['SHOP_CREATE_ORDER', 'SHOP_GET_ORDER']],
    [{ tags: 'mailbox' }, ['MAIL_FETCH']],
    [{ tags: 'mailbox,important' }, ['MAIL_SEND', 'OLD_A', 'MAIL_FETCH']],
    [{ tags: 'Mailbox' }, []],
    [{ toolkit_slug: 'mail', scopes: 'read' }, ['MAIL_FETCH', 'MAIL_WIPE']],
    [{ toolkit_slug: 'mail', scopes: 'send,full' }, ['MAIL_SEND', 'MAIL_WIPE']],
    [{ include_deprecated: true }, ALL],
    [{ include_deprecated: false }, ALL.filter((slug) => slug !== 'OLD_A' && slug !== 'MAIL_WIPE')],
    [{ query: 'electronic letter', toolkit_slug: 'mail' }, ['MAIL_SEND', 'MAIL_FETCH']],
    [{ search: 'electronic letter', toolkit_slug: 'mail' }, ['MAIL_SEND', 'MAIL_FETCH']],
    [{ query: 'qqqq', toolkit_slug: 'shop' }, []],
    [{ query: 'place an order', search: 'letter' }, ['SHOP_CREATE_ORDER']],
  ] as const) {
    const found = await slugs(query)
    if ('query' in query && query.query === 'place an order')
      assert.equal(found[0], expected[0], 'query wins over search')
    else assert.deepEqual(found, expected, JSON.stringify(query))
  }
})

test('list tools: slugs override every other filter and the limit', async (t) => {
  const { onV31: slugs, newer } = await start(t)
  const query = {
    tool_slugs: 'shop_get_order,NO_SUCH,MAIL_WIPE,MAIL_WIPE',
    toolkit_slug: 'old',
    important: 'true',
    tags: 'x',
    include_deprecated: false,
    auth_config_ids: 'ac_none',
    query: 'x',
    limit: 9999,
  }
  assert.deepEqual(await slugs(query), ['SHOP_GET_ORDER', 'MAIL_WIPE'])
  const { body } = await newer(listTools, { query: query as never })
  assert.deepEqual(
    { ...body, items: 0 },
    { items: 0, next_cursor: null, total_pages: 1, current_page: 1, total_items: 2 },
  )
})

test('list tools: auth configs select their toolkits and allowed tools', async (t) => {
  const { call, onV31: slugs, newer, otherProject } = await start(t)
  const make = async (slug: string, tools: string[] = [], by = call) => {
    const { body } = await by(createAuthConfig, {
      body: {
        toolkit: { slug },
        auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY', restrict_to_following_tools: tools },
      },
    })
    return body.auth_config.id
  }
  const [fetch, wipe, mail, shop] = [
    await make('mail', ['MAIL_FETCH']),
    await make('mail', ['MAIL_WIPE']),
    await make('mail'),
    await make('shop', ['SHOP_GET_ORDER']),
  ]
  assert.deepEqual(await slugs({ auth_config_ids: fetch }), ['MAIL_FETCH'])
  assert.deepEqual(await slugs({ auth_config_ids: `${fetch},${wipe}` }), ['MAIL_FETCH', 'MAIL_WIPE'])
  assert.deepEqual(await slugs({ auth_config_ids: [fetch, mail] }), ['MAIL_SEND', 'MAIL_FETCH', 'MAIL_WIPE'])
  assert.deepEqual(await slugs({ auth_config_ids: `${fetch},${shop}`, toolkit_slug: 'shop' }), [
    'SHOP_GET_ORDER',
  ])
  assert.deepEqual(
    await slugs({ auth_config_ids: fetch, toolkit_slug: 'mail', important: 'true' }),
    ['MAIL_FETCH'],
    'none of the allowed tools is important',
  )
  const theirs = await make('mail', [], await otherProject())
  for (const id of ['ac_none', theirs]) {
    const { status, body } = await newer(listTools, { query: { auth_config_ids: [mail, id] } })
    assert.deepEqual([status, body.error.code, body.error.message], [404, 302, `Auth config ${id} not found`])
  }
})

test('tool versions: the default is the first version in v3 and the newest release in v3.1', async (t) => {
  const { onV3, onV31, call, newer } = await start(t)
  assert.deepEqual(await onV3({ toolkit_slug: 'shop' }), ['SHOP_GET_ORDER', 'SHOP_GONE'])
  assert.deepEqual(await onV31({ toolkit_slug: 'shop' }), ['SHOP_CREATE_ORDER', 'SHOP_GET_ORDER'])
  const versionOn = async (by: TestApp['call'], query: object = {}) =>
    (await by(readTool, { params: { tool_slug: 'SHOP_GET_ORDER' }, query })).body.version
  assert.deepEqual([await versionOn(call), await versionOn(newer)], ['00000000_00', '20260301_00'])
})

test('tool versions: toolkit_versions is one version for all toolkits, or one for each toolkit', async (t) => {
  const { app, keys, onV3, onV31 } = await start(t)
  assert.deepEqual(await onV3({ toolkit_slug: 'shop', toolkit_versions: 'latest' }), [
    'SHOP_CREATE_ORDER',
    'SHOP_GET_ORDER',
  ])
  assert.deepEqual(await onV31({ toolkit_slug: 'shop', toolkit_versions: '20260115_00' }), [
    'SHOP_GET_ORDER',
    'SHOP_GONE',
  ])
  assert.deepEqual(await onV31({ toolkit_slug: 'shop', toolkit_versions: '20200101_00' }), [])
  assert.deepEqual(await onV3({ toolkit_slug: 'shop', 'toolkit_versions[shop]': 'latest' }), [
    'SHOP_CREATE_ORDER',
    'SHOP_GET_ORDER',
  ])
  assert.deepEqual(await onV3({ toolkit_slug: 'shop', 'toolkit_versions[SHOP]': 'latest' }), [
    'SHOP_CREATE_ORDER',
    'SHOP_GET_ORDER',
  ])
  assert.deepEqual(await onV3({ toolkit_slug: 'shop', 'toolkit_versions[mail]': 'latest' }), [
    'SHOP_GET_ORDER',
    'SHOP_GONE',
  ])
  assert.deepEqual(
    await onV31({ tool_slugs: 'SHOP_GONE,SHOP_CREATE_ORDER', 'toolkit_versions[shop]': '20260115_00' }),
    ['SHOP_GONE'],
  )
  for (const query of [
    'toolkit_versions=newest',
    'toolkit_versions[shop]=newest',
    'toolkit_versions=latest&toolkit_versions=latest',
  ]) {
    assert.equal(
      (await app.http.inject({ url: `/api/v3/tools?${query}`, headers: { 'x-api-key': keys.projectApiKey } }))
        .statusCode,
      400,
      query,
    )
  }
})

test('tool slugs: the response is a list of the slugs of all tools', async (t) => {
  const { call } = await start(t)
  const { status, body } = await call(listToolSlugs)
  assert.deepEqual([status, body], [200, ALL])
})

test('required scopes: the scopes of tools of one toolkit are combined, with the first of alternatives', async (t) => {
  const { call, newer } = await start(t)
  const ask = (body: object, by = newer) => by(requiredScopes, { body: body as never })
  const { status, body } = await ask({ tools: ['mail_send', 'MAIL_FETCH', 'MAIL_WIPE'] })
  assert.deepEqual(
    [status, body],
    [
      200,
      {
        scopes_required: ['send', 'read'],
        per_tool_requirements: [
          { tool: 'MAIL_SEND', scope_requirements: { all_of: ['send', { any_of: ['read', 'full'] }] } },
          { tool: 'MAIL_FETCH', scope_requirements: { all_of: ['read'] } },
          { tool: 'MAIL_WIPE', scope_requirements: null },
        ],
      },
    ],
  )
  const mixed = await ask({ tools: ['MAIL_SEND', 'SHOP_GET_ORDER'] })
  assert.deepEqual(
    [mixed.status, mixed.body.error.errors],
    [400, ['Error in payload.tools: must belong to one toolkit, not to mail, shop']],
  )
  assert.deepEqual(
    [
      (await ask({ tools: ['NO_SUCH'] })).body.error.code,
      (await ask({ tools: [] })).status,
      (await ask({})).status,
    ],
    [2401, 400, 400],
  )
  assert.deepEqual(
    [
      (await ask({ tools: ['SHOP_CREATE_ORDER'] })).status,
      (await ask({ tools: ['SHOP_CREATE_ORDER'] }, call)).status,
      (await ask({ tools: ['SHOP_CREATE_ORDER'], version: 'latest' }, call)).status,
    ],
    [200, 404, 200],
  )
})

test('list tools: pages follow each other without a gap', async (t) => {
  const { newer } = await start(t)
  const seen: string[] = []
  let cursor: string | null | undefined
  do {
    const { body } = await newer(listTools, { query: cursor ? { cursor } : { limit: 4 } })
    assert.deepEqual([body.total_items, body.total_pages], [ALL.length, 2])
    seen.push(...body.items.map(({ slug }) => slug))
    cursor = body.next_cursor
  } while (cursor)
  assert.deepEqual(seen, ALL)
})
