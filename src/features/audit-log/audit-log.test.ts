import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_KEY, startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'
import {
  exportAuditLog,
  listAuditLog,
  listOrganizationAuditLog,
  verifyAuditLog,
} from '../../contract/audit-log.ts'
import { setAuthConfigStatus, updateAuthConfig } from '../../contract/auth-configs/index.ts'
import { deleteConnectedAccount, updateConnectedAccount } from '../../contract/connected-accounts/index.ts'
import { createProjectKey, listProjectKeys } from '../../contract/projects/index.ts'
import { createWebhook } from '../../contract/webhooks/index.ts'
import { type Db, sql } from '../../platform/db/sql.ts'
import { genesisHash, nextHash } from './entry.ts'
import { createAuditRecorder } from './recorder.ts'
import { completeAbandoned, removeOld } from './schedules.ts'
import { appendEntry } from './store.ts'
import { verifyChains } from './verify.ts'

const start = (t: Parameters<typeof startConnectedAccountsApp>[0]) =>
  startConnectedAccountsApp(t, { auth: () => [API_KEY] })
type App = Awaited<ReturnType<typeof start>>

const entriesOf = async (s: App, query: object = {}) =>
  (await s.call(listAuditLog, { query: { limit: 1000, ...query } })).body.items

test('audit log: who changed what, before and after, without secrets', async (t) => {
  const s = await start(t)
  const config = await s.addAuthConfig('API_KEY')
  await s.call(setAuthConfigStatus, { params: { nanoid: config, status: 'DISABLED' } })
  const params = { nanoid: config }
  await s.call(updateAuthConfig, { params: { nanoid: 'ac_missing12345' }, body: { type: 'custom' } as never })
  await s.call(setAuthConfigStatus, { params: { ...params, status: 'ENABLED' } })
  const account = await s.addAccount(config, 'API_KEY', { generic_api_key: 'first-secret-value' })
  await s.call(updateConnectedAccount, {
    params: { nanoid: account },
    body: {
      alias: 'work',
      connection: { state: { authScheme: 'API_KEY', val: { generic_api_key: 'second-secret-value' } } },
    } as never,
  })
  await s.call(deleteConnectedAccount, { params: { nanoid: account } })
  await s.call(createWebhook, {
    body: {
      webhook_url: 'https://hooks.example.com/T0/secret-path',
      enabled_events: ['service.trigger.message'],
    },
  })
  const entries = (await entriesOf(s)).toReversed()
  assert.deepEqual(
    entries.map(({ action, object, outcome, error }) => [action, object.type, object.id, outcome, error]),
    [
      ['authConfigs.create', 'auth_config', config, 'success', null],
      ['authConfigs.setStatus', 'auth_config', config, 'success', null],
      ['authConfigs.update', 'auth_config', 'ac_missing12345', 'failure', 'Auth_Config_NotFound'],
      ['authConfigs.setStatus', 'auth_config', config, 'success', null],
      ['connectedAccounts.create', 'connected_account', account, 'success', null],
      ['connectedAccounts.update', 'connected_account', account, 'success', null],
      ['connectedAccounts.delete', 'connected_account', account, 'success', null],
      ['webhooks.create', 'webhook_subscription', entries.at(-1)?.object.id, 'success', null],
    ],
  )
  const [, disabled, , , created, updated, deleted, webhook] = entries
  assert.deepEqual([disabled?.before, disabled?.after], [{ status: 'ENABLED' }, { status: 'DISABLED' }])
  assert.deepEqual([updated?.before?.['alias'], updated?.after?.['alias']], [null, 'work'])
  assert.equal(updated?.after?.['state.val.generic_api_key'], '[redacted]')
  assert.deepEqual([created?.before, deleted?.after, deleted?.before?.['alias']], [null, null, 'work'])
  assert.equal(webhook?.after?.['webhook_url'], 'https://hooks.example.com/[redacted]')
  for (const { actor, source_ip: ip, project_id: project } of entries)
    assert.deepEqual(
      [actor.type, actor.id?.slice(0, 4), ip, project],
      ['api_key', 'key_', '127.0.0.1', s.keys.projectId],
    )
  assert.doesNotMatch(JSON.stringify(entries), /secret-value|secret-path|whsec_|first|second-/)
  const stored = await s.app.db.rows<{ row: string }>(sql`select e::text as row from audit_log e`)
  assert.doesNotMatch(JSON.stringify(stored), /secret-value|secret-path|whsec_|ak_\w{10}/)
})

test('audit log: filters, exports and reads of secrets', async (t) => {
  const s = await start(t)
  const { projectId } = s.keys
  const params = { nano_id: projectId }
  const config = await s.addAuthConfig('API_KEY')
  const key = await s.org(createProjectKey, { params, body: { name: '=cmd()' } } as never)
  assert.equal(key.status, 201, JSON.stringify(key.body))
  await s.org(listProjectKeys, { params } as never)
  const organization = (await s.org(listOrganizationAuditLog, { query: {} })).body.items
  assert.deepEqual(
    organization.map(({ action, project_id }) => [action, project_id]),
    [
      ['projectKeys.list', null],
      ['projectKeys.create', null],
      ['authConfigs.create', projectId],
    ],
  )
  const scoped = await s.org(listOrganizationAuditLog, { query: { scope: 'organization' } })
  assert.deepEqual(
    scoped.body.items.map(({ action }) => action),
    ['projectKeys.list', 'projectKeys.create'],
    'only entries of no project',
  )
  assert.deepEqual(
    (await entriesOf(s, { object_id: config })).map(({ action }) => action),
    ['authConfigs.create'],
  )
  assert.deepEqual(await entriesOf(s, { outcome: 'failure' }), [])
  const ndjson = (await s.call(exportAuditLog, { query: {} })).body.content
  const [line] = ndjson
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text))
  assert.equal(nextHash(genesisHash(projectId), line.seq, line.entry).toString('hex'), line.hash)
  const csv = (await s.call(exportAuditLog, { query: { format: 'csv' } })).body.content
  assert.match(csv, /^time,id,organization_id,.*\r\n.*audit\.export.*\r\n.*authConfigs\.create.*\r\n$/)
})

const verifyAll = async (db: Db, s: App) =>
  (await verifyChains(db, { projectId: s.keys.projectId })).map(({ problem }) => problem?.problem ?? null)

/** Runs `change` without the trigger that protects the table, as a user with the rights of its owner could. */
const tamper = async (s: App, change: ReturnType<typeof sql>) => {
  await s.app.db.begin(async (tx) => {
    await tx.run(sql`alter table audit_log disable trigger user`)
    await tx.run(change)
    await tx.run(sql`alter table audit_log enable trigger user`)
  })
}

test('audit log: rows cannot be changed, and every kind of tampering is found', async (t) => {
  const s = await start(t)
  const { db } = s.app
  const recorder = createAuditRecorder({ db, clock: { now: Date.now } as never })
  const { projectId } = s.keys
  const organizationId = (await db.one<{ id: string }>(sql`select id from organizations`))?.id as string
  const append = async (action: string) => {
    const call = {
      action,
      organizationId,
      projectId,
      callerId: 'member:mem_1',
      requestId: 'r',
      sourceIp: '::1',
    }
    const finish = await recorder.begin({ ...call, userAgent: null, object: { type: 'x', id: null } })
    await finish({
      outcome: 'success',
      status: 200,
      error: null,
      objectId: action,
      before: undefined,
      after: {},
    })
  }
  await Promise.all(Array.from({ length: 40 }, (_, index) => append(`act_${index}`)))
  const { body } = await s.call(verifyAuditLog)
  assert.deepEqual([body.valid, body.chains[0]?.entries, body.chains[0]?.head.seq], [true, 40, 40])
  for (const change of [
    sql`update audit_log set entry = entry where seq = 3`,
    sql`delete from audit_log where seq = 3`,
    sql`truncate audit_log`,
  ])
    await assert.rejects(db.run(change), /append-only/)
  const saved = sql`create table audit_copy as select * from audit_log`
  await db.run(saved)
  const restore = sql`insert into audit_log select * from audit_copy on conflict do nothing`
  for (const [change, problem] of [
    [sql`update audit_log set entry = replace(entry, 'mem_1', 'mem_2') where seq = 7`, 'entry_changed'],
    [sql`update audit_log set actor_id = 'mem_2' where seq = 7`, 'columns_changed'],
    [sql`delete from audit_log where seq = 7`, 'entry_missing'],
    [sql`delete from audit_log where seq = 40`, 'entry_missing'],
  ] as const) {
    await tamper(s, change)
    assert.deepEqual(await verifyAll(db, s), [problem])
    await tamper(s, sql`delete from audit_log`)
    await db.run(restore)
    assert.deepEqual(await verifyAll(db, s), [null])
  }
  await db.run(sql`update audit_chains set hash = '\\x00'`)
  assert.deepEqual(await verifyAll(db, s), ['head_changed'])
})

test('audit log: a call whose process was killed is in the log, and retention keeps the chain valid', async (t) => {
  const s = await start(t)
  const { db } = s.app
  await s.addAuthConfig('API_KEY')
  const { id: organizationId } = (await db.one<{ id: string }>(sql`select id from organizations`)) as {
    id: string
  }
  const call = {
    organizationId,
    projectId: s.keys.projectId,
    callerId: 'key_1',
    requestId: 'r',
    sourceIp: '::1',
  }
  const recorder = createAuditRecorder({ db, clock: { now: Date.now } as never })
  await recorder.begin({
    ...call,
    action: 'authConfigs.delete',
    userAgent: null,
    object: { type: 'x', id: 'ac_1' },
  })
  await completeAbandoned({ db })
  assert.equal((await entriesOf(s)).length, 1)
  await db.run(sql`update audit_intents set created_at = now() - interval '16 minutes'`)
  await completeAbandoned({ db })
  const [abandoned] = await entriesOf(s)
  assert.deepEqual(
    [abandoned?.action, abandoned?.outcome, abandoned?.object.id],
    ['authConfigs.delete', 'unknown', 'ac_1'],
  )
  await s.addAuthConfig('API_KEY')
  await tamper(s, sql`update audit_log set created_at = now() - interval '10 days' where seq < 3`)
  while (await removeOld({ db, retentionDays: 9 }));
  assert.deepEqual(
    (await entriesOf(s)).map(({ seq }) => seq),
    [3],
  )
  await s.addAuthConfig('API_KEY')
  assert.deepEqual(await verifyAll(db, s), [null])
})

test('audit log: an entry has the name of its key or member, and a user with the id of a member has none', async (t) => {
  const s = await start(t)
  const { db } = s.app
  await s.addAuthConfig('API_KEY')
  const [entry] = await entriesOf(s)
  const key = await db.one<{ name: string }>(sql`select name from api_keys where id = ${entry?.actor.id}`)
  assert.ok(key?.name)
  assert.equal(entry?.actor.name, key.name)

  const { organization_id: organization, project_id: project } = entry
  await db.run(sql`
    insert into members (id, organization_id, email, name, role)
    values ('mem_1', ${organization}, 'ada@example.com', 'Ada Lovelace', 'member')`)
  const actors = [
    { type: 'member', id: 'mem_1' },
    { type: 'user', id: 'mem_1' },
    { type: 'member', id: 'mem_deleted' },
    { type: 'system', id: null },
  ] as const
  for (const [index, actor] of actors.entries())
    await appendEntry(db, {
      ...NO_DETAILS,
      id: `aud_${index}`,
      time: new Date(Date.now() + 1_000 * index).toISOString(),
      organization_id: organization,
      project_id: project,
      actor,
    })
  const names = (await entriesOf(s, { action: NO_DETAILS.action }))
    .map(({ actor }) => actor.name)
    .toReversed()
  assert.deepEqual(names, ['Ada Lovelace', null, null, null])
  assert.deepEqual(await verifyAll(db, s), [null])
})

const NO_DETAILS = {
  action: 'members.update',
  object: { type: 'member', id: 'mem_1' },
  outcome: 'success',
  status: 200,
  error: null,
  before: null,
  after: null,
  source_ip: null,
  user_agent: null,
  request_id: null,
} as const

test('audit log: a call that cannot be logged does not happen', async (t) => {
  const s = await start(t)
  await s.app.db.run(sql`alter table audit_intents rename to audit_intents_gone`)
  const reply = await s.call(createWebhook, {
    body: { webhook_url: 'https://hooks.example.com/', enabled_events: ['service.trigger.message'] },
  })
  assert.equal(reply.status, 500)
  assert.equal((await s.app.db.rows(sql`select 1 from webhook_subscriptions`)).length, 0)
})

test('audit log: calls that are rejected before they begin have an entry, a limited number per caller', async (t) => {
  const s = await start(t)
  const { body: key } = await s.org(createProjectKey, {
    params: { nano_id: s.keys.projectId },
    body: { permissions: { tools: ['read'] } },
  })
  const limited = s.as({ 'x-api-key': key.key })
  const rejected = { params: { nanoid: 'ac_someConfig1' } }
  assert.equal(
    (await limited(updateAuthConfig, { ...rejected, body: { type: 'custom' } as never })).status,
    403,
  )
  assert.equal((await s.call(updateAuthConfig, { ...rejected, body: { type: 7 } as never })).status, 400)
  const nul = await s.call(updateAuthConfig, { params: { nanoid: 'ac_\0' }, body: {} as never })
  assert.equal(nul.status, 400)
  assert.equal((await limited(listAuditLog)).status, 403, 'a read')
  assert.equal((await s.as({ 'x-api-key': 'ak_unknown' })(updateAuthConfig, rejected)).status, 401)
  assert.deepEqual(
    (await entriesOf(s)).map(({ action, actor, object, outcome, status, error }) => [
      action,
      actor.id === key.id,
      object.id,
      outcome,
      status,
      error,
    ]),
    [
      ['authConfigs.update', false, 'ac_', 'failure', 400, 'HTTP_BadRequest'],
      ['authConfigs.update', false, 'ac_someConfig1', 'failure', 400, 'HTTP_BadRequest'],
      ['authConfigs.update', true, 'ac_someConfig1', 'failure', 403, 'APIKey_InsufficientPermissions'],
    ],
  )
  for (let call = 0; call < 130; call++) await limited(updateAuthConfig, rejected)
  const { length } = await entriesOf(s, { actor_id: key.id })
  assert.ok(length >= 60 && length <= 121, `${length} entries in at most two minutes`)
  assert.equal((await s.call(verifyAuditLog)).body.valid, true)
})
