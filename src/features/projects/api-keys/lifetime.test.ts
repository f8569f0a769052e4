import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp, type TestApp } from '#fixtures/app.ts'
import {
  createOrganizationKey,
  createProject,
  createProjectKey,
  deleteOrganizationKey,
  deleteProjectKey,
  listOrganizationKeys,
  listProjectKeys,
  listProjects,
  readProject,
  readProjectConfig,
  rotateOrganizationKey,
  rotateProjectKey,
} from '../../../contract/projects/index.ts'
import { listAuditLog, listOrganizationAuditLog } from '../../../contract/audit-log.ts'
import { listMembers } from '../../../contract/members.ts'
import { routes } from '../../../contract/index.ts'
import { ORGANIZATION_AREAS, type Route } from '../../../contract/route.ts'
import { hasKeyChecksum } from '../../../platform/crypto/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { authenticateAsKey, findKeyForSignIn } from '../key-sessions.ts'
import { createAuthenticator } from './authenticate.ts'

const DAY_MS = 86_400_000
const inDays = ({ clock }: TestApp, days: number) => new Date(clock.now() + days * DAY_MS).toISOString()
const projectStatus = async (app: TestApp, key: string) =>
  (await app.as({ 'x-api-key': key })(readProjectConfig)).status
const listedKey = async (app: TestApp, id: string) =>
  (await app.org(listProjectKeys, { params: { nano_id: app.keys.projectId } })).body.items.find(
    (item) => item.id === id,
  )

test('expiry: a key stops at its time, also where it is cached, and the error says why', async (t) => {
  const app = await testApp(t)
  const params = { nano_id: app.keys.projectId }
  const { body: key } = await app.org(createProjectKey, { params, body: { expires_at: inDays(app, 1) } })
  assert.equal(await projectStatus(app, key.key), 200)
  app.clock.advance(DAY_MS)
  const { status, body } = await app.as({ 'x-api-key': key.key })(readProjectConfig)
  assert.deepEqual([status, body.error.slug], [401, 'APIKey_InvalidAPIKey'])
  assert.equal(body.error.message, `The API key ${key.id} expired at ${key.expires_at}. Create a new key.`)
  assert.ok(!JSON.stringify(body).includes(key.key))
  const past = await app.org(createProjectKey, { params, body: { expires_at: inDays(app, 0) } })
  assert.deepEqual([past.status, past.body.error.errors], [400, [
    'Error in payload.expires_at: must be in the future',
  ]]) // prettier-ignore

  const sweep = app.app.schedules.find(({ task }) => task === 'projects.removeExpiredKeys')
  await sweep?.run()
  assert.ok(await listedKey(app, key.id), 'expired keys are listed for a while')
  app.clock.advance(31 * DAY_MS)
  await sweep?.run()
  assert.equal(await listedKey(app, key.id), undefined)
})

test('last use: it is stored without a round trip per call', async (t) => {
  const app = await testApp(t)
  const { body: key } = await app.org(createProjectKey, {
    params: { nano_id: app.keys.projectId },
    body: {},
  })
  assert.equal((await listedKey(app, key.id))?.last_used_at, null)
  const use = async () => {
    const { authenticate, close } = createAuthenticator({
      ...app,
      db: app.app.db,
      mayCache: () => true,
      onError: (error) => assert.fail(String(error)),
    })
    const incoming = { headers: { 'x-api-key': key.key }, ip: '127.0.0.1' }
    for (let call = 0; call < 3; call++) await authenticate('project', undefined, incoming)
    await close()
    return Date.parse((await listedKey(app, key.id))?.last_used_at ?? '')
  }
  const before = app.clock.now()
  const used = await use()
  assert.ok(used >= before && used <= app.clock.now())
  app.clock.advance(-DAY_MS)
  assert.equal(await use(), used, 'it never moves back')
})

test('rotation: both keys are valid for the overlap, with the same permissions; a key is replaced once', async (t) => {
  const app = await testApp(t)
  const params = { nano_id: app.keys.projectId }
  const draft = { name: 'ci', permissions: { tools: ['read' as const] }, allowed_ips: ['127.0.0.1'] }
  const { body: old } = await app.org(createProjectKey, {
    params,
    body: { ...draft, expires_at: inDays(app, 10) },
  })
  const rotate = (id: string, body = {}) =>
    app.org(rotateProjectKey, { params: { ...params, key_id: id }, body })
  const { status, body: fresh } = await rotate(old.id, { overlap_seconds: 3_600 })
  assert.equal(status, 201)
  assert.ok(hasKeyChecksum(fresh.key) && fresh.key !== old.key)
  assert.deepEqual(
    [fresh.name, fresh.permissions, fresh.allowed_ips],
    [draft.name, draft.permissions, draft.allowed_ips],
  )
  assert.ok(Math.abs(Date.parse(fresh.expires_at ?? '') - app.clock.now() - 10 * DAY_MS) < 60_000)
  assert.equal((await listedKey(app, old.id))?.replaced_by, fresh.id)
  assert.deepEqual([await projectStatus(app, old.key), await projectStatus(app, fresh.key)], [403, 403])
  const again = await rotate(old.id)
  assert.deepEqual([again.status, again.body.error.slug], [409, 'APIKey_AlreadyReplaced'])
  app.clock.advance(3_601_000)
  assert.deepEqual([await projectStatus(app, old.key), await projectStatus(app, fresh.key)], [401, 403])

  const { body: last } = await rotate(fresh.id, { overlap_seconds: 0 })
  assert.deepEqual([await projectStatus(app, fresh.key), await projectStatus(app, last.key)], [401, 403])
  assert.equal((await rotate(fresh.id)).status, 404, 'a revoked key')
  assert.equal((await rotate('key_none')).status, 404)
  const other = await app.org(createProject, { body: { name: 'other' } })
  const foreign = await app.org(rotateProjectKey, {
    params: { nano_id: other.body.id, key_id: last.id },
    body: {},
  })
  assert.equal(foreign.status, 404, 'a key of another project')
  const { items } = (await app.call(listAuditLog)).body
  assert.deepEqual(items, [], 'calls with a key of the organization are in its chain')
  const entries = (await app.org(listOrganizationAuditLog, { query: { action: 'projectKeys.rotate' } })).body
    .items
  assert.equal(entries.length, 6, 'rejected calls too')
  assert.ok(!JSON.stringify(entries).includes(last.key))
})

test('rotation: of two concurrent rotations of a key exactly one succeeds', async (t) => {
  const app = await testApp(t)
  const params = { nano_id: app.keys.projectId }
  const { body: key } = await app.org(createProjectKey, { params, body: {} })
  const both = await Promise.all(
    [1, 2].map(() => app.org(rotateProjectKey, { params: { ...params, key_id: key.id }, body: {} })),
  )
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409])
})

test('organization keys: a restricted key does what its areas allow, and sees no project key in clear', async (t) => {
  const app = await testApp(t)
  const { body: key } = await app.org(createOrganizationKey, {
    body: { name: 'inventory', permissions: { projects: ['read'] } },
  })
  assert.match(key.key, /^oak_/)
  const inventory = app.as({ 'x-org-api-key': key.key }, 'v3')
  const params = { nano_id: app.keys.projectId }
  const project = await inventory(readProject, { params })
  const list = await inventory(listProjects)
  assert.deepEqual([project.status, list.status], [200, 200])
  assert.ok(!JSON.stringify([project.body, list.body]).includes(app.keys.projectApiKey))
  assert.ok(JSON.stringify((await app.as({ 'x-org-api-key': app.keys.organizationApiKey }, 'v3')(listProjects)).body)
    .includes(app.keys.projectApiKey)) // prettier-ignore
  for (const [what, call] of [
    ['create a project key', () => inventory(createProjectKey, { params, body: {} })],
    ['rotate one', () => inventory(rotateProjectKey, { params: { ...params, key_id: 'key_x' }, body: {} })],
    ['revoke one', () => inventory(deleteProjectKey, { params: { ...params, key_id: 'key_x' } })],
    ['create a project', () => inventory(createProject, { body: { name: 'mine' } })],
    ['create a key of the organization', () => inventory(createOrganizationKey, { body: {} })],
    ['list keys of the organization', () => inventory(listOrganizationKeys)],
    ['rotate its own key', () => inventory(rotateOrganizationKey, { params: { key_id: key.id }, body: {} })],
    ['list members', () => inventory(listMembers)],
  ] as const) {
    const { status, body } = await call()
    assert.deepEqual([status, body.error.slug], [403, 'APIKey_InsufficientPermissions'], what)
  }
  const { db } = app.app
  const session = { ip: '127.0.0.1', now: app.clock.now(), projectId: app.keys.projectId }
  const { body: auditor } = await app.org(createOrganizationKey, {
    body: { permissions: { audit_log: ['read'] } },
  })
  const holder = await findKeyForSignIn(db, auditor.key, session)
  assert.ok(holder)
  await assert.rejects(
    authenticateAsKey(db, holder, {
      ...session,
      audience: 'project',
      permission: { area: 'audit_log', level: 'read' },
    }),
    /restricted key of the organization/,
    'the area of the same name in projects',
  )
  const { body: creator } = await app.org(createOrganizationKey, {
    body: { permissions: { projects: ['write'] } },
  })
  const createsKey = await app.as({ 'x-org-api-key': creator.key })(createProject, {
    body: { name: 'with-key', should_create_api_key: true },
  })
  assert.equal(createsKey.status, 403, 'a key of a project needs api_keys:write')
})

test('organization keys: the last one without restrictions cannot be revoked', async (t) => {
  const app = await testApp(t)
  const first = (await app.org(listOrganizationKeys)).body.items[0]
  assert.ok(first && !first.key.includes(app.keys.organizationApiKey.slice(-20)))
  const revoke = (id: string) => app.org(deleteOrganizationKey, { params: { key_id: id } })
  await app.org(createOrganizationKey, { body: { expires_at: inDays(app, 1) } })
  await app.org(createOrganizationKey, { body: { permissions: { usage: ['read'] } } })
  const last = await revoke(first.id)
  assert.deepEqual([last.status, last.body.error.slug], [409, 'APIKey_LastOrganizationKey'])
  const { body: second } = await app.org(rotateOrganizationKey, { params: { key_id: first.id }, body: {} })
  assert.equal((await revoke(first.id)).status, 200)
  assert.equal((await app.org(listOrganizationKeys)).status, 401, 'calls with the revoked key fail')
  const asSecond = app.as({ 'x-org-api-key': second.key })
  assert.equal((await asSecond(deleteOrganizationKey, { params: { key_id: second.id } })).status, 409)
})

test('organization keys: each organization operation has a permission area or needs an unrestricted key', async (t) => {
  const app = await testApp(t)
  const everything = (
    await app.org(createOrganizationKey, {
      body: { permissions: structuredClone(ORGANIZATION_AREAS) as never },
    })
  ).body.key
  const unrestricted = routes.filter(({ audience, permission }) => audience === 'organization' && !permission)
  // Apart from operations on people, their sign-in, keys and the server, only the secrets of a project need it.
  assert.deepEqual(
    unrestricted
      .map(({ id }) => id)
      .filter((id) => !['members', 'orgKeys', 'sso', 'system'].includes(id.split('.')[0] ?? '')),
    ['projects.exportSecrets'],
  )
  for (const route of unrestricted as Route[]) {
    const url = `/api/v3.1${route.path.replace(/:\w+/g, 'x')}`
    const { statusCode } = await app.app.http.inject({
      method: route.method,
      url,
      headers: { 'x-org-api-key': everything },
      ...(route.method !== 'GET' && route.method !== 'DELETE' && { payload: {} }),
    })
    assert.equal(statusCode, 403, route.id)
  }
  assert.equal(
    (await app.app.db.rows(sql`select id from api_keys where kind = 'organization'`)).length,
    2,
    'no key was made',
  )
})
