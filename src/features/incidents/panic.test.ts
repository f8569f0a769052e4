import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#fixtures/until.ts'
import { createIncident, readIncident } from '../../contract/incidents.ts'
import { refreshConnectedAccount, setConnectedAccountStatus } from '../../contract/connected-accounts.ts'
import { sql } from '../../platform/db/sql.ts'
import { startJobs } from '../../platform/jobs/index.ts'
import { createLog } from '../../platform/log.ts'
import {
  API_KEY,
  CLIENT,
  comeBack,
  authorizeRequest,
  form,
  oauth,
  onStage,
  requestsTo,
  stage,
} from '#fixtures/connected-accounts.ts'

async function staged(t: import('node:test').TestContext) {
  const s = await stage(t, {
    auth: (url) => [oauth(url, { revoke: { url: `${url}/revoke` } }), API_KEY],
    answer: ({ path }) =>
      path === '/token'
        ? { json: { access_token: 'new-access' } }
        : path === '/revoke'
          ? {}
          : { json: { id: '7' } },
  })
  const configId = await s.config('OAUTH2', CLIENT)
  const connected = (user: string) =>
    s.account(configId, 'OAUTH2', { status: 'ACTIVE', access_token: `secret-of-${user}` }, { user_id: user })
  const panic = (body: object) => s.org(createIncident, { body } as never)
  const read = (id: string) => s.org(readIncident, { params: { incident_id: id } })
  const work = () => {
    const jobs = startJobs(s.databaseUrl, { schedules: [], tasks: s.app.tasks }, createLog('silent'))
    t.after(() => jobs.close())
  }
  const ended = (id: string) =>
    until('nothing is pending', async () => {
      const { body } = await read(id)
      return body.revocations.pending === 0 && body
    })
  return { ...s, readAccount: s.read, configId, connected, panic, read, work, ended }
}

test('what matches is frozen at once, revoked at the provider, and what cannot be revoked is told', async (t) => {
  const s = await staged(t)
  const [mine, theirs] = [await s.connected('u1'), await s.connected('u2')]
  const key = await s.account(await s.config('API_KEY'), 'API_KEY', { generic_api_key: 'k' })
  const { status, body } = await s.panic({ user_id: 'u1', reason: 'laptop stolen' })
  assert.deepEqual([status, body.frozen, body.revocations.pending], [201, 2, 2])
  assert.equal((await s.run({ connected_account_id: mine })).status, 422)
  const { status: frozen, status_reason: reason } = await s.readAccount(mine)
  assert.deepEqual([frozen, reason], ['INACTIVE', 'Frozen by the operator after an incident: laptop stolen'])
  assert.deepEqual(
    [(await s.readAccount(theirs)).status, (await s.run({ user_id: 'u2' })).status],
    ['ACTIVE', 200],
  )
  s.work()
  const report = await s.ended(body.id)
  assert.deepEqual(report.revocations, { pending: 0, done: 1, failed: 0, unsupported: 1 })
  const byAccount = Object.fromEntries(report.items.map((item) => [item.connected_account_id, item]))
  assert.deepEqual(
    [
      byAccount[mine]?.revocation,
      byAccount[mine]?.tools_count,
      byAccount[mine]?.toolkit,
      byAccount[key]?.revocation,
    ],
    ['done', 1, { slug: 'shop' }, 'unsupported'],
  )
  assert.match(byAccount[key]?.last_error ?? '', /in the application itself/)
  assert.deepEqual(
    [(await s.readAccount(mine)).status, (await s.readAccount(key)).status],
    ['REVOKED', 'INACTIVE'],
  )
  assert.doesNotMatch(JSON.stringify(report), /secret-of/)
})

test('an account that is connected again before the provider was asked keeps its new access; the old one is ended', async (t) => {
  const s = await staged(t)
  const id = await s.connected('u1')
  const { body } = await s.panic({ toolkit_slug: 'SHOP' })
  const walk = await s.call(refreshConnectedAccount, { params: { nanoid: id } })
  await comeBack(s, {
    code: 'c',
    state: (await authorizeRequest(s, walk.body.redirect_url as string)).searchParams.get('state') as string,
  })
  s.work()
  await s.ended(body.id)
  assert.deepEqual(
    requestsTo(s, '/revoke').map((request) => form(request)['token']),
    ['secret-of-u1'],
  )
  assert.equal((await s.readAccount(id)).status, 'ACTIVE')
  assert.equal((await s.run()).body.successful, true)
})

test('scopes narrow each other, other projects and organizations are left alone, and nothing is frozen without a scope', async (t) => {
  const s = await staged(t)
  const id = await s.connected('u1')
  const other = onStage(s, await s.otherProject())
  const foreign = await other.account(await other.config('OAUTH2', CLIENT), 'OAUTH2', {
    status: 'ACTIVE',
    access_token: 'a',
  })
  for (const body of [{}, { reason: 'x' }, { user_id: '' }, { project_id: 'ca_1' }])
    assert.equal((await s.panic(body)).status, 400)
  assert.equal((await s.panic({ project_id: 'proj_unknown12345' })).body.error.slug, 'Project_NotFound')
  assert.equal((await s.call(createIncident, { body: { user_id: 'u1' } })).status, 401)
  assert.equal((await s.panic({ project_id: s.keys.projectId, user_id: 'nobody' })).body.frozen, 0)
  assert.deepEqual(
    [(await s.readAccount(id)).status, (await other.read(foreign)).status],
    ['ACTIVE', 'ACTIVE'],
  )
  assert.equal((await s.panic({ project_id: s.keys.projectId })).body.frozen, 1)
  assert.deepEqual(
    [(await s.readAccount(id)).status, (await other.read(foreign)).status],
    ['INACTIVE', 'ACTIVE'],
  )
  await s.app.db.run(sql`insert into organizations (id, name) values ('org_other', 'Others')`)
  await s.app.db.run(
    sql`insert into incidents (id, organization_id, user_id) values ('inc_theirs', 'org_other', 'u1')`,
  )
  assert.equal((await s.read('inc_theirs')).body.error.slug, 'Incident_NotFound')
  assert.equal(
    (await s.call(setConnectedAccountStatus, { params: { nanoid: id }, body: { enabled: true } })).status,
    200,
  )
})
