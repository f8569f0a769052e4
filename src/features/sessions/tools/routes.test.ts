import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setConnectedAccountStatus } from '../../../contract/connected-accounts/index.ts'
import { updateAuthConfig } from '../../../contract/auth-configs/index.ts'
import { usageEntity } from '../../../contract/logs/index.ts'
import * as meta from '../../../contract/sessions/index.ts'
import { startSessionTools, type SessionTools, type Body } from '#fixtures/session-tools.ts'

test('session tools: calls, results and meta tools over HTTP', async (t) => {
  const fixture = await startSessionTools(t)
  await t.test(
    "session tools: the account is the named one, else one of the configured auth config, else the user's latest",
    () => checkChosenAccount(fixture),
  )

  await t.test('session tools: a call returns the tool result, and a hidden tool is not found', () =>
    checkResults(fixture),
  )

  await t.test(
    'session tools: with offload, a large result is stored in the mount and its beginning is returned',
    () => checkOffload(fixture),
  )

  await t.test(
    'session tools: meta tools run through three endpoints, and their calls are logged under them',
    () => checkMetaTools(fixture),
  )
})

async function checkChosenAccount({
  open,
  first,
  older,
  shared,
  newer,
  keyOf,
  s,
  second,
}: SessionTools): Promise<void> {
  const many = { multi_account: { enable: true, require_explicit_selection: true } }
  const strict = await open(many)
  for (const [session, more, expected] of [
    [await open(), {}, 'key-newer'],
    [await open({ auth_configs: { shop: first } }), {}, 'key-older'],
    [await open({ connected_accounts: { shop: older } }), {}, 'key-older'],
    [await open({ connected_accounts: { shop: [shared] } }), {}, 'key-shared'],
    [await open(), { account: 'old' }, 'key-older'],
    [await open(), { account: older }, 'key-older'],
    [strict, { account: newer }, 'key-newer'],
  ] as const)
    assert.equal(await keyOf(session, more), expected)
  assert.match(
    String(await keyOf(strict)),
    /^400 ToolRouterV2_AccountRequired Several accounts are connected for shop; pass "account" with one of: \S+, \S+ \(old\)$/,
  )
  assert.match(
    String(await keyOf(await open(), { account: shared })),
    /^400 ToolRouterV2_AccountRequired/,
    'a shared account only where the session names it',
  )
  assert.match(String(await keyOf(await open({ user_id: 'u3' }))), /^400 ToolRouterV2_NoActiveConnection/)
  const pinned = await open({ connected_accounts: { shop: older } })
  await s.call(setConnectedAccountStatus, { params: { nanoid: older }, body: { enabled: false } })
  assert.match(
    String(await keyOf(pinned)),
    /^400 ToolRouterV2_NoActiveConnection .* is INACTIVE, not ACTIVE/,
    'no other takes the place of what is named',
  )
  await s.call(setConnectedAccountStatus, { params: { nanoid: older }, body: { enabled: true } })
  await s.call(updateAuthConfig, {
    params: { nanoid: second },
    body: { type: 'custom', is_enabled_for_tool_router: false } as never,
  })
  assert.equal(await keyOf(await open()), 'key-older', 'an auth config that is not for sessions is not used')
  await s.call(updateAuthConfig, {
    params: { nanoid: second },
    body: { type: 'custom', is_enabled_for_tool_router: true } as never,
  })
}

async function checkResults({ open, execute, s }: SessionTools): Promise<void> {
  const session = await open({
    toolkits: { disable: ['mail'] },
    tools: { shop: { disable: ['SHOP_DROP'] } },
  })
  const fine = await execute(session, { tool_slug: 'free_read' })
  assert.deepEqual(
    [fine.status, fine.body.data, fine.body.error, fine.headers['x-should-retry']],
    [200, { id: '7' }, null, 'false'],
  )
  assert.match(fine.body.log_id, /^log_/)
  const failed = await execute(session, { tool_slug: 'SHOP_GET_ORDER', arguments: { id: 'boom' } })
  assert.deepEqual(
    [failed.status, typeof failed.body.data, Array.isArray(failed.body.data), typeof failed.body.error],
    [200, 'object', false, 'string'],
  )
  for (const [slug, status, error] of [
    ['SHOP_DROP', 404, 'Tool_ToolNotFound'],
    ['MAIL_READ', 404, 'Tool_ToolNotFound'],
    ['SHOP_NOTHING', 404, 'Tool_ToolNotFound'],
    ['LOCAL_THING', 400, 'ToolRouterV2_LocalTool'],
    ['SERVICE_REMOTE_WORKBENCH', 400, 'ToolRouterV2_MetaToolDisabled'],
  ] as const) {
    const reply = await execute(session, { tool_slug: slug })
    assert.deepEqual(
      [reply.status, (reply.body as any).error.slug, reply.headers['x-should-retry']],
      [status, error, 'false'],
      slug,
    )
  }
  const logged = (await s.executionRows()).filter(({ session_id: id }) => id === session)
  assert.deepEqual(logged.map(({ tool_slug: slug }) => slug).sort(), ['FREE_READ', 'SHOP_GET_ORDER'])
}

async function checkOffload({ execute, open, s }: SessionTools): Promise<void> {
  const large = async (body: Body, more: Body = {}) =>
    (await execute(await open(body), { tool_slug: 'FREE_READ', arguments: { id: 'large' }, ...more })).body
      .data as any
  const wants = { enable_auto_workbench_offload: true }
  const preview = await large({}, wants)
  assert.deepEqual(
    [
      preview._truncated,
      preview.items.length < 3_000,
      /^\/mnt\/files\/\.service\/output\/execute_\w+\.json$/.test(preview.remote_file_info.file_path),
    ],
    [true, true, true],
  )
  const { pathname, search } = new URL(preview.remote_file_info.url)
  assert.equal((await s.app.http.inject({ url: pathname + search })).json().items.length, 3_000)
  for (const whole of [
    await large({}),
    await large({ workbench: { enable: false } }, wants),
    await large({ workbench: { auto_offload_threshold: 1_000_000 } }, wants),
  ])
    assert.equal(whole.items.length, 3_000)
}

async function checkMetaTools({ open, execute, call, s }: SessionTools): Promise<void> {
  const session = await open({ search: { enable: false } })
  const batch = {
    tools: [
      { tool_slug: 'FREE_READ', arguments: { id: '1' } },
      { tool_slug: 'MAIL_READ', arguments: { id: '2' } },
    ],
    sync_response_to_workbench: false,
  }
  const both = [
    (await execute(session, { tool_slug: 'SERVICE_MULTI_EXECUTE_TOOL', arguments: batch })).body,
    (
      await call(meta.executeMeta, {
        params: { session_id: session },
        body: { slug: 'SERVICE_MULTI_EXECUTE_TOOL', arguments: batch },
      })
    ).body,
  ] as any[]
  for (const { data, error, log_id: parent } of both) {
    assert.deepEqual(
      [error, data.success_count, data.error_count, data.results[0].response.data],
      ['1 out of 2 tools failed', 1, 1, { id: '1' }],
    )
    assert.deepEqual(
      (await s.executionRows())
        .filter(({ parent_id: id }) => id === parent)
        .map(({ tool_slug: slug, session_id: id }) => [slug, id]),
      [['FREE_READ', session]],
    )
  }
  const hidden = await call(meta.executeMeta, {
    params: { session_id: session },
    body: { slug: 'SERVICE_SEARCH_TOOLS', arguments: {} },
  })
  assert.deepEqual([hidden.status, (hidden.body as any).error.slug], [400, 'ToolRouterV2_MetaToolDisabled'])
  await checkSearch({ call, s }, session)
}

async function checkSearch({ call, s }: Pick<SessionTools, 'call' | 's'>, session: string): Promise<void> {
  const search = async (body: Body) =>
    call(meta.searchInSession, {
      params: { session_id: session },
      body: { queries: [{ use_case: 'get an order of the shop' }], ...body } as never,
    }) as Promise<{ status: number; body: any }>
  const found = (await search({})).body
  assert.deepEqual(
    [
      found.success,
      found.results[0].index,
      found.results[0].primary_tool_slugs.includes('SHOP_GET_ORDER'),
      found.tool_schemas.SHOP_GET_ORDER?.hasFullSchema,
    ],
    [true, 1, true, true],
  )
  const mail = { toolkits: ['mail'], queries: [{ use_case: 'read mail' }] }
  assert.deepEqual((await search(mail)).body.results[0].toolkits, ['mail'])
  assert.equal((await search({ toolkits: ['nowhere'] })).status, 400)
  assert.match(
    (
      await call(meta.executeMeta, {
        params: { session_id: session },
        body: { slug: 'SERVICE_MULTI_EXECUTE_TOOL', arguments: { tools: 3 } },
      })
    ).body.error ?? '',
    /tools/,
    'bad arguments are an answer',
  )
  const usage = (
    await s.call(usageEntity, {
      params: { entity_type: 'sessions' },
      body: { filters: { session_id: [session] }, group_by: 'user_id' },
    })
  ).body
  assert.deepEqual([usage.total_quantity, usage.groups.map(({ key }) => key)], ['1', ['u1']])
}
