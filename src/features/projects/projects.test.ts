import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp, type TestApp } from '#fixtures/app.ts'
import {
  createProject,
  deleteProject,
  listProjects,
  readProject,
  readProjectConfig,
} from '../../contract/projects/index.ts'
import { sql } from '../../platform/db/sql.ts'

const CONFIG = {
  is_2FA_enabled: false,
  mask_secret_keys_in_connected_account: false,
  log_visibility_setting: 'dont_store_data' as const,
}
const projectsIn = async ({ app }: TestApp) =>
  (await app.db.rows(sql`select id from projects where deleted_at is null`)).length

test('a new project has the name that was asked for and no key', async (t) => {
  const { app, org } = await testApp(t)
  const { status, body } = await org(createProject, { body: { name: 'billing_prod' } })
  assert.equal(status, 200)
  assert.match(body.id, /^proj_[A-Za-z0-9]{12}$/)
  assert.deepEqual(body, { id: body.id, name: 'billing_prod', api_key: null })
  assert.deepEqual(await app.db.rows(sql`select id from api_keys where project_id = ${body.id}`), [])
})

test('with should_create_api_key it has a key that works for it and for no other project', async (t) => {
  const { keys, org, as } = await testApp(t)
  const { body } = await org(createProject, {
    body: { name: 'billing_prod', should_create_api_key: true, config: CONFIG },
  })
  assert.match(body.api_key ?? '', /^ak_[A-Za-z0-9]{32}$/)
  const config = await as({ 'x-api-key': body.api_key ?? '' })(readProjectConfig)
  assert.equal(config.body.log_visibility_setting, 'dont_store_data')
  assert.equal(
    (await as({ 'x-api-key': keys.projectApiKey })(readProjectConfig)).body.log_visibility_setting,
    'show_all',
  )
})

test('a name has 3 to 75 letters, digits, hyphens and underscores', async (t) => {
  const app = await testApp(t)
  for (const name of ['ab', 'a'.repeat(76), 'has space', 'ümlaut', 'dot.dot', '', 'line\nbreak', 'tail\n']) {
    const { status, body } = await app.org(createProject, { body: { name } })
    assert.deepEqual([status, body.error.code], [400, 10400], JSON.stringify(name))
    assert.match(body.error.errors[0] ?? '', /^Error in payload\.name: /)
  }
  assert.equal(await projectsIn(app), 1)
  for (const name of ['abc', 'a'.repeat(75), 'A-b_9'])
    assert.equal((await app.org(createProject, { body: { name } })).status, 200)
})

test('a name exists once in an organization, until its project is deleted', async (t) => {
  const app = await testApp(t)
  const { body: first } = await app.org(createProject, { body: { name: 'billing' } })
  const again = await app.org(createProject, { body: { name: 'billing', should_create_api_key: true } })
  assert.deepEqual(
    [again.status, again.body.error.slug, again.body.error.code],
    [400, 'Project_NameTaken', 902],
  )
  assert.equal(
    (await app.app.db.rows(sql`select id from api_keys where kind = 'project'`)).length,
    1,
    'no key is left of the rejected project',
  )
  await app.org(deleteProject, { params: { nano_id: first.id } })
  assert.equal((await app.org(createProject, { body: { name: 'billing' } })).status, 200)
})

test('of ten creations of one name at once exactly one succeeds', async (t) => {
  const app = await testApp(t)
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => app.org(createProject, { body: { name: 'same' } })),
  )
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(9).fill(400)])
})

test('a configuration given at creation needs its three leading settings', async (t) => {
  const app = await testApp(t)
  for (const missing of Object.keys(CONFIG)) {
    const { status, body } = await app.org(createProject, {
      body: { name: 'billing', config: { ...CONFIG, [missing]: undefined } as never },
    })
    assert.deepEqual([status, body.error.errors], [400, [`Error in payload.config.${missing}: is required`]])
  }
  assert.equal(await projectsIn(app), 1)
})

test('projects are listed newest first in `data`, page by page', async (t) => {
  const { org } = await testApp(t)
  for (const name of ['one', 'two', 'three']) await org(createProject, { body: { name } })
  const { body: first } = await org(listProjects, { query: { limit: 3 } })
  assert.deepEqual(
    first.data.map(({ name }) => name),
    ['three', 'two', 'one'],
  )
  assert.deepEqual(
    { ...first, data: [], next_cursor: first.next_cursor?.slice(0, 4) },
    { data: [], next_cursor: 'Mi0z', total_pages: 2, current_page: 1, total_items: 4 },
  )
  const { body: second } = await org(listProjects, { query: { cursor: first.next_cursor ?? '' } })
  assert.deepEqual(
    second.data.map(({ name }) => name),
    ['default'],
  )
  assert.deepEqual([second.next_cursor, second.current_page], [null, 2])
})

test('a project shows every field; its keys are clear on v3 and masked on v3.1', async (t) => {
  const { keys, org, as } = await testApp(t)
  const { status, body } = await org(readProject, { params: { nano_id: keys.projectId } })
  assert.equal(status, 200)
  const {
    api_keys: [key],
    created_at: created,
    updated_at: updated,
    email,
    org_id: orgId,
    ...rest
  } = body
  assert.deepEqual(rest, {
    id: keys.projectId,
    name: 'default',
    last_subscribed_at: null,
    webhook_url: null,
    event_webhook_url: null,
    webhook_secret: null,
    triggers_enabled: true,
    is_new_webhook: true,
    deleted: false,
    webhook_version: 'V2',
  })
  assert.deepEqual([new Date(created).toISOString(), new Date(updated).toISOString()], [created, updated])
  assert.match(email, /^project-\d+@localhost$/)
  assert.match(orgId, /^org_/)
  assert.deepEqual(
    { ...key, id: '', created_at: '' },
    { id: '', name: 'bootstrap', key: keys.projectApiKey, created_at: '' },
  )

  const masked = `ak_**${keys.projectApiKey.slice(-4)}`
  const newer = as({ 'x-org-api-key': keys.organizationApiKey }, 'v3.1')
  assert.equal(
    (await newer(readProject, { params: { nano_id: keys.projectId } })).body.api_keys[0]?.key,
    masked,
  )
  assert.equal((await newer(listProjects)).body.data[0]?.api_keys[0]?.key, masked)
})

test('an id may be spelled pr_ or proj_', async (t) => {
  const { keys, org } = await testApp(t)
  const { body } = await org(readProject, { params: { nano_id: keys.projectId.replace('proj_', 'pr_') } })
  assert.equal(body.id, keys.projectId)
})

test('an unknown project is not found, and an id of another kind is rejected', async (t) => {
  const { org } = await testApp(t)
  for (const route of [readProject, deleteProject]) {
    const none = await org(route, { params: { nano_id: 'proj_none' } })
    assert.deepEqual(
      [none.status, none.body.error.slug, none.body.error.code],
      [404, 'Project_NotFound', 901],
    )
    assert.equal((await org(route, { params: { nano_id: 'ac_none' } })).status, 400)
  }
})

test('another organization sees no project of ours and cannot tell that one exists', async (t) => {
  const { app, keys, as } = await testApp(t)
  const theirKey = await otherOrganization(app.db)
  const them = as({ 'x-org-api-key': theirKey })
  assert.deepEqual((await them(listProjects)).body.data, [])
  for (const route of [readProject, deleteProject]) {
    const ours = await them(route, { params: { nano_id: keys.projectId } })
    const none = await them(route, { params: { nano_id: 'proj_none' } })
    assert.deepEqual(
      [ours.status, ours.body.error.slug, ours.body.error.message.replace(keys.projectId, 'proj_none')],
      [none.status, none.body.error.slug, none.body.error.message],
    )
  }
  assert.equal(
    (await as({ 'x-api-key': keys.projectApiKey })(readProjectConfig)).status,
    200,
    'nothing was deleted',
  )
})

test('a deleted project is gone, and its keys stop at once', async (t) => {
  const { keys, org, as } = await testApp(t)
  const { body } = await org(createProject, { body: { name: 'billing', should_create_api_key: true } })
  const theirs = as({ 'x-api-key': body.api_key ?? '' })
  assert.equal((await theirs(readProjectConfig)).status, 200)
  const gone = await org(deleteProject, { params: { nano_id: body.id } })
  assert.deepEqual([gone.status, gone.body], [200, { status: 'success' }])
  assert.deepEqual(
    [
      (await theirs(readProjectConfig)).status,
      (await org(readProject, { params: { nano_id: body.id } })).status,
    ],
    [401, 404],
  )
  assert.equal((await org(deleteProject, { params: { nano_id: body.id } })).status, 404)
  assert.deepEqual(
    (await org(listProjects)).body.data.map(({ id }) => id),
    [keys.projectId],
  )
})

test('the last project stays, also when both of two are deleted at once', async (t) => {
  const { keys, call, org } = await testApp(t)
  const last = await org(deleteProject, { params: { nano_id: keys.projectId } })
  assert.deepEqual(
    [last.status, last.body.error.slug, last.body.error.code],
    [403, 'Project_LastProject', 903],
  )
  assert.equal((await call(readProjectConfig)).status, 200)
  const {
    body: { id },
  } = await org(createProject, { body: { name: 'second' } })
  const replies = await Promise.all(
    [keys.projectId, id].map((one) => org(deleteProject, { params: { nano_id: one } })),
  )
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 403])
  assert.equal((await org(listProjects)).body.total_items, 1)
})

/** A second organization; only the database can make one. Answers its key. */
async function otherOrganization(db: TestApp['app']['db']): Promise<string> {
  const key = `oak_${'x'.repeat(32)}`
  await db.run(sql`insert into organizations (id, name) values ('org_other', 'Other')`)
  await db.run(
    sql`insert into api_keys (id, kind, organization_id, name, key_hash, encrypted_key)
        values ('key_other', 'organization', 'org_other', 'k', sha256(${key}::bytea), ''::bytea)`,
  )
  return key
}
