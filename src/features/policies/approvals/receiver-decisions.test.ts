import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { pendingApproval, startApprovalsApp } from '#fixtures/approvals.ts'
import { upstream } from '#fixtures/upstream.ts'
import { until } from '#fixtures/until.ts'
import {
  type EventType,
  listEvents,
  readEvent,
  replayEvents,
  streamEvents,
} from '../../../contract/events/index.ts'
import { listAuditLog } from '../../../contract/audit-log.ts'
import * as contract from '../../../contract/policies/index.ts'
import { createProjectKey } from '../../../contract/projects/index.ts'
import * as webhooks from '../../../contract/webhooks/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { signature } from '../../../platform/webhook-signature.ts'

const REQUESTED: EventType[] = ['service.approval.requested']

/** Starts a shop whose large refunds need an approval, and a receiver of webhooks. */
async function startReceiver(t: TestContext) {
  const s = await startApprovalsApp(t)
  await s.askForLargeRefunds()
  const receiver = await upstream(t)
  const now = () => Math.floor(s.clock.now() / 1_000)
  return {
    ...s,
    receiver,
    now,
    subscribe: async (path: string, enabled_events = REQUESTED) =>
      (
        await s.call(webhooks.createWebhook, {
          body: { webhook_url: `${receiver.url}${path}`, enabled_events },
        })
      ).body,
    /** The client of a key with these permissions only. */
    restricted: async (permissions: Record<string, string[]>) => {
      const { body } = await s.org(createProjectKey, {
        params: { nano_id: s.keys.projectId },
        body: { permissions } as never,
      })
      return s.as({ 'x-api-key': body.key })
    },
    /** Sends a decision, signed with a secret. Returns the status, and the slug of the error or the new status. */
    decideSigned: async (
      body: object | string,
      key: string,
      { at = now(), id = 'msg_1', isSigned = true } = {},
    ) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const reply = await s.http.inject({
        method: 'POST',
        url: '/api/v3.1/approvals/answer',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(at),
          ...(isSigned ? { 'webhook-signature': signature([key], id, at, text) } : {}),
        },
        payload: text,
      })
      return [reply.statusCode, reply.json().error?.slug ?? reply.json().status]
    },
  }
}

const REJECTED = [401, 'Approval_SignatureRefused']

test('approval receivers: decide with their approval secret, even before they respond to the delivery', async (t) => {
  const s = await startReceiver(t)
  const { id: subscription, approval_secret: secret } = await s.subscribe('/approvals')
  const decisions: unknown[] = []
  s.receiver.answer = async ({ body }) => {
    const { data } = JSON.parse(body)
    decisions.push(
      await s.decideSigned({ approval_id: data.approval_id, decision: 'allow_once' }, secret as string),
    )
    return { status: 204 }
  }
  s.app.startDeliveries()
  const pending = await pendingApproval(s.refund({ id: 'signed' }))
  await until('the receiver decided', () => decisions.length > 0)
  assert.deepEqual(decisions, [[200, 'approved']])
  const read = await s.call(contract.readApproval, { params: { approval_id: pending['id'] } })
  assert.equal(read.body.decided_by, `webhook:${subscription}`)
  assert.equal((await s.refund({ id: 'signed' })).body.successful, true)
  const { items } = (await s.call(listAuditLog, { query: { object_id: pending['id'] } })).body
  assert.deepEqual(
    items.map(({ action, actor }) => [action, actor]),
    [['approvals.approve', { type: 'user', id: `webhook:${subscription}`, name: null }]],
  )
  const again = { approval_id: pending['id'], decision: 'deny' }
  assert.deepEqual(await s.decideSigned(again, secret as string), [409, 'Approval_NotPending'])
})

test('approval receivers: an invalid signature, another secret or a bad body decides nothing', async (t) => {
  const s = await startReceiver(t)
  const { secret, approval_secret: approvalSecret } = await s.subscribe('/approvals')
  const key = approvalSecret as string
  const others = await s.subscribe('/other', ['service.approval.decided'])
  const foreign = (
    await s.foreign(webhooks.createWebhook, {
      body: { webhook_url: `${s.receiver.url}/approvals`, enabled_events: REQUESTED },
    })
  ).body
  s.app.startDeliveries()
  const { id } = await pendingApproval(s.refund({ id: 'signed' }))
  await until('the approval was delivered', () => s.receiver.requests.length > 0)
  const good = { approval_id: id, decision: 'allow_once' }
  assert.equal(others.approval_secret, null)
  for (const [body, secretUsed, how] of [
    [good, secret, {}],
    [good, others.secret, {}],
    [good, foreign.approval_secret as string, {}],
    [good, key, { at: s.now() - 400 }],
    [good, key, { at: s.now() + 400 }],
    [good, key, { isSigned: false }],
    [good, key, { id: '' }],
    [{ ...good, approval_id: 'apr_unknown' }, key, {}],
  ] as const)
    assert.deepEqual(await s.decideSigned(body, secretUsed, how), REJECTED, JSON.stringify([body, how]))
  const bodies = [
    '',
    '{',
    '[]',
    'null',
    { ...good, decision: 'yes' },
    { ...good, approval_id: { a: 1 } },
    { decision: 'deny' },
  ]
  for (const body of bodies) assert.deepEqual(await s.decideSigned(body, key), [400, 'HTTP_BadRequest'])
  const read = await s.call(contract.readApproval, { params: { approval_id: id } })
  assert.equal(read.body.status, 'pending')
})

test('approval receivers: a subscription to which the approval was not sent cannot decide it', async (t) => {
  const s = await startReceiver(t)
  const early = await s.subscribe('/early')
  const { id } = await pendingApproval(s.refund({ id: 'sent-to-one' }))
  const late = await s.subscribe('/late')
  const decision = { approval_id: id, decision: 'allow_once' }
  assert.deepEqual(await s.decideSigned(decision, early.approval_secret as string), REJECTED, 'not sent yet')
  const { items } = (await s.call(listEvents, {})).body
  await s.call(replayEvents, { body: { event_ids: items.map((one) => one.id), subscription_id: late.id } })
  s.app.startDeliveries()
  await until('both received it', () => s.receiver.requests.length === 2)
  assert.deepEqual(
    await s.decideSigned(decision, late.approval_secret as string),
    REJECTED,
    'created afterwards',
  )
  assert.deepEqual(await s.decideSigned(decision, early.approval_secret as string), [200, 'approved'])
})

test('approval receivers: the approval secret is shown once, and rotation invalidates the former one', async (t) => {
  const s = await startReceiver(t)
  const created = await s.subscribe('/approvals', ['service.trigger.message'])
  assert.equal(created.approval_secret, null)
  const params = { id: created.id }
  const notReceiving = await s.call(webhooks.rotateApprovalSecret, { params })
  assert.equal(notReceiving.status, 400)
  const changed = await s.call(webhooks.updateWebhook, { params, body: { enabled_events: REQUESTED } })
  const first = changed.body.approval_secret as string
  assert.match(first, /^whsec_/)
  assert.equal(
    (await s.as({ 'x-api-key': s.keys.projectApiKey }, 'v3')(webhooks.readWebhook, { params })).body
      .approval_secret,
    null,
  )
  const second = (await s.call(webhooks.rotateApprovalSecret, { params })).body.approval_secret
  s.app.startDeliveries()
  const { id } = await pendingApproval(s.refund())
  await until('the approval was delivered', () => s.receiver.requests.length > 0)
  const decision = { approval_id: id, decision: 'deny' }
  assert.deepEqual(await s.decideSigned(decision, first), REJECTED)
  assert.deepEqual(await s.decideSigned(decision, second), [200, 'denied'])
  const stored = await s.db.one<{ text: string }>(
    sql`select encode(approval_secret, 'escape') as text from webhook_subscriptions where id = ${created.id}`,
  )
  assert.ok(stored && !stored.text.includes(second))
})

test('attack: a restricted key cannot make itself the receiver of approvals or session hooks', async (t) => {
  const s = await startReceiver(t)
  const attacker = await s.restricted({
    tool_execution: ['write'],
    webhooks: ['read', 'write'],
    sessions: ['write'],
  })
  const hook: EventType[] = ['service.session_hook.before_execute']
  const [approvals, hooks, plain] = [
    await s.subscribe('/approvals'),
    await s.subscribe('/hooks', hook),
    await s.subscribe('/plain', ['service.trigger.message']),
  ]
  const url = 'https://attacker.example/'
  const update = (id: string, body: object) => attacker(webhooks.updateWebhook, { params: { id }, body })
  const replies = [
    await attacker(webhooks.createWebhook, { body: { webhook_url: url, enabled_events: REQUESTED } }),
    await attacker(webhooks.createWebhook, { body: { webhook_url: url, enabled_events: hook } }),
    await update(plain.id, { enabled_events: REQUESTED }),
    await update(plain.id, { enabled_events: hook }),
    await update(approvals.id, { webhook_url: url }),
    await update(hooks.id, { webhook_url: url }),
    await update(hooks.id, { enabled_events: ['service.trigger.message'] }),
    await attacker(webhooks.deleteWebhook, { params: { id: hooks.id } }),
    await attacker(webhooks.rotateWebhookSecret, { params: { id: plain.id }, body: {} }),
    await attacker(webhooks.rotateApprovalSecret, { params: { id: approvals.id } }),
    await attacker(contract.approveCall, { params: { approval_id: 'apr_any' }, body: {} }),
  ]
  assert.deepEqual(
    replies.map(({ status, body }) => [status, (body as { error?: { slug: string } }).error?.slug]),
    replies.map(() => [403, 'APIKey_InsufficientPermissions']),
  )
  const { items } = (await s.call(webhooks.listWebhooks, {})).body
  assert.deepEqual(
    items.map((one) => [one.webhook_url, one.enabled_events]),
    [approvals, hooks, plain].map((one) => [one.webhook_url, one.enabled_events]),
  )
})

test('attack: a restricted key reads no webhook secret, on any version', async (t) => {
  const s = await startReceiver(t)
  const { id, secret, approval_secret: approvalSecret } = await s.subscribe('/approvals')
  const { body } = await s.org(createProjectKey, {
    params: { nano_id: s.keys.projectId },
    body: { permissions: { webhooks: ['read', 'write'], tool_execution: ['write'] } },
  })
  for (const version of ['v3', 'v3.1'])
    for (const path of ['', `/${id}`]) {
      const reply = await s.http.inject({
        url: `/api/${version}/webhook_subscriptions${path}`,
        headers: { 'x-api-key': body.key },
      })
      assert.equal(reply.statusCode, 200)
      assert.ok(!reply.body.includes(secret) && !reply.body.includes(approvalSecret as string), reply.body)
    }
})

test('attack: webhooks:read does not read the arguments of calls that wait for an approval', async (t) => {
  const s = await startReceiver(t)
  const [reader, approver] = [
    await s.restricted({ webhooks: ['read'] }),
    await s.restricted({ webhooks: ['read'], approvals: ['read', 'write'] }),
  ]
  const { id } = await pendingApproval(s.refund({ id: 'order-with-secret' }))
  const [event] = (await s.call(listEvents, {})).body.items
  const params = { event_id: event!.id }
  const query = { last_event_id: '0' }
  const texts = async (client: typeof reader) => [
    JSON.stringify((await client(readEvent, { params })).body),
    JSON.stringify((await client(streamEvents, { query })).body),
  ]
  for (const text of await texts(reader))
    assert.ok(text.includes(id) && !text.includes('order-with-secret'), text)
  for (const text of await texts(approver)) assert.ok(text.includes('order-with-secret'), text)
  assert.equal((await reader(contract.readApproval, { params: { approval_id: id } })).status, 403)
  assert.equal((await approver(contract.denyCall, { params: { approval_id: id } })).body.status, 'denied')
})

test('attack: an agent receives no link with which it could approve its own call', async (t) => {
  const s = await startReceiver(t)
  const rejected = await pendingApproval(s.refund())
  assert.equal(rejected['url'], undefined)
  const agent = await s.restricted({ tool_execution: ['write'], sessions: ['read', 'write'] })
  const link = await agent(contract.createApprovalLink, { params: { approval_id: rejected['id'] } })
  assert.equal(link.status, 403)
})
