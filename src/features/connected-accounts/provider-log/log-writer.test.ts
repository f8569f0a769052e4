import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ConnectedAccountsApp, startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'
import { sql } from '../../../platform/db/sql.ts'
import { createLog } from '../../../platform/log.ts'
import { createProviderRequestLog } from './log-writer.ts'
import { listProviderRequests, type ProviderRequestDraft } from './request-store.ts'

const draft = (s: ConnectedAccountsApp, id: string, code: string): ProviderRequestDraft => ({
  project_id: s.keys.projectId,
  connected_account_id: id,
  kind: 'probe',
  at: new Date(),
  duration_ms: 1,
  request: null,
  response: {},
  outcome: 'ok',
  code,
})

test('provider log: a request that ends before the row of its new account exists is written afterwards', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [{ scheme: 'BEARER_TOKEN' }] })
  const { db } = s.app
  const id = await s.addAccount(await s.addAuthConfig('BEARER_TOKEN'), 'BEARER_TOKEN', { token: 'x' })
  const log = createProviderRequestLog(db, createLog('silent'))
  log.add(() => [draft(s, 'ca_committed_later', 'first')])
  log.add(() => [draft(s, id, 'of_another_account')])
  await log.flush()
  const codes = () => db.rows<{ code: string }>(sql`select code from provider_requests order by id`)
  assert.deepEqual(await codes(), [{ code: 'of_another_account' }])
  await db.run(sql`update connected_accounts set id = 'ca_committed_later' where id = ${id}`)
  log.add(() => [draft(s, 'ca_committed_later', 'second')])
  await log.flush()
  assert.deepEqual(
    (await listProviderRequests(db, s.keys.projectId, 'ca_committed_later')).map(({ code }) => code),
    ['second', 'first'],
  )
})

test('provider log: an account that is locked makes neither other rows nor a reader wait, and its rows come later', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [{ scheme: 'BEARER_TOKEN' }] })
  const { db } = s.app
  const authConfig = await s.addAuthConfig('BEARER_TOKEN')
  const [locked, other] = [
    await s.addAccount(authConfig, 'BEARER_TOKEN', { token: 'x' }),
    await s.addAccount(authConfig, 'BEARER_TOKEN', { token: 'x' }, { user_id: 'other' }),
  ]
  const log = createProviderRequestLog(db, createLog('silent'))
  await db.begin(async (tx) => {
    await tx.rows(sql`select from connected_accounts where id = ${locked} for update`)
    for (const id of [locked, other]) log.add(() => [draft(s, id, 'ok')])
    // A reader can ask more often than an entry is tried.
    for (let reads = 0; reads < 10; reads++) await log.flush()
    assert.equal((await listProviderRequests(db, s.keys.projectId, other)).length, 1)
  })
  await log.flush()
  assert.equal((await listProviderRequests(db, s.keys.projectId, locked)).length, 1)
})
