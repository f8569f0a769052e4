import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { until } from '#fixtures/until.ts'
import { createIncident, listIncidents, readIncident } from '../../contract/incidents.ts'
import {
  refreshConnectedAccount,
  setConnectedAccountStatus,
} from '../../contract/connected-accounts/index.ts'
import { sql } from '../../platform/db/sql.ts'
import { startJobs } from '../../platform/jobs/index.ts'
import { createLog } from '../../platform/log.ts'
import {
  API_KEY,
  CLIENT,
  returnFromProvider,
  followShortLink,
  form,
  oauth,
  connectedAccountHelpers,
  requestsTo,
  startConnectedAccountsApp,
} from '#fixtures/connected-accounts.ts'

async function startIncidentsApp(t: TestContext) {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [oauth(url, { revoke: { url: `${url}/revoke` } }), API_KEY],
    answer: ({ path }) =>
      path === '/token'
        ? { json: { access_token: 'new-access' } }
        : path === '/revoke'
          ? {}
          : { json: { id: '7' } },
  })
  const configId = await s.addAuthConfig('OAUTH2', CLIENT)
  const connected = (user: string) =>
    s.addAccount(
      configId,
      'OAUTH2',
      { status: 'ACTIVE', access_token: `secret-of-${user}` },
      { user_id: user },
    )
  const create = (body: object) => s.org(createIncident, { body } as never)
  const read = (id: string) => s.org(readIncident, { params: { incident_id: id } })
  const startRevocationJobs = () => {
    const jobs = startJobs(s.databaseUrl, { schedules: [], tasks: s.app.tasks }, createLog('silent'))
    t.after(() => jobs.close())
  }
  const finished = (id: string) =>
    until('no revocation is pending', async () => {
      const { body } = await read(id)
      return body.revocations.pending === 0 && body
    })
  return {
    ...s,
    readAccount: s.readAccount,
    configId,
    connected,
    create,
    read,
    startRevocationJobs,
    finished,
  }
}

test('incidents: matching accounts are frozen and revoked, and the report lists unsupported revocations', async (t) => {
  const s = await startIncidentsApp(t)
  const [mine, theirs] = [await s.connected('u1'), await s.connected('u2')]
  const key = await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', { generic_api_key: 'k' })
  const { status, body } = await s.create({ user_id: 'u1', reason: 'laptop stolen' })
  assert.deepEqual([status, body.frozen, body.revocations.pending], [201, 2, 2])
  assert.equal((await s.callTool({ connected_account_id: mine })).status, 422)
  const { status: frozen, status_reason: reason } = await s.readAccount(mine)
  assert.deepEqual(
    [frozen, reason],
    ['INACTIVE', 'Frozen by the administrator after an incident: laptop stolen'],
  )
  assert.deepEqual(
    [(await s.readAccount(theirs)).status, (await s.callTool({ user_id: 'u2' })).status],
    ['ACTIVE', 200],
  )
  s.startRevocationJobs()
  const report = await s.finished(body.id)
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

test('incidents: an account reconnected before the revocation keeps new tokens; the old one is revoked', async (t) => {
  const s = await startIncidentsApp(t)
  const id = await s.connected('u1')
  const { body } = await s.create({ toolkit_slug: 'SHOP' })
  const flow = await s.call(refreshConnectedAccount, { params: { nanoid: id } })
  await returnFromProvider(s, {
    code: 'c',
    state: (await followShortLink(s, flow.body.redirect_url as string)).searchParams.get('state') as string,
  })
  s.startRevocationJobs()
  await s.finished(body.id)
  assert.deepEqual(
    requestsTo(s, '/revoke').map((request) => form(request)['token']),
    ['secret-of-u1'],
  )
  assert.equal((await s.readAccount(id)).status, 'ACTIVE')
  assert.equal((await s.callTool()).body.successful, true)
})

test('incidents: filters combine, other projects are not affected, and a filter is required', async (t) => {
  const s = await startIncidentsApp(t)
  const id = await s.connected('u1')
  const other = connectedAccountHelpers(s, await s.otherProject())
  const foreign = await other.addAccount(await other.addAuthConfig('OAUTH2', CLIENT), 'OAUTH2', {
    status: 'ACTIVE',
    access_token: 'a',
  })
  for (const body of [{}, { reason: 'x' }, { user_id: '' }, { project_id: 'ca_1' }])
    assert.equal((await s.create(body)).status, 400)
  assert.equal((await s.create({ project_id: 'proj_unknown12345' })).body.error.slug, 'Project_NotFound')
  assert.equal((await s.call(createIncident, { body: { user_id: 'u1' } })).status, 401)
  assert.equal((await s.create({ project_id: s.keys.projectId, user_id: 'nobody' })).body.frozen, 0)
  assert.deepEqual(
    [(await s.readAccount(id)).status, (await other.readAccount(foreign)).status],
    ['ACTIVE', 'ACTIVE'],
  )
  assert.equal((await s.create({ project_id: s.keys.projectId })).body.frozen, 1)
  assert.deepEqual(
    [(await s.readAccount(id)).status, (await other.readAccount(foreign)).status],
    ['INACTIVE', 'ACTIVE'],
  )
  await s.app.db.run(sql`insert into organizations (id, name) values ('org_other', 'Others')`)
  await s.app.db.run(
    sql`insert into incidents (id, organization_id, user_id) values ('inc_theirs', 'org_other', 'u1')`,
  )
  assert.equal((await s.read('inc_theirs')).body.error.slug, 'Incident_NotFound')
  const list = await s.org(listIncidents, { query: { limit: 10 } })
  assert.deepEqual(
    list.body.items.map(({ user_id: user, frozen, revocations }) => [user, frozen, revocations.pending]),
    [
      [null, 1, 1],
      ['nobody', 0, 0],
    ],
  )
  assert.equal(
    (await s.call(setConnectedAccountStatus, { params: { nanoid: id }, body: { enabled: true } })).status,
    200,
  )
})
