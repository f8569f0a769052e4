import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Answer, Recorded } from '#fixtures/upstream.ts'
import { until } from '#fixtures/until.ts'
import { deleteAuthConfig } from '../../../contract/auth-configs/index.ts'
import {
  deleteConnectedAccount,
  readConnectedAccount,
  refreshConnectedAccount,
  revokeConnectedAccount,
  updateConnectedAccount,
} from '../../../contract/connected-accounts/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { startJobs } from '../../../platform/jobs/index.ts'
import { createLog } from '../../../platform/log.ts'
import {
  API_KEY,
  CLIENT,
  form,
  oauth,
  requestsTo,
  startConnectedAccountsApp,
} from '#fixtures/connected-accounts.ts'

const TOKENS = { status: 'ACTIVE', access_token: 'access-secret', refresh_token: 'refresh-secret' }

async function revocable(t: TestContext, revoke: (request: Recorded) => Answer = () => ({})) {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [oauth(url, { revoke: { url: `${url}/revoke` } }), API_KEY],
    answer: (request) => (request.path === '/revoke' ? revoke(request) : { json: { id: '7' } }),
  })
  const configId = await s.addAuthConfig('OAUTH2', CLIENT)
  const connected = () => s.addAccount(configId, 'OAUTH2', TOKENS)
  const end = (nanoid: string) => s.call(revokeConnectedAccount, { params: { nanoid } })
  const rows = () =>
    s.app.db.rows<Record<string, any>>(sql`select * from revocations order by created_at, id`)
  const work = () => {
    const jobs = startJobs(s.databaseUrl, { schedules: [], tasks: s.app.tasks }, createLog('silent'))
    t.after(() => jobs.close())
  }
  const ended = () =>
    until('no revocation is pending', async () => (await rows()).every(({ status }) => status !== 'pending'))
  const asked = () => requestsTo(s, '/revoke').map((request) => form(request)['token'])
  return { ...s, configId, connected, end, rows, work, ended, asked }
}

test('revocation: revokes the tokens at the provider and erases them; a second request does nothing', async (t) => {
  const s = await revocable(t)
  const id = await s.connected()
  const { status, body } = await s.end(id)
  assert.deepEqual(
    [status, body],
    [
      200,
      { revoked_tokens: ['refresh_token', 'access_token'], connected_account: { id, status: 'REVOKED' } },
    ],
  )
  assert.deepEqual(s.asked(), ['refresh-secret', 'access-secret'])
  const account = (await s.call(readConnectedAccount, { params: { nanoid: id } })).body
  assert.deepEqual(
    [account.status, Object.keys(account.state.val).sort()],
    ['REVOKED', ['revoked_at', 'status']],
  )
  assert.equal((await s.callTool()).status >= 400, true)
  assert.deepEqual((await s.end(id)).body.revoked_tokens, [])
  assert.equal(s.asked().length, 2)
  assert.equal((await s.call(refreshConnectedAccount, { params: { nanoid: id } })).body.status, 'INITIATED')
})

test('revocation: without support, in another status, or without the provider, nothing changes', async (t) => {
  const s = await revocable(t, () => ({ status: 503 }))
  const key = await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', { generic_api_key: 'k' })
  const unsupported = await s.end(key)
  assert.deepEqual(
    [unsupported.status, unsupported.body.error.slug],
    [400, 'ConnectedAccount_RevokeNotSupported'],
  )
  const id = await s.connected()
  const down = await s.end(id)
  assert.deepEqual([down.status, (await s.readAccount(id)).status], [502, 'ACTIVE'])
  await s.app.db.run(sql`update connected_accounts set status = 'EXPIRED' where id = ${id}`)
  const wrong = await s.end(id)
  assert.deepEqual([wrong.status, wrong.body.error.slug], [409, 'ConnectedAccount_NotRevokable'])
  assert.equal((await s.end('ca_none')).status, 404)
  assert.equal(
    (await (await s.otherProject())(revokeConnectedAccount, { params: { nanoid: id } })).status,
    404,
  )
})

test('revocation: credentials that a token refresh stores meanwhile are revoked too', async (t) => {
  const s = await revocable(t)
  const id = await s.connected()
  let behind = 1
  s.stub.answer = async () => {
    if (behind-- > 0)
      await s.app.db.run(
        sql`update connected_accounts set credentials_version = credentials_version + 1 where id = ${id}`,
      )
    return {}
  }
  assert.equal((await s.end(id)).status, 200)
  assert.equal(s.asked().length, 4)
  assert.equal((await s.readAccount(id)).status, 'REVOKED')
})

test('revocation: a deletion responds immediately, retries the revocation, and keeps no credentials', async (t) => {
  let isDown = true
  const s = await revocable(t, () => (isDown ? { status: 503 } : {}))
  const id = await s.connected()
  const { body } = await s.call(deleteConnectedAccount, {
    params: { nanoid: id },
    query: { revoke_on_delete: true },
  })
  assert.match(body.revoke_job_id ?? '', /^rvk_\w{12}$/)
  assert.equal((await s.call(readConnectedAccount, { params: { nanoid: id } })).status, 404)
  assert.deepEqual(await s.app.db.rows(sql`select payload from graphile_worker._private_jobs`), [
    { payload: { id: body.revoke_job_id } },
  ])
  s.work()
  await until('it was tried', async () => (await s.rows())[0]?.['attempts'] > 0)
  const [pending] = await s.rows()
  assert.deepEqual([pending?.['status'], pending?.['encrypted_payload'] !== null], ['pending', true])
  isDown = false
  await s.ended()
  const [row] = await s.rows()
  assert.deepEqual(
    [row?.['status'], row?.['revoked_tokens'], row?.['encrypted_payload'], row?.['last_error']],
    ['done', ['refresh_token', 'access_token'], null, null],
  )
  assert.deepEqual(s.asked().slice(-2), ['refresh-secret', 'access-secret'])
})

test('revocation: a deletion without revoke_on_delete sends no request to the provider', async (t) => {
  const s = await revocable(t)
  assert.deepEqual((await s.call(deleteConnectedAccount, { params: { nanoid: await s.connected() } })).body, {
    success: true,
  })
  assert.deepEqual([await s.rows(), s.asked()], [[], []])
})

test('revocation: deleting an auth config without revoke_on_delete revokes none of its connections', async (t) => {
  const s = await revocable(t)
  await s.connected()
  const { body } = await s.call(deleteAuthConfig, { params: { nanoid: s.configId } })
  assert.deepEqual([body, await s.rows(), s.asked()], [{}, [], []])
})

test('revocation: deleting an auth config can revoke all of its connections', async (t) => {
  const s = await revocable(t)
  const ids = [await s.connected(), await s.connected()]
  const { body } = await s.call(deleteAuthConfig, {
    params: { nanoid: s.configId },
    query: { revoke_on_delete: true },
  })
  assert.match(body.revoke_job_id ?? '', /^rvk_/)
  assert.deepEqual(
    (await s.rows()).map((row) => row['job_id']),
    [body.revoke_job_id, body.revoke_job_id],
  )
  s.work()
  await until(
    'both are there and done',
    async () => (await s.rows()).filter(({ status }) => status === 'done').length === 2,
  )
  for (const id of ids) assert.equal((await s.readAccount(id)).status, 'REVOKED')
})

test('revocation: credentials replaced before the job runs are revoked, and the new ones are kept', async (t) => {
  let isDown = true
  const key = { ...API_KEY, revoke: { method: 'DELETE', url: '/keys/{generic_api_key}' } }
  const s = await startConnectedAccountsApp(t, {
    auth: [key],
    answer: ({ method }) => (method === 'DELETE' && isDown ? { status: 503 } : { json: { id: '7' } }),
  })
  const config = await s.addAuthConfig('API_KEY')
  const id = await s.addAccount(config, 'API_KEY', { generic_api_key: 'old-secret-key' })
  const {
    body: { revoke_job_id: job },
  } = await s.call(deleteAuthConfig, { params: { nanoid: config }, query: { revoke_on_delete: true } })
  assert.match(job ?? '', /^rvk_/)
  const patched = await s.call(updateConnectedAccount, {
    params: { nanoid: id },
    body: {
      connection: { state: { authScheme: 'API_KEY', val: { generic_api_key: 'new-secret-key' } } },
    } as never,
  })
  assert.equal(patched.status, 200, JSON.stringify(patched.body))
  isDown = false
  const jobs = startJobs(s.databaseUrl, { schedules: [], tasks: s.app.tasks }, createLog('silent'))
  t.after(() => jobs.close())
  const row = () => s.app.db.one<Record<string, any>>(sql`select * from revocations`)
  await until('the revocation is done', async () => (await row())?.['status'] === 'done')
  assert.deepEqual(
    s.stub.requests.filter(({ method }) => method === 'DELETE').map(({ path }) => path),
    ['/keys/old-secret-key'],
  )
  const { credentials, status } = (await s.accountRow(id)) as { credentials: Buffer; status: string }
  assert.ok(credentials.length > 0 && status !== 'REVOKED', status)
  assert.equal((await row())?.['encrypted_payload'], null)
})

test('revocation: a final rejection of the provider is recorded without a secret', async (t) => {
  const s = await revocable(t, () => ({
    status: 400,
    json: { error: 'invalid_client', error_description: 'client-secret-1 is wrong for refresh-secret' },
  }))
  await s.call(deleteConnectedAccount, {
    params: { nanoid: await s.connected() },
    query: { revoke_on_delete: true },
  })
  s.work()
  await s.ended()
  const [row] = await s.rows()
  assert.deepEqual([row?.['status'], row?.['encrypted_payload'], row?.['attempts']], ['failed', null, 1])
  assert.doesNotMatch(JSON.stringify(row), /client-secret-1|refresh-secret/)
})
