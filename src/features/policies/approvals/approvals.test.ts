import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pendingApproval, startApprovalsApp } from '#fixtures/approvals.ts'
import * as contract from '../../../contract/policies/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { storedEvents } from '#fixtures/events.ts'

test('approvals: a pending call is not sent, and any other call needs its own approval', async (t) => {
  const { askForLargeRefunds, call, callTool: run, decide, refund, sentDuring } = await startApprovalsApp(t)
  await askForLargeRefunds()
  assert.equal((await refund({ amount: 100 })).body.successful, true)
  const [first, sent] = await sentDuring(() => pendingApproval(refund()))
  const again = await pendingApproval(refund())
  assert.deepEqual(
    [sent, again['id'], first['status'], first['choices'], first['arguments_preview'], first['reason']],
    [0, first['id'], 'pending', ['allow_once', 'deny'], { id: '7', amount: 500 }, 'Large refunds'],
  )
  assert.equal(
    (await run({ arguments: { id: '7', amount: 500 }, response: { dry_run: true } }, 'SHOP_REFUND')).body
      .successful,
    true,
  )
  const [approved, read] = [
    await decide(first['id']),
    (await call(contract.readApproval, { params: { approval_id: first['id'] } })).body,
  ]
  assert.deepEqual(
    [approved.status, read.status, read.decided_by?.startsWith('key:'), read.arguments],
    [200, 'approved', true, { id: '7', amount: 500 }],
  )
  assert.notEqual((await pendingApproval(refund({ amount: 501 })))['id'], first['id'], 'other arguments')
  assert.notEqual(
    (
      await pendingApproval(
        refund(
          {},
          {
            connected_account_id: undefined,
            custom_connection_data: {
              authScheme: 'API_KEY',
              toolkitSlug: 'shop',
              val: { generic_api_key: 'other' },
            },
          },
        ),
      )
    )['id'],
    first['id'],
    'other credentials',
  )
})

test('approvals: an approved call runs once, and a denied call does not run', async (t) => {
  const { askForLargeRefunds, call, decide, refund, sentDuring } = await startApprovalsApp(t)
  await askForLargeRefunds()
  const first = await pendingApproval(refund())
  const other = await pendingApproval(refund({ id: '8' }))
  await decide(first['id'])
  const [both, made] = await sentDuring(() => Promise.all([refund(), refund()]))
  assert.deepEqual(
    [both.filter(({ body }) => body.successful).length, made],
    [1, 1],
    'one of two at once used it',
  )
  const after = (await call(contract.readApproval, { params: { approval_id: first['id'] } })).body
  assert.deepEqual(
    [after.status, after.arguments, after.used_log_id],
    ['used', null, both.find(({ body }) => body.successful)!.body.log_id],
  )
  assert.equal((await decide(first['id'])).body.error.slug, 'Approval_NotPending')
  assert.deepEqual((await decide(other['id'], contract.denyCall)).body.status, 'denied')
  const denied = await refund({ id: '8' })
  assert.deepEqual([denied.body.error, denied.body.successful], ['Denied by user', false])
})

test('approvals: a call that fails before it is sent keeps its approval, and one that was sent does not', async (t) => {
  const { askForLargeRefunds, call, decide, refund, stub } = await startApprovalsApp(t)
  await askForLargeRefunds()
  const statusOf = async (id: string) =>
    (await call(contract.readApproval, { params: { approval_id: id } })).body.status
  const unsent = await pendingApproval(refund())
  await decide(unsent['id'])
  await stub.pause()
  assert.equal((await refund()).status, 502, 'the shop accepts no connection')
  const again = (await call(contract.readApproval, { params: { approval_id: unsent['id'] } })).body
  assert.deepEqual(
    [again.status, again.used_log_id, again.arguments],
    ['approved', null, { id: '7', amount: 500 }],
  )
  await stub.resume()
  assert.equal((await refund()).body.successful, true)
  assert.equal(await statusOf(unsent['id']), 'used')
  assert.deepEqual(
    (await call(contract.listDecisions, {})).body.items.map(({ event }) => event),
    ['used', 'restored', 'used', 'approved', 'requested'],
  )
  stub.answer = () => ({ status: 500, json: {} })
  const sent = await pendingApproval(refund({ id: 'broken' }))
  await decide(sent['id'])
  assert.equal((await refund({ id: 'broken' })).body.successful, false)
  assert.equal(
    await statusOf(sent['id']),
    'used',
    'an error of the application is no reason to send it again',
  )
})

test('approvals: events announce the request and the decision, and the log has every step', async (t) => {
  const { askForLargeRefunds, call, db, decide, refund } = await startApprovalsApp(t)
  await askForLargeRefunds()
  const first = await pendingApproval(refund())
  const other = await pendingApproval(refund({ id: '8' }))
  await decide(first['id'])
  await decide(other['id'], contract.denyCall)
  await refund()
  const events = (await storedEvents(db))
    .filter(({ data }) => [first['id'], other['id']].includes(data['approval_id']))
    .map(({ type, payload }) => `${type} ${payload !== undefined}`)
  assert.deepEqual(events, [
    'approval.requested true',
    'approval.requested true',
    'approval.decided false',
    'approval.decided false',
  ])
  assert.deepEqual(
    (await call(contract.listDecisions, {})).body.items
      .filter(({ approval_id }) => approval_id === first['id'])
      .map(({ event }) => event),
    ['used', 'approved', 'requested'],
  )
})

test('approvals: an expired, unknown or foreign approval cannot be decided or opened', async (t) => {
  const { askForLargeRefunds, call, db, decide, foreign, refund } = await startApprovalsApp(t)
  await askForLargeRefunds()
  const pending = await pendingApproval(refund({ id: 'late' }))
  for (const route of [
    contract.readApproval,
    contract.approveCall,
    contract.denyCall,
    contract.createApprovalLink,
  ]) {
    const [theirs, none] = [
      await foreign(route as typeof contract.readApproval, { params: { approval_id: pending['id'] } }),
      await call(route as typeof contract.readApproval, { params: { approval_id: 'apr_none' } }),
    ] as const
    assert.deepEqual([theirs.status, none.status], [404, 404])
  }
  await decide(pending['id'])
  await db.run(sql`update approvals set expires_at = now() where id = ${pending['id']}`)
  const next = await pendingApproval(refund({ id: 'late' }))
  assert.notEqual(next['id'], pending['id'])
  await db.run(sql`update approvals set expires_at = now() where id = ${next['id']}`)
  assert.equal((await decide(next['id'])).status, 409)
  assert.deepEqual(
    (await call(contract.listApprovals, { query: { status: 'expired' } })).body.items
      .map(({ id }) => id)
      .sort(),
    [pending['id'], next['id']].sort(),
  )
})

test('approvals: a pending call keeps its idempotency key, and no log row contains the page URL', async (t) => {
  const s = await startApprovalsApp(t)
  const { askForLargeRefunds, db, decide, http, keys } = s
  await askForLargeRefunds({ approval_link: true })
  const send = () =>
    http.inject({
      method: 'POST',
      url: '/api/v3/tools/execute/SHOP_REFUND',
      headers: { 'x-api-key': keys.projectApiKey, 'idempotency-key': 'one' },
      payload: { user_id: 'u1', version: 'latest', arguments: { id: 'key', amount: 900 } },
    })
  const { approval } = (await send()).json().data
  await decide(approval.id)
  assert.equal((await send()).json().successful, true)
  const row = await db.one<{ id: string; payload: Buffer }>(
    sql`select id, payload from tool_executions where encrypted_error is not null order by created_at desc limit 1`,
  )
  assert.ok(row && approval.url)
  const logged = s.encryptor.decrypt(row.payload, `tool_executions:${row.id}:payload`)
  assert.ok(!JSON.stringify(logged).includes('/approve/'))
})
