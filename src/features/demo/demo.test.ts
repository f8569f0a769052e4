import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { listConnectedAccounts } from '../../contract/connected-accounts/index.ts'
import { listApprovals } from '../../contract/policies/index.ts'
import { readOverview } from '../../contract/overview.ts'
import { createDemoProject, createProjectKey, deleteProject } from '../../contract/projects/index.ts'
import { executeTool } from '../../contract/tools/index.ts'
import { listTriggers } from '../../contract/triggers/index.ts'
import { sql } from '../../platform/db/sql.ts'
import { EgressError } from '../../platform/egress/index.ts'
import { simulateApplications } from '../../server/simulated-applications.ts'
import { testApp, type TestApp } from '#fixtures/app.ts'
import { pastCalls } from './history.ts'

type Values = Record<string, unknown>
const NOW = Date.parse('2026-11-23T12:00:00Z')

test('past calls are in the last seven days, in order, and the same for the same time', () => {
  const calls = pastCalls(NOW)
  const times = calls.map(({ at }) => at)
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  )
  assert.ok(times.every((at) => at < NOW && at > NOW - 7 * 86_400_000))
  assert.deepEqual(calls, pastCalls(NOW))
  assert.notDeepEqual(calls, pastCalls(NOW + 1))
})

test('demo project', async (t) => {
  // An egress that fails: whatever reaches it would have left the server.
  const sent: string[] = []
  const it = await testApp(t, {
    simulateApplications,
    egress: {
      send: ({ url }) => {
        sent.push(String(url))
        return Promise.reject(new EgressError('connect', 'no network'))
      },
      check() {},
      lease: () => ({ add: () => true, release() {} }),
      close: async () => {},
      stats: () => ({ origins: 0, connections: 0, running: 0, waiting: 0 }),
    },
  })
  const { body, status } = await it.org(createDemoProject, {})
  assert.equal(status, 201, JSON.stringify(body))
  const key = await newKey(it, body.id)
  await assertContent(t, it, key, body)
  assert.equal(sent.length, 0, sent.join())

  await t.test('an organization has one', async () => {
    const second = await it.org(createDemoProject, {})
    assert.deepEqual([second.status, second.body], [200, body])
  })

  await t.test('other projects still reach applications', async () => {
    const call = it.as({ 'x-api-key': it.keys.projectApiKey })
    const reply = await call(executeTool, {
      params: { tool_slug: 'GITHUB_GET_THE_AUTHENTICATED_USER' },
      body: {
        arguments: {},
        custom_connection_data: {
          authScheme: 'BEARER_TOKEN',
          toolkitSlug: 'github',
          val: { token: 'simulated-token' },
        },
      },
    })
    assert.equal(reply.status, 502, JSON.stringify(reply.body))
    assert.ok(sent.some((url) => url.startsWith('https://api.github.com/')))
  })

  await t.test('deleting the project removes it', async () => {
    await it.org(deleteProject, { params: { nano_id: body.id } })
    assert.equal((await it.as({ 'x-api-key': key })(listConnectedAccounts, {})).status, 401)
  })
})

test('a demo project that cannot be filled is removed', async (t) => {
  const it = await testApp(t, { simulateApplications: () => Promise.reject(new Error('broken')) })
  assert.equal((await it.org(createDemoProject, {})).status, 500)
  // Not 200: nothing of the first attempt remains.
  assert.equal((await it.org(createDemoProject, {})).status, 500)
  const rows = await it.app.db.rows(sql`select 1 from projects where is_demo and deleted_at is null`)
  assert.deepEqual(rows, [])
  const without = await testApp(t)
  assert.equal((await without.org(createDemoProject, {})).status, 503)
})

async function assertContent(
  t: TestContext,
  it: TestApp,
  key: string,
  created: { id: string },
): Promise<void> {
  const call = it.as({ 'x-api-key': key })
  await t.test('it has accounts, a trigger and a pending approval', async () => {
    const accounts = await call(listConnectedAccounts, {})
    assert.equal(accounts.body.items.length, 6)
    assert.equal((await call(listTriggers, {})).body.items.length, 1)
    const approvals = await call(listApprovals, {})
    assert.deepEqual(
      approvals.body.items.map((one) => (one as { tool_slug: string }).tool_slug),
      ['STRIPE_CREATE_REFUND'],
    )
  })

  await t.test('its log has a week of calls, most of them successful', async () => {
    const { body } = await call(readOverview, { query: { range: '7d' } })
    const failing = pastCalls(NOW).filter(({ tool }) => tool === 'GITHUB_GET_AN_ISSUE')
    assert.ok(body.calls.total > failing.length)
    // The refund waits for its approval.
    assert.equal(body.calls.failed, failing.length + 1)
    assert.ok((body.calls.p50_ms ?? 0) >= 60)
  })

  await t.test('its tools run, against state that remains', async () => {
    const place = { owner: 'octocat', repo: 'hello-world' }
    const run = (slug: string, args: Record<string, unknown>) =>
      call(executeTool, { params: { tool_slug: slug }, body: { user_id: 'ada', arguments: args } })
    const issue = await run('GITHUB_CREATE_AN_ISSUE', { ...place, title: 'Only here' })
    assert.equal(issue.body.successful, true, JSON.stringify(issue.body))
    const read = await run('GITHUB_GET_AN_ISSUE', {
      ...place,
      issue_number: (issue.body.data as Values)['number'],
    })
    assert.equal((read.body.data as Values)['title'], 'Only here')
  })

  await t.test('the key that filled it is gone', async () => {
    const keys = await it.app.db.rows<{ name: string }>(
      sql`select name from api_keys where project_id = ${created.id} and deleted_at is null`,
    )
    assert.deepEqual(keys, [{ name: 'mine' }])
  })
}

async function newKey(it: TestApp, projectId: string): Promise<string> {
  const { body } = await it.org(createProjectKey, { params: { nano_id: projectId }, body: { name: 'mine' } })
  return body.key
}
