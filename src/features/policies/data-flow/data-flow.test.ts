import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pendingApproval, startApprovalsApp } from '#fixtures/approvals.ts'
import { createCustomMcpServer } from '../../../contract/mcp-servers/index.ts'
import * as contract from '../../../contract/policies/index.ts'
import {
  createSession,
  deleteSession,
  executeInSession,
  executeMeta,
} from '../../../contract/sessions/index.ts'
import { proxyInSession } from '../../../contract/sessions/index.ts'
import type { RequestOf } from '../../../contract/route.ts'
import { sql } from '../../../platform/db/sql.ts'
import { removeOldSources } from './store.ts'
import { storedEvents } from '#fixtures/events.ts'

type App = Awaited<ReturnType<typeof startApprovalsApp>>

const ASK = {
  name: 'Sending after reading',
  outcome: 'ask',
  when: { sends_data: true, untrusted_content: {} },
} as const

const TOOLS = ['SHOP_GET_ORDER', 'SHOP_REFUND', 'SHOP_DROP']
const openSession = async ({ call }: App) =>
  (await call(createSession, { body: { user_id: 'u1', preload: { tools: TOOLS } } })).body.session_id

const RECIPE = (slug: string) => ({
  recipe_slug: `RUN_${slug}`,
  name: 'One step',
  description: 'Runs one tool.',
  recipe_code: JSON.stringify({
    inputs: {
      type: 'object',
      properties: { id: { type: 'string', description: 'Id of the order.' } },
      required: ['id'],
    },
    steps: [{ id: 'only', tool: slug, arguments: { id: '{inputs.id}' } }],
    output: { $: 'only' },
  }),
})

type Send = (slug: string, args: Record<string, unknown>) => Promise<unknown>
/** Every way in which an agent can call a tool within a session. */
function entriesOf({ call, callMcp }: App, session_id: string): Record<string, Send> {
  const params = { session_id }
  const batch = (slug: string, args: object) => ({
    tools: [{ tool_slug: slug, arguments: args }],
    sync_response_to_workbench: false,
  })
  const execute: Send = (slug, args) =>
    call(executeInSession, { params, body: { tool_slug: slug, arguments: args } })
  return {
    execute,
    metaTool: (slug, args) =>
      call(executeMeta, {
        params,
        body: { slug: 'SERVICE_MULTI_EXECUTE_TOOL', arguments: batch(slug, args) },
      }),
    batch: (slug, args) => execute('SERVICE_MULTI_EXECUTE_TOOL', batch(slug, args)),
    mcp: (slug, args) => callMcp(`/tool_router/${session_id}/mcp`, slug, args),
    recipe: (slug, args) => execute(`RECIPE_RUN_${slug}`, args),
    proxy: (slug, { id }) =>
      call(proxyInSession, {
        params,
        body: {
          toolkit_slug: 'shop',
          endpoint: slug === 'SHOP_REFUND' ? `/refunds/${String(id)}` : `/orders/${String(id)}`,
          method: slug === 'SHOP_REFUND' ? 'POST' : slug === 'SHOP_DROP' ? 'DELETE' : 'GET',
        },
      }),
  }
}
const ENTRIES = ['execute', 'metaTool', 'batch', 'mcp', 'recipe', 'proxy'] as const

test('data flow: in random sessions no content of others reaches a sending tool without a decision', async (t) => {
  const s = await startApprovalsApp(t)
  const { call, policy, sentDuring } = s
  const saver = await openSession(s)
  for (const slug of TOOLS)
    await call(executeMeta, {
      params: { session_id: saver },
      body: { slug: 'SERVICE_UPSERT_RECIPE', arguments: RECIPE(slug) },
    })
  await policy(ASK)
  const step = fc.record({ entry: fc.constantFrom(...ENTRIES), slug: fc.constantFrom(...TOOLS) })
  const counts = { sent: 0, withheld: 0 }
  let id = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
      const entries = entriesOf(s, await openSession(s))
      let hasRead = false
      for (const { entry, slug } of steps) {
        const [, sent] = await sentDuring(() => entries[entry]!(slug, { id: String(++id) }))
        // The effect of a proxied request is not known, so each one counts as sending.
        const isWithheld: boolean = hasRead && (slug !== 'SHOP_GET_ORDER' || entry === 'proxy')
        assert.equal(sent, isWithheld ? 0 : 1, `${entry} ${slug} after ${hasRead ? 'reading' : 'nothing'}`)
        counts[isWithheld ? 'withheld' : 'sent']++
        // SHOP_REFUND creates something, so it returns what was sent. The response of a proxied request is not known.
        hasRead ||= slug !== 'SHOP_REFUND' || entry === 'proxy'
      }
    }),
    { numRuns: 12, seed: 14 },
  )
  assert.ok(counts.sent > 10 && counts.withheld > 10, JSON.stringify(counts))
})

test('data flow: the person who decides sees what the session has read, and the approved call runs once', async (t) => {
  const s = await startApprovalsApp(t)
  const { account, call, policy, sentDuring, visit } = s
  await policy({ ...ASK, approval_link: true })
  const session_id = await openSession(s)
  const { execute } = entriesOf(s, session_id)
  await execute!('SHOP_GET_ORDER', { id: '7' })
  const added = await call(contract.addUntrustedSource, {
    params: { session_id },
    body: { category: 'mail', note: 'The mail <b>of\u202e an event' },
  })
  assert.deepEqual(
    added.body.items.map(({ category, tool_slug, connected_account_id, note }) => [
      category,
      tool_slug,
      connected_account_id,
      note,
    ]),
    [
      ['records', 'SHOP_GET_ORDER', account, null],
      ['mail', null, null, 'The mail <b>of\u202e an event'],
    ],
  )
  const refund = () => execute!('SHOP_REFUND', { id: '7', amount: 500 }) as never
  const pending = await pendingApproval(refund())
  assert.deepEqual(
    (await call(contract.readApproval, { params: { approval_id: pending['id'] } })).body.untrusted_sources,
    added.body.items,
  )
  const { text } = await visit(pending['url'])
  assert.match(text, /content that other people wrote/)
  assert.match(text, /SHOP_GET_ORDER/)
  assert.match(text, /The mail &lt;b&gt;of\\u\{202e\} an event/)
  const event = (await storedEvents(s.db)).find(({ type }) => type === 'approval.requested')
  assert.deepEqual(event?.data['untrusted_sources'], added.body.items)
  await s.decide(pending['id'])
  const [first, sent] = await sentDuring(refund)
  assert.deepEqual([(first as { body: { error: unknown } }).body.error, sent], [null, 1])
  await pendingApproval(refund())
  assert.equal(
    (await s.foreign(contract.listUntrustedSources, { params: { session_id } })).status,
    404,
    'the session of another project',
  )
  for (const body of [{ category: 'post' }, { note: 'x' }, { category: 'mail', note: '' }])
    assert.equal(
      (await call(contract.addUntrustedSource, { params: { session_id }, body: body as never })).status,
      400,
    )
})

test('data flow: categories, toolkits and calls outside of sessions', async (t) => {
  const s = await startApprovalsApp(t)
  const { call, callTool, policy, sentDuring } = s
  const outcome = async (more: Partial<contract.PolicyCondition>, session_id?: string) => {
    const { id } = await policy({ ...ASK, when: { ...ASK.when, ...more } })
    const { body } = await call(contract.checkPolicies, {
      body: { tool_slug: 'SHOP_REFUND', arguments: { id: '7' }, ...(session_id && { session_id }) },
    })
    await call(contract.deletePolicy, { params: { policy_id: id } })
    return [body.outcome, body.policies[0]?.certain]
  }
  const session_id = await openSession(s)
  assert.deepEqual(await outcome({}, session_id), ['allow', undefined], 'nothing was read')
  await entriesOf(s, session_id)['execute']!('SHOP_GET_ORDER', { id: '7' })
  const results = [
    await outcome({}, session_id),
    await outcome({ untrusted_content: { categories: ['mail'] } }, session_id),
    await outcome({ untrusted_content: { categories: ['mail', 'records'], toolkits: ['SHOP'] } }, session_id),
    await outcome({ untrusted_content: { toolkits: ['gmail'] } }, session_id),
    await outcome({ sends_data: false }, session_id),
    await outcome({}),
    await outcome({ untrusted_content: { traced_only: true } }),
  ]
  assert.deepEqual(results, [
    ['ask', true],
    ['allow', undefined],
    ['ask', true],
    ['allow', undefined],
    ['allow', undefined],
    ['ask', false],
    ['allow', undefined],
  ])
  await policy(ASK)
  const [reply, sent] = await sentDuring(() => callTool({}, 'SHOP_REFUND'))
  assert.deepEqual([reply.body.error, sent], ['Approval required', 0], 'what the caller has read is unknown')
})

test('data flow: an MCP server knows what its URL has read, for a day', async (t) => {
  const s = await startApprovalsApp(t)
  const { account, call, callMcp, db, policy, sentDuring } = s
  await policy(ASK)
  const { body } = await call(createCustomMcpServer, { body: { name: 'Shop helper', toolkits: ['shop'] } })
  const refund = (url: string, id: string) => sentDuring(() => callMcp(url, 'SHOP_REFUND', { id }))
  const [url, other] = [
    `/v3/mcp/${body.id}?user_id=u1`,
    `/v3/mcp/${body.id}?user_id=u1&connected_account_id=${account}`,
  ]
  assert.equal((await refund(url, '1'))[1], 1)
  await callMcp(url, 'SHOP_GET_ORDER', { id: '7' })
  const [withheld, sent] = await refund(url, '2')
  assert.deepEqual([/Approval required/.test(JSON.stringify(withheld)), sent], [true, 0])
  assert.equal((await refund(other, '3'))[1], 1, 'another URL is another agent')
  await db.run(sql`update untrusted_sources set expires_at = now() - interval '1 minute'`)
  assert.equal((await refund(url, '4'))[1], 1)
  await removeOldSources(db)
  assert.equal(await db.run(sql`select 1 from untrusted_sources`), 0)
})

test('data flow: notes and recipes of a session that has read mark the sessions that use them', async (t) => {
  const s = await startApprovalsApp(t)
  const { call, db } = s
  type Body = NonNullable<RequestOf<typeof executeMeta>['body']>
  const meta = (session_id: string, slug: Body['slug'], args: Record<string, unknown>) =>
    call(executeMeta, { params: { session_id }, body: { slug, arguments: args } })
  const note = (session_id: string, text: string) =>
    meta(session_id, 'SERVICE_MULTI_EXECUTE_TOOL', {
      tools: [{ tool_slug: 'SHOP_GET_ORDER', arguments: { id: '1' } }],
      sync_response_to_workbench: false,
      memory: { shop: [text] },
    })
  const sourcesOf = async (session_id: string) =>
    (await call(contract.listUntrustedSources, { params: { session_id } })).body.items.map(
      ({ category, tool_slug }) => `${category} ${tool_slug}`,
    )
  const search = { queries: [{ use_case: 'get an order' }], session: { generate_id: true } }
  const [clean, reader] = [await openSession(s), await openSession(s)]
  await meta(clean, 'SERVICE_UPSERT_RECIPE', RECIPE('SHOP_REFUND'))
  await note(reader, 'Orders have ids.')
  await meta(reader, 'SERVICE_UPSERT_RECIPE', RECIPE('SHOP_DROP'))
  const user = await openSession(s)
  await meta(user, 'SERVICE_GET_RECIPE', { recipe_slug: 'RUN_SHOP_REFUND' })
  assert.deepEqual(await sourcesOf(user), [], 'the recipe of a session that had read nothing')
  await meta(user, 'SERVICE_GET_RECIPE', { recipe_slug: 'RUN_SHOP_DROP' })
  assert.deepEqual(await sourcesOf(user), ['stored RECIPE_RUN_SHOP_DROP'])
  const finder = await openSession(s)
  const found = await meta(finder, 'SERVICE_SEARCH_TOOLS', search)
  assert.match(JSON.stringify(found.body), /Orders have ids/)
  assert.equal((await sourcesOf(finder)).length, 1)
  await call(deleteSession, { params: { session_id: finder } })
  await removeOldSources(db)
  assert.equal(await db.run(sql`select 1 from untrusted_sources where context_id = ${finder}`), 0)
  assert.equal((await sourcesOf(user)).length, 1, 'other sessions keep their sources')
})
