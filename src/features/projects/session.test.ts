import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { createAuthConfig, deleteAuthConfig, readAuthConfig } from '../../contract/auth-configs/index.ts'
import { createConnectedAccount, deleteConnectedAccount } from '../../contract/connected-accounts/index.ts'
import { readNanoId, readSessionInfo } from '../../contract/projects/index.ts'

const SLACK = {
  toolkit: { slug: 'slack' },
  auth_config: { type: 'use_custom_auth', authScheme: 'BEARER_TOKEN' },
} as const

test('the session has project, organization and key, and of the key only its last characters', async (t) => {
  const { keys, call } = await testApp(t)
  const {
    status,
    body: { project, api_key: key, org_member: member },
  } = await call(readSessionInfo)
  assert.equal(status, 200)
  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
  assert.match(project.id, uuid)
  assert.match(key.id, uuid)
  assert.deepEqual(
    {
      ...project,
      id: '',
      auto_id: 0,
      org_id: '',
      email: '',
      created_at: '',
      updated_at: '',
      org: { ...project.org, id: '' },
    },
    {
      id: '',
      auto_id: 0,
      nano_id: keys.projectId,
      org_id: '',
      name: 'default',
      email: '',
      created_at: '',
      updated_at: '',
      webhook_url: null,
      event_webhook_url: null,
      webhook_secret: null,
      triggers_enabled: true,
      last_subscribed_at: null,
      deleted: false,
      is_new_webhook: true,
      webhook_version: 'V2',
      org: { id: '', name: 'Default', plan: 'SELF_HOSTED' },
    },
  )
  assert.equal(project.org.id, project.org_id)
  assert.ok(Number.isInteger(project.auto_id) && Number.isInteger(key.auto_id))
  assert.deepEqual(
    [key.name, key.project_id, key.key, key.deleted, key.deleted_at],
    ['bootstrap', keys.projectId, `ak_**${keys.projectApiKey.slice(-4)}`, false, null],
  )
  assert.deepEqual([member.email, member.role], [project.email, 'admin'])
  assert.ok(!JSON.stringify([project, key, member]).includes(keys.projectApiKey.slice(3, -4)))
})

test('a legacy uuid returns the id it belongs to, in any letter case', async (t) => {
  const { call } = await testApp(t)
  const {
    body: {
      auth_config: { id },
    },
  } = await call(createAuthConfig, { body: SLACK })
  const {
    body: { uuid },
  } = await call(readAuthConfig, { params: { nanoid: id } })
  for (const spelled of [uuid, uuid.toUpperCase()]) {
    const { status, body } = await call(readNanoId, { query: { uuid: spelled, type: 'AUTH_CONFIG' } })
    assert.deepEqual([status, body], [200, { nanoid: id }])
  }
  const account = await call(createConnectedAccount, {
    body: {
      auth_config: { id },
      connection: { user_id: 'u', state: { authScheme: 'BEARER_TOKEN', val: { token: 'xoxb-1' } } },
    },
  })
  assert.deepEqual(
    (await call(readNanoId, { query: { uuid: account.body.deprecated.uuid, type: 'CONNECTED_ACCOUNT' } }))
      .body,
    { nanoid: account.body.id },
  )
  const crossed = await call(readNanoId, { query: { uuid, type: 'CONNECTED_ACCOUNT' } })
  assert.deepEqual([crossed.status, crossed.body.error.code], [404, 701], 'the uuid of another kind')
})

test('an unknown uuid is not found, a deleted resource is gone', async (t) => {
  const { call } = await testApp(t)
  for (const type of ['AUTH_CONFIG', 'CONNECTED_ACCOUNT', 'TRIGGER_INSTANCE'] as const) {
    const { status, body } = await call(readNanoId, { query: { uuid: randomUUID(), type } })
    assert.deepEqual([status, body.error.slug, body.error.code], [404, 'Migration_NotFound', 701])
  }
  const {
    body: {
      auth_config: { id },
    },
  } = await call(createAuthConfig, { body: SLACK })
  const {
    body: { uuid },
  } = await call(readAuthConfig, { params: { nanoid: id } })
  const account = await call(createConnectedAccount, {
    body: {
      auth_config: { id },
      connection: { user_id: 'u', state: { authScheme: 'BEARER_TOKEN', val: { token: 'xoxb-1' } } },
    },
  })
  await call(deleteConnectedAccount, { params: { nanoid: account.body.id } })
  await call(deleteAuthConfig, { params: { nanoid: id } })
  for (const query of [
    { uuid, type: 'AUTH_CONFIG' },
    { uuid: account.body.deprecated.uuid, type: 'CONNECTED_ACCOUNT' },
  ] as const) {
    const { status, body } = await call(readNanoId, { query })
    assert.deepEqual([status, body.error.slug, body.error.code], [410, 'Migration_Gone', 702])
  }
})

test('another project cannot tell a uuid of ours from an unknown one, deleted or not', async (t) => {
  const { call, otherProject } = await testApp(t)
  const them = await otherProject()
  const {
    body: {
      auth_config: { id },
    },
  } = await call(createAuthConfig, { body: SLACK })
  const {
    body: { uuid },
  } = await call(readAuthConfig, { params: { nanoid: id } })
  const theirs = async () =>
    (await them(readNanoId, { query: { uuid, type: 'AUTH_CONFIG' } })).body.error.code
  assert.equal(await theirs(), 701)
  await call(deleteAuthConfig, { params: { nanoid: id } })
  assert.equal(await theirs(), 701)
})

test('what is not a uuid or not a kind is rejected', async (t) => {
  const { call } = await testApp(t)
  const uuid = randomUUID()
  for (const [query, part] of [
    [{ uuid: 'nope', type: 'AUTH_CONFIG' }, 'uuid'],
    [{ uuid: `urn:uuid:${uuid}`, type: 'AUTH_CONFIG' }, 'uuid'],
    [{ uuid: `{${uuid}}`, type: 'AUTH_CONFIG' }, 'uuid'],
    [{ type: 'AUTH_CONFIG' }, 'uuid'],
    [{ uuid, type: 'PLANET' }, 'type'],
    [{ uuid }, 'type'],
  ] as const) {
    const { status, body } = await call(readNanoId, { query: query as never })
    assert.deepEqual([status, body.error.code], [400, 10400], JSON.stringify(query))
    assert.ok(
      body.error.errors.length &&
        body.error.errors.every((text) => text.startsWith(`Error in query.${part}: `)),
    )
  }
})
