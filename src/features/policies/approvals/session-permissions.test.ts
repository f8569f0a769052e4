import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { pendingApproval, startApprovalsApp } from '#fixtures/approvals.ts'
import * as contract from '../../../contract/policies/index.ts'
import {
  createSession,
  deleteSession,
  executeInSession,
  proxyInSession,
} from '../../../contract/sessions/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { removeOrphanedGrants } from './store.ts'

/** Starts a shop with two sessions: `once` asks once for a tool, always for refunds, and denies drops. */
async function startSessions(t: TestContext) {
  const s = await startApprovalsApp(t)
  const { account, call } = s
  const open = async (permissions: object) =>
    (await call(createSession, { body: { user_id: 'u1', experimental: { permissions } as never } })).body
      .session_id
  return {
    ...s,
    once: await open({
      default: 'ask_once_per_session',
      overrides: { [`SHOP_DROP:${account}`]: 'always_deny', [`SHOP_REFUND:${account}`]: 'ask_always' },
    }),
    other: await open({ default: 'ask_once_per_session' }),
    inSession: (session_id: string, tool_slug: string, args: Record<string, unknown> = { id: '7' }) =>
      call(executeInSession, { params: { session_id }, body: { tool_slug, arguments: args } }),
    decideIn: (session_id: string, approval_id: string, decision: contract.Choice, by = call) =>
      by(contract.decideInSession, { params: { session_id, approval_id }, body: { decision } }),
    deleteRequest: (session_id: string) =>
      call(proxyInSession, {
        params: { session_id },
        body: { toolkit_slug: 'shop', endpoint: '/orders/7', method: 'DELETE' },
      }),
    grants: async (session_id: string) =>
      (
        await s.db.one<{ n: number }>(
          sql`select count(*)::int as n from approval_grants where session_id = ${session_id}`,
        )
      )?.n,
  }
}

test('session permissions: a grant for the session is valid in this session only', async (t) => {
  const { call, foreign, inSession, decideIn, once, other, sentDuring } = await startSessions(t)
  const [first, sent] = await sentDuring(() => pendingApproval(inSession(once, 'SHOP_GET_ORDER')))
  assert.deepEqual(
    [first['choices'], first['policy_ids'], sent],
    [['allow_once', 'allow_session', 'deny'], undefined, 0],
  )
  for (const [session, id, by, status] of [
    [other, first['id'], call, 404],
    [once, 'apr_none', call, 404],
    [once, first['id'], foreign, 404],
    ['trs_none', first['id'], call, 404],
  ] as const)
    assert.equal((await decideIn(session, id, 'allow_once', by)).status, status)
  const [ran, made] = await sentDuring(() => decideIn(once, first['id'], 'allow_session'))
  assert.deepEqual(
    [ran.status, ran.body.error, ran.body.data, made],
    [200, null, { id: '7' }, 1],
    JSON.stringify(ran.body),
  )
  assert.equal(
    (await inSession(once, 'SHOP_GET_ORDER', { id: '8' })).body.error,
    null,
    'any arguments, for the session',
  )
  assert.equal(
    (await pendingApproval(inSession(other, 'SHOP_GET_ORDER')))['status'],
    'pending',
    'not for another',
  )
})

test('session permissions: ask_always asks again, always_deny denies, requests get the strictest', async (t) => {
  const { inSession, decideIn, deleteRequest, once, other, sentDuring } = await startSessions(t)
  const always = await pendingApproval(inSession(once, 'SHOP_REFUND'))
  assert.equal((await decideIn(once, always['id'], 'allow_session')).body.error, null)
  const refusal = await decideIn(once, (await pendingApproval(inSession(once, 'SHOP_REFUND')))['id'], 'deny')
  assert.deepEqual([refusal.status, refusal.body.error], [200, 'Denied by user'])
  const [replies, sent] = await sentDuring(async () => [
    await inSession(once, 'SHOP_DROP'),
    await deleteRequest(once),
    await deleteRequest(other),
  ])
  assert.deepEqual(
    replies.map(({ status, body }) => [status, (body as never as { error: { slug: string } }).error.slug]),
    [
      [403, 'ActionExecute_PolicyRefused'],
      [403, 'ActionExecute_PolicyRefused'],
      [403, 'ActionExecute_ApprovalRequired'],
    ],
  )
  assert.equal(sent, 0)
})

test('session permissions: the log has every decision, and grants end with the session', async (t) => {
  const { call, db, decideIn, deleteRequest, grants, inSession, once } = await startSessions(t)
  const [allowed, denied] = [
    await pendingApproval(inSession(once, 'SHOP_GET_ORDER')),
    await pendingApproval(inSession(once, 'SHOP_REFUND')),
  ]
  await decideIn(once, allowed['id'], 'allow_session')
  await inSession(once, 'SHOP_GET_ORDER', { id: '8' })
  await decideIn(once, denied['id'], 'deny')
  await deleteRequest(once)
  const { items } = (await call(contract.listDecisions, { query: { limit: 100 } })).body
  assert.deepEqual(items.map(({ event }) => event).reverse(), [
    'requested',
    'requested',
    'approved',
    'let_by_session',
    'let_by_session',
    'denied',
    'refused',
  ])
  await removeOrphanedGrants(db)
  assert.equal(await grants(once), 1)
  await call(deleteSession, { params: { session_id: once } })
  await removeOrphanedGrants(db)
  assert.equal(await grants(once), 0)
})

test('session tags: tools with a tag in require_approval need an approval', async (t) => {
  const { call, inSession } = await startSessions(t)
  const tagged = (
    await call(createSession, {
      body: {
        user_id: 'u1',
        tags: { disable: ['updateHint'], require_approval: ['destructiveHint'] },
        tools: { shop: { tags: { require_approval: ['createHint'] } } },
      } as never,
    })
  ).body
  assert.deepEqual(
    [tagged.config.tags, tagged.config.tools],
    [
      { disabled: ['updateHint'], require_approval: ['destructiveHint'] },
      { shop: { tags: { require_approval: ['createHint'] } } },
    ],
  )
  for (const slug of ['SHOP_DROP', 'SHOP_REFUND']) await pendingApproval(inSession(tagged.session_id, slug))
  assert.equal((await inSession(tagged.session_id, 'SHOP_GET_ORDER')).body.error, null)
})
