import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { TestApp } from '#fixtures/app.ts'
import {
  CLIENT,
  type ConnectedAccountsApp,
  form,
  oauth,
  requestsTo,
  startConnectedAccountsApp,
} from '#fixtures/connected-accounts.ts'
import { until } from '#fixtures/until.ts'
import { ERASED_ROWS } from '../../../app/wiring/project-erasure.ts'
import { listOrganizationAuditLog, verifyOrganizationAuditLog } from '../../../contract/audit-log.ts'
import { createProject, deleteProject, readProjectDeletion } from '../../../contract/projects/index.ts'
import { createSession } from '../../../contract/sessions/index.ts'
import { createWebhook } from '../../../contract/webhooks/index.ts'
import { sql, values } from '../../../platform/db/sql.ts'
import { startJobs } from '../../../platform/jobs/index.ts'
import { createLog } from '../../../platform/log.ts'

const TOKENS = { status: 'ACTIVE', access_token: 'access-secret', refresh_token: 'refresh-secret' }

/** Erased together with their bytes in the file store. */
const WITH_BYTES = ['files']

/** Tables with a project that an erasure leaves, and why. */
const LEFT: Readonly<Record<string, string>> = {
  api_keys: 'entries of the audit log name them; all are revoked',
  audit_chains: 'the audit log proves the deletion',
  audit_log: 'the audit log proves the deletion',
  incidents: 'they belong to the organization',
  project_data_keys: 'destroyed when the erasure ends, as the last of all',
  project_deletions: 'the deletion itself',
}

test('erasure: every table with data of projects is erased, or left for a reason', () => {
  const schema = readFileSync(new URL('../../../../migrations/schema.sql', import.meta.url), 'utf8')
  const tables = [...schema.matchAll(/^create table (\w+) \(\n([\s\S]*?)^\)/gm)]
    .filter(([, , columns]) => /^ {2}project_id /m.test(columns as string))
    .map(([, name]) => name as string)
  const known = [...ERASED_ROWS.map(({ table }) => table), ...WITH_BYTES, ...Object.keys(LEFT)]
  assert.deepEqual(known.sort(), tables.sort())
})

test('erasure: a deleted project is revoked at the providers and erased, with a proof in the audit log', async (t) => {
  let failures = 1
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [oauth(url, { revoke: { url: `${url}/revoke` } })],
    answer: ({ path }) => (path === '/revoke' && failures-- > 0 ? { status: 503 } : { json: { id: '7' } }),
  })
  const { projectId } = s.keys
  const other = (await s.org(createProject, { body: { name: 'survivor', should_create_api_key: true } })).body
  const survivor = s.as({ 'x-api-key': other.api_key as string })
  await survivor(createSession, { body: { user_id: 'u' } })
  await fillProject(s)
  const survivorRows = await rowsIn(s, other.id)
  assert.ok((await rowsIn(s, projectId)).length >= 6)

  assert.equal((await s.org(deleteProject, { params: { nano_id: projectId } })).status, 200)
  const read = () => s.org(readProjectDeletion, { params: { nano_id: projectId } })
  assert.equal((await read()).body.status, 'pending')
  const other404 = await s.org(readProjectDeletion, { params: { nano_id: other.id } })
  assert.equal(other404.status, 404, 'a project that was not deleted')

  const jobs = startJobs(s.databaseUrl, { schedules: [], tasks: s.app.tasks }, createLog('silent'))
  t.after(() => jobs.close())
  // The first attempt at the provider fails. The erasure waits for the revocation, which needs the account.
  await until('the revocation was tried', () => requestsTo(s, '/revoke').length > 0)
  assert.equal((await read()).body.status, 'pending')
  await until('the erasure is done', async () => {
    await s.app.db.run(sql`select 1 from graphile_worker.reschedule_jobs(
      array(select id from graphile_worker.jobs where locked_at is null), run_at => now())`)
    return (await read()).body.status === 'done'
  })

  assert.deepEqual(await rowsIn(s, projectId), [])
  assert.deepEqual(await rowsIn(s, other.id), survivorRows, 'nothing of another project is removed')
  assert.ok(requestsTo(s, '/revoke').some((request) => form(request)['token'] === 'refresh-secret'))
  const { removed, last_error: lastError } = (await read()).body
  assert.deepEqual(
    [removed['accounts'], removed['connected_accounts'], removed['user_memories'], lastError],
    [1, 1, 1, null],
  )
  const { items } = (await s.org(listOrganizationAuditLog, { query: { action: 'projects.erased' } })).body
  assert.deepEqual(
    [items.length, items[0]?.actor, items[0]?.object.id, items[0]?.after?.['connected_accounts_count']],
    [1, { type: 'system', id: null, name: null }, projectId, 1],
  )
  assert.equal((await s.org(verifyOrganizationAuditLog)).body.valid, true)
})

/** Names of the tables that have rows of a project. */
async function rowsIn(s: Pick<TestApp, 'app'>, id: string): Promise<string[]> {
  const counts = await Promise.all(
    [...ERASED_ROWS, ...WITH_BYTES.map((table) => ({ table }))].map(async ({ table }) => {
      const rows = await s.app.db.rows(
        sql`select 1 from query_to_xml(format('select 1 from %I where project_id = %L', ${table}::text, ${id}::text),
          true, true, '') x where x::text <> ''`,
      )
      return [table, rows.length] as const
    }),
  )
  return counts.filter(([, count]) => count > 0).map(([table]) => table)
}

/** Creates data of several features in the first project. */
async function fillProject(s: ConnectedAccountsApp): Promise<void> {
  const { projectId } = s.keys
  await s.addAccount(await s.addAuthConfig('OAUTH2', CLIENT), 'OAUTH2', TOKENS)
  await s.callTool()
  await s.call(createSession, { body: { user_id: 'u' } })
  await s.call(createWebhook, {
    body: { webhook_url: 'https://example.com/hook', enabled_events: ['service.trigger.message'] },
  })
  await s.app.db.run(
    sql`insert into user_memories ${values({
      id: 'mem_1',
      project_id: projectId,
      user_id: 'u',
      toolkit: 'shop',
      encrypted_payload: Buffer.from('x'),
    })}`,
  )
  await s.app.files.save(
    projectId,
    {
      toolkit: 'shop',
      tool: 'SHOP_GET_ORDER',
      name: 'a.txt',
      mimetype: 'text/plain',
      bytes: Buffer.from('secret'),
    },
    60,
  )
}
