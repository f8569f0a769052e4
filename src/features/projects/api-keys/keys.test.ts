import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp, type TestApp } from '#fixtures/app.ts'
import {
  createProject,
  createProjectKey,
  deleteProjectKey,
  listProjectKeys,
  listProjects,
  readProject,
  readProjectConfig,
  regenerateProjectKey,
} from '../../../contract/projects/index.ts'
import { hashKey } from '../../../platform/crypto/index.ts'
import { sql } from '../../../platform/db/sql.ts'

const statusWith = async ({ as }: TestApp, key: string) =>
  (await as({ 'x-api-key': key })(readProjectConfig)).status

test('regenerate key: creates one key and revokes all earlier ones immediately, cached ones too', async (t) => {
  const app = await testApp(t)
  const { keys, org } = app
  const params = { nano_id: keys.projectId }
  const { body: second } = await org(createProjectKey, { params, body: { name: 'second' } })
  for (const key of [keys.projectApiKey, second.key])
    for (let again = 0; again < 2; again++) assert.equal(await statusWith(app, key), 200)

  const { status, body } = await org(regenerateProjectKey, { params })
  assert.equal(status, 200)
  assert.match(body.api_key.key, /^ak_[A-Za-z0-9]{32}$/)
  assert.match(body.api_key.name, /^[a-z]+_[a-z]+$/)
  assert.ok(body.message)
  assert.deepEqual(
    [
      await statusWith(app, keys.projectApiKey),
      await statusWith(app, second.key),
      await statusWith(app, body.api_key.key),
    ],
    [401, 401, 200],
  )
  assert.deepEqual((await org(readProject, { params })).body.api_keys, [body.api_key])
})

test('regenerate key: keys of other projects stay valid', async (t) => {
  const app = await testApp(t)
  const { body: other } = await app.org(createProject, {
    body: { name: 'other', should_create_api_key: true },
  })
  await app.org(regenerateProjectKey, { params: { nano_id: app.keys.projectId } })
  assert.equal(await statusWith(app, other.api_key ?? ''), 200)
})

test('regenerate key: after concurrent regenerations exactly one of their keys is valid', async (t) => {
  const app = await testApp(t)
  const params = { nano_id: app.keys.projectId }
  const replies = await Promise.all(
    Array.from({ length: 6 }, () => app.org(regenerateProjectKey, { params })),
  )
  const alive = await Promise.all(replies.map(({ body }) => statusWith(app, body.api_key.key)))
  assert.deepEqual(alive.sort(), [200, 401, 401, 401, 401, 401])
})

test('regenerate key: an unknown project is not found', async (t) => {
  const { org } = await testApp(t)
  const { status, body } = await org(regenerateProjectKey, { params: { nano_id: 'proj_none' } })
  assert.deepEqual([status, body.error.code], [404, 901])
})

test('create key: the key is shown in clear once and masked afterwards', async (t) => {
  const app = await testApp(t)
  const { keys, org } = app
  const params = { nano_id: keys.projectId }
  const { status, body } = await org(createProjectKey, {
    params,
    body: { name: 'ci', permissions: { tools: ['read'] }, allowed_ips: ['127.0.0.1', '10.0.0.0/8'] },
  })
  assert.equal(status, 201)
  assert.match(body.key, /^ak_[A-Za-z0-9]{32}$/)
  assert.deepEqual(
    { ...body, id: '', key: '', created_at: '' },
    {
      id: '',
      name: 'ci',
      key: '',
      created_at: '',
      permissions: { tools: ['read'] },
      allowed_ips: ['127.0.0.1', '10.0.0.0/8'],
      expires_at: null,
      last_used_at: null,
      replaced_by: null,
    },
  )
  const {
    body: { items },
  } = await org(listProjectKeys, { params })
  assert.deepEqual(items[1], { ...body, key: `ak_**${body.key.slice(-4)}` })
  assert.deepEqual([items.length, items[0]?.permissions, items[0]?.allowed_ips], [2, null, []])
})

test('create key: the default name has two words, and a key without permissions is unrestricted', async (t) => {
  const app = await testApp(t)
  const { body } = await app.org(createProjectKey, { params: { nano_id: app.keys.projectId }, body: {} })
  assert.match(body.name, /^[a-z]+_[a-z]+$/)
  assert.equal(body.permissions, null)
  assert.equal(await statusWith(app, body.key), 200)
})

test('delete key: the key is rejected immediately; other keys stay valid', async (t) => {
  const app = await testApp(t)
  const { keys, org } = app
  const params = { nano_id: keys.projectId }
  const { body: key } = await org(createProjectKey, { params, body: {} })
  const { body: other } = await org(createProject, { body: { name: 'other' } })
  assert.equal(await statusWith(app, key.key), 200)

  const foreign = await org(deleteProjectKey, { params: { nano_id: other.id, key_id: key.id } })
  assert.deepEqual(
    [foreign.status, foreign.body.error.slug, await statusWith(app, key.key)],
    [404, 'APIKey_NotFound', 200],
  )
  const done = await org(deleteProjectKey, { params: { ...params, key_id: key.id } })
  assert.deepEqual([done.status, done.body], [200, { success: true }])
  assert.deepEqual([await statusWith(app, key.key), await statusWith(app, keys.projectApiKey)], [401, 200])
  assert.equal((await org(deleteProjectKey, { params: { ...params, key_id: key.id } })).status, 404)
  assert.equal((await org(listProjectKeys, { params })).body.items.length, 1)
})

test('project keys: keys of an unknown project cannot be created or listed', async (t) => {
  const { app, org } = await testApp(t)
  const params = { nano_id: 'proj_none' }
  for (const reply of [
    await org(createProjectKey, { params, body: {} }),
    await org(listProjectKeys, { params }),
    await org(deleteProjectKey, { params: { ...params, key_id: 'key_none' } }),
  ]) {
    assert.deepEqual([reply.status, reply.body.error.slug], [404, 'Project_NotFound'])
  }
  assert.equal((await app.db.rows(sql`select id from api_keys where kind = 'project'`)).length, 1)
})

test('project keys: no row of the database contains a key in clear', async (t) => {
  const { app, keys, org, call } = await testApp(t)
  const params = { nano_id: keys.projectId }
  const made = [
    (await org(createProjectKey, { params, body: {} })).body.key,
    (await org(createProject, { body: { name: 'other', should_create_api_key: true } })).body.api_key ?? '',
  ]
  await call(readProjectConfig)
  await org(listProjects)
  const dump = await everyRow(app.db)
  for (const key of [keys.projectApiKey, keys.organizationApiKey, ...made]) {
    assert.match(key, /^o?ak_[A-Za-z0-9]{32}$/)
    assert.ok(dump.includes(hashKey(key).toString('hex')), 'the dump is the one that holds the key')
    const secret = key.slice(key.indexOf('_') + 1)
    for (const text of [secret, Buffer.from(secret).toString('hex'), Buffer.from(key).toString('base64')])
      assert.ok(!dump.includes(text))
  }
})

/** All tables as text; binary columns as hex digits. */
async function everyRow(db: TestApp['app']['db']): Promise<string> {
  const rows = await db.rows<{ dump: string }>(sql`
    select query_to_xml(format('select * from %I.%I', table_schema, table_name), true, false, '')::text as dump
    from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema')
      and table_type = 'BASE TABLE'`)
  // XML writes binary as base64; keys are to be found in hex as well.
  const text = rows.map(({ dump }) => dump).join('\n')
  const binary = await db.rows<{ hex: string }>(
    sql`select encode(key_hash, 'hex') || ' ' || encode(encrypted_key, 'hex') as hex from api_keys`,
  )
  return `${text}\n${binary.map(({ hex }) => hex).join('\n')}`
}
