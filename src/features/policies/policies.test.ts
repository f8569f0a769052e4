import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startApprovalsApp } from '#fixtures/approvals.ts'
import { removePolicies } from '#fixtures/policies.ts'
import { createCustomMcpServer } from '../../contract/mcp-servers/index.ts'
import * as policies from '../../contract/policies/index.ts'
import { createSession, executeInSession, executeMeta } from '../../contract/sessions/index.ts'

type App = Awaited<ReturnType<typeof startApprovalsApp>>

/** Creates an MCP server for the shop. Returns its URL for the user u1. */
const mcpUrl = async (call: App['call']): Promise<string> => {
  const { body } = await call(createCustomMcpServer, { body: { name: 'Shop helper', toolkits: ['shop'] } })
  return `/v3/mcp/${body.id}?user_id=u1`
}

test('policies: are created, read, updated and deleted, and invalid conditions are rejected', async (t) => {
  const { call, callTool: run, foreign, policy, proxy, refund } = await startApprovalsApp(t)
  assert.deepEqual(
    [(await refund()).body.successful, (await proxy('DELETE', '/orders/1')).body.status],
    [true, 200],
    'without policies everything runs',
  )
  const made = await policy({ name: 'Drops', outcome: 'deny', when: { hints: ['destructiveHint'] } })
  assert.deepEqual(
    [made.enabled, made.fallback, made.covers_proxy, made.approval_seconds, made.when],
    [true, false, true, 600, { hints: ['destructiveHint'] }],
  )
  assert.deepEqual(
    (await call(policies.listPolicies, {})).body.items.map(({ id }) => id),
    [made.id],
  )
  const params = { policy_id: made.id }
  const changed = await call(policies.updatePolicy, {
    params,
    body: { enabled: false, message: 'Never.' },
  })
  assert.deepEqual(
    [changed.body.enabled, changed.body.message, changed.body.when],
    [false, 'Never.', made.when],
  )
  assert.equal((await run({}, 'SHOP_DROP')).body.successful, true, 'a disabled policy says nothing')
  for (const route of [policies.readPolicy, policies.updatePolicy, policies.deletePolicy])
    assert.deepEqual(
      [
        (await foreign(route as typeof policies.readPolicy, { params })).status,
        (await call(route as typeof policies.readPolicy, { params: { policy_id: 'pol_none' } })).status,
      ],
      [404, 404],
    )
  assert.equal((await call(policies.deletePolicy, { params })).status, 200)
  for (const when of [
    { arguments: [{ path: 'a b', exists: true }] },
    { arguments: [{ path: 'a' }] },
    { hints: ['important'] },
    { tool: ['SHOP_DROP'] },
    { arguments: [{ path: 'a', abov: 1 }] },
    { tools: [] },
  ]) {
    assert.equal(
      (await call(policies.createPolicy, { body: { name: 'x', outcome: 'deny', when: when as never } }))
        .status,
      400,
      JSON.stringify(when),
    )
  }
})

test('policies: a denied call is not sent, through execute, proxy, dry run or MCP', async (t) => {
  const { call, callMcp, callTool: run, policy, proxy, sentDuring } = await startApprovalsApp(t)
  const { id } = await policy({
    name: 'No drops',
    outcome: 'deny',
    when: { tools: ['SHOP_DROP'] },
    message: 'Orders stay.',
  })
  const [replies, sent] = await sentDuring(async () => [
    await run({}, 'SHOP_DROP'),
    await run({ response: { dry_run: true } }, 'SHOP_DROP'),
    await proxy('DELETE', '/orders/7'),
    await proxy('GET', '/orders/7'),
  ])
  assert.deepEqual(
    replies.map(({ status, body }) => [
      status,
      (body as never as { error: { slug: string; message: string } }).error.slug,
    ]),
    Array(4).fill([403, 'ActionExecute_PolicyRefused']),
  )
  assert.match(
    (replies[0]!.body as never as { error: { message: string } }).error.message,
    /SHOP_DROP: Orders stay\./,
  )
  const [overMcp, sentOver] = await sentDuring(async () =>
    callMcp(await mcpUrl(call), 'SHOP_DROP', { id: '7' }),
  )
  assert.deepEqual(
    [overMcp.isError, /Orders stay/.test(overMcp.content[0].text), sent, sentOver],
    [true, true, 0, 0],
  )
  assert.deepEqual((await call(policies.checkPolicies, { body: { tool_slug: 'SHOP_DROP' } })).body, {
    outcome: 'deny',
    policies: [{ id, name: 'No drops', outcome: 'deny', fallback: false, certain: true }],
  })
  assert.equal(
    (await call(policies.checkPolicies, { body: { tool_slug: 'PROXY_EXECUTE', toolkit_slug: 'shop' } })).body
      .policies[0]?.certain,
    false,
  )
  assert.equal((await run()).body.successful, true, 'others run')
  await call(policies.updatePolicy, { params: { policy_id: id }, body: { covers_proxy: false } })
  assert.equal((await proxy('GET', '/orders/7')).status, 200)
  const seen = (await call(policies.listDecisions, {})).body
  assert.deepEqual(
    [seen.items.length, new Set(seen.items.map(({ event, policy_ids }) => `${event}:${policy_ids.join()}`))],
    [5, new Set([`refused:${id}`])],
  )
})

const RULE = fc.record({
  outcome: fc.constantFrom('ask' as const, 'deny' as const, 'allow' as const),
  fallback: fc.boolean(),
  when: fc.record(
    {
      tools: fc.subarray(['SHOP_DROP', 'SHOP_REFUND', 'PROXY_EXECUTE'], { minLength: 1 }),
      hints: fc.subarray(['readOnlyHint', 'destructiveHint', 'createHint'] as const, { minLength: 1 }),
      user_ids: fc.constantFrom(['u1'], ['u2']),
      arguments: fc.constant([{ path: 'amount', above: 10 }]),
    },
    { requiredKeys: [] },
  ),
})

/** Every way in which a client can call a tool. */
function entryPoints({ call, callMcp, callTool }: App, session_id: string, serverUrl: string) {
  const batch = (tool_slug: string, args: object) => ({
    tools: [{ tool_slug, arguments: args }],
    sync_response_to_workbench: false,
  })
  const entries: ((slug: string, args: Record<string, unknown>) => Promise<unknown>)[] = [
    (slug, args) => callTool({ arguments: args }, slug),
    (slug, args) => callMcp(serverUrl, slug, args),
    (slug, args) =>
      call(executeInSession, { params: { session_id }, body: { tool_slug: slug, arguments: args } }),
    (slug, args) =>
      call(executeMeta, {
        params: { session_id },
        body: { slug: 'SERVICE_MULTI_EXECUTE_TOOL', arguments: batch(slug, args) },
      }),
    (slug, args) =>
      call(executeInSession, {
        params: { session_id },
        body: { tool_slug: 'SERVICE_MULTI_EXECUTE_TOOL', arguments: batch(slug, args) },
      }),
    (slug, args) => callMcp(`/tool_router/${session_id}/mcp`, slug, args),
    (slug, args) =>
      callMcp(`/tool_router/${session_id}/mcp`, 'SERVICE_MULTI_EXECUTE_TOOL', batch(slug, args)),
  ]
  return entries
}

test('policies: for random policies, no endpoint sends a call that is not allowed', async (t) => {
  const s = await startApprovalsApp(t)
  const { db, account, call, policy, sentDuring } = s
  const {
    body: { session_id },
  } = await call(createSession, {
    body: { user_id: 'u1', preload: { tools: ['SHOP_DROP', 'SHOP_GET_ORDER', 'SHOP_REFUND'] } },
  })
  const entries = entryPoints(s, session_id, await mcpUrl(call))
  let [withheld, sentCalls] = [0, 0]
  await fc.assert(
    fc.asyncProperty(
      fc.array(RULE, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('SHOP_DROP', 'SHOP_REFUND', 'SHOP_GET_ORDER'),
      fc.integer({ min: 5, max: 15 }),
      async (rules, slug, amount) => {
        await removePolicies(db)
        for (const one of rules) await policy({ name: 'any', ...one } as never)
        const args = { id: '7', ...(slug === 'SHOP_REFUND' ? { amount } : {}) }
        const { outcome } = (
          await call(policies.checkPolicies, {
            body: {
              tool_slug: slug,
              arguments: args,
              user_id: 'u1',
              connected_account_id: account,
              session_id,
            },
          })
        ).body
        for (const send of entries) {
          const [, sent] = await sentDuring(() => send(slug, args))
          assert.equal(sent, outcome === 'allow' ? 1 : 0, `${outcome} ${slug}`)
          if (outcome === 'allow') sentCalls++
          else withheld++
        }
      },
    ),
    { numRuns: 10, seed: 7 },
  )
  assert.ok(
    withheld >= entries.length && sentCalls >= entries.length,
    `${withheld} withheld, ${sentCalls} sent`,
  )
})

test('policies: a check of a proxy request judges its method', async (t) => {
  const { call, policy } = await startApprovalsApp(t)
  await policy({
    name: 'Reads only',
    outcome: 'deny',
    when: { tools: ['PROXY_EXECUTE'], arguments: [{ path: 'method', one_of: ['POST', 'PUT', 'DELETE'] }] },
  })
  const check = (args: Record<string, unknown>) =>
    call(policies.checkPolicies, {
      body: { tool_slug: 'PROXY_EXECUTE', toolkit_slug: 'shop', arguments: args },
    })
  const outcomes = await Promise.all(
    [{ method: 'GET' }, { method: 'DELETE' }, { method: 'PUT' }, {}].map(
      async (args) => (await check(args)).body.outcome,
    ),
  )
  assert.deepEqual(outcomes, ['allow', 'deny', 'deny', 'deny'])
  const invalid = await check({ method: 'TRACE' })
  assert.equal(invalid.status, 400)
  assert.match(invalid.body.error.message, /arguments\.method:? must be one of GET/)
})
