import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLIENT, form, oauth, requestsTo, startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'
import { testApp } from '#fixtures/app.ts'
import { until } from '#fixtures/until.ts'
import {
  listAccountHistory,
  listConnectedAccounts,
  setConnectedAccountStatus,
} from '../../contract/connected-accounts/index.ts'
import { listAuditLog } from '../../contract/audit-log.ts'
import { searchLogs } from '../../contract/logs/index.ts'
import { createSession, readSession } from '../../contract/sessions/index.ts'
import { deleteUser, exportUser, listUsers, readUser } from '../../contract/users.ts'
import { sql, values } from '../../platform/db/sql.ts'
import { startJobs } from '../../platform/jobs/index.ts'
import { createLog } from '../../platform/log.ts'
import { userTasks } from './delete-user.ts'
import { searchUsers } from './search.ts'

const TOKENS = { status: 'ACTIVE', access_token: 'access-secret', refresh_token: 'refresh-secret' }

test('users: a deletion revokes at the provider and removes everything of this user, and of no other', async (t) => {
  let failures = 1
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [oauth(url, { revoke: { url: `${url}/revoke` } })],
    answer: ({ path }) => (path === '/revoke' && failures-- > 0 ? { status: 503 } : { json: { id: '7' } }),
  })
  const config = await s.addAuthConfig('OAUTH2', CLIENT)
  const account = await s.addAccount(config, 'OAUTH2', TOKENS)
  const { user_id: user } = (await s.call(listConnectedAccounts)).body.items[0] as { user_id: string }
  const { session_id: session } = (await s.call(createSession, { body: { user_id: user } })).body
  const { session_id: otherSession } = (await s.call(createSession, { body: { user_id: 'other' } })).body
  const other = await s.otherProject()
  await other(createSession, { body: { user_id: user } })
  await s.callTool()
  await s.app.db.run(
    sql`insert into user_memories ${values({
      id: 'mem_1',
      project_id: s.keys.projectId,
      user_id: user,
      toolkit: 'shop',
      encrypted_payload: Buffer.from('x'),
    })}`,
  )
  const found = (await s.call(readUser, { params: { user_id: user } })).body
  assert.deepEqual(
    [found.accounts, found.active_accounts, found.sessions, found.calls_7d, found.toolkits, found.memories],
    [1, 1, 1, 1, ['shop'], 1],
  )
  const first = await s.call(deleteUser, { params: { user_id: user } })
  const second = await s.call(deleteUser, { params: { user_id: user } })
  assert.deepEqual([first.status, first.body.status, second.body.id], [202, 'pending', first.body.id])
  const jobs = startJobs(s.databaseUrl, { schedules: [], tasks: s.app.tasks }, createLog('silent'))
  t.after(() => jobs.close())
  const read = () => s.call(readUser, { params: { user_id: user } })
  await until('the deletion is done', async () => (await read()).body.deletion?.status === 'done')
  const { deletion, ...after } = (await read()).body
  assert.deepEqual([after.accounts, after.sessions, after.calls_7d, after.memories], [0, 0, 0, 0])
  assert.deepEqual(deletion?.removed, { accounts: 1, sessions: 1, memories: 1, executions: 1 })
  await until('the access is revoked', () => requestsTo(s, '/revoke').length >= 3)
  assert.ok(requestsTo(s, '/revoke').some((request) => form(request)['token'] === 'refresh-secret'))
  assert.equal((await s.call(readSession, { params: { session_id: session } })).status, 404)
  assert.equal((await s.call(readSession, { params: { session_id: otherSession } })).status, 200)
  assert.equal((await s.call(searchLogs, { body: {} })).body.logs.length, 0)
  assert.equal((await other(readUser, { params: { user_id: user } })).body.sessions, 1)
  assert.equal((await s.call(deleteUser, { params: { user_id: user } })).body.error.slug, 'User_NotFound')
  const proof = (await s.call(listAuditLog, { query: { action: 'users.erased' } })).body.items
  assert.deepEqual(
    [proof.length, proof[0]?.object, proof[0]?.after],
    [
      1,
      { type: 'user', id: user },
      { accounts_count: 1, sessions_count: 1, memories_count: 1, executions_count: 1 },
    ],
  )
  const events = await s.app.db.rows(sql`
    select from_status, to_status from account_status_changes where connected_account_id = ${account}`)
  assert.deepEqual(events.at(-1), { from_status: 'ACTIVE', to_status: 'DELETED' })
})

test('users: an interrupted deletion continues with the next attempt, and fails after the last one', async (t) => {
  const { app, keys } = await testApp(t)
  await app.db.run(
    sql`insert into user_deletions ${values({
      id: 'udl_1',
      project_id: keys.projectId,
      user_id: 'ada',
    })}`,
  )
  let remaining = 3
  let isDown = true
  const removeBatch = async () => {
    if (remaining === 2 && isDown) throw new Error('the database was stopped')
    return remaining > 0 ? ((remaining -= 1), 1) : 0
  }
  const [task] = userTasks({ db: app.db, removers: [{ kind: 'accounts', removeBatch }] })
  const attempt = (isLast: boolean) => task!.run({ id: 'udl_1' }, { number: 1, isLast })
  const read = () => app.db.one(sql`select status, removed from user_deletions`)
  await assert.rejects(attempt(false))
  assert.deepEqual(await read(), { status: 'pending', removed: { accounts: 1 } })
  isDown = false
  await attempt(false)
  assert.deepEqual(await read(), { status: 'done', removed: { accounts: 3 } })
  await app.db.run(sql`update user_deletions set status = 'pending', finished_at = null`)
  remaining = 2
  isDown = true
  await assert.rejects(attempt(true))
  assert.deepEqual(await read(), { status: 'failed', removed: { accounts: 3 } })
})

test('users: pages contain each user once, also of sessions and executions; search ignores case', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [oauth(url)] })
  const ids = ['ada', 'Bob', 'carl_1', 'carlx1', 'dora']
  for (const user of ids) await s.call(createSession, { body: { user_id: user } })
  await s.call(createSession, { body: { user_id: 'ada' } })
  const all: string[] = []
  let cursor: string | null | undefined
  do {
    const page = (await s.call(listUsers, { query: { limit: 2, ...(cursor ? { cursor } : {}) } })).body
    all.push(...page.items.map(({ user_id: id }) => id))
    cursor = page.next_cursor
  } while (cursor)
  assert.deepEqual([...all].sort(), [...ids].sort())
  const search = async (text: string) =>
    (await s.call(listUsers, { query: { search: text } })).body.items.map(({ user_id: id }) => id)
  assert.deepEqual(
    [await search('BO'), await search('l_1'), await search('nobody')],
    [['Bob'], ['carl_1'], []],
  )
  assert.deepEqual((await (await s.otherProject())(listUsers)).body, { items: [], next_cursor: null })
  const bad = await s.call(listUsers, { query: { cursor: 'nonsense' } })
  assert.equal(bad.status, 400)
  assert.equal((await s.call(readUser, { params: { user_id: 'nobody' } })).status, 404)
})

test('users: a search that runs out of time returns what it found, and its cursor continues behind it', async (t) => {
  const s = await testApp(t)
  for (const user_id of ['ada', 'bob', 'cem', 'dan', 'eve', 'fay'])
    await s.call(createSession, { body: { user_id } })
  const deps = { db: s.app.db, countCalls: async () => new Map() }
  const pages: { found: string[]; next: string | null }[] = []
  let after = ''
  for (;;) {
    const { rows, next } = await searchUsers(
      deps,
      s.keys.projectId,
      { after, search: 'A', limit: 10 },
      { portion: 2, searchMs: 0 },
    )
    pages.push({ found: rows.map((row) => row.user_id), next })
    if (next === null) break
    after = next
  }
  assert.deepEqual(pages, [
    { found: ['ada'], next: 'bob' },
    { found: ['dan'], next: 'dan' },
    { found: ['fay'], next: 'fay' },
    { found: [], next: null },
  ])
  const whole = await searchUsers(
    deps,
    s.keys.projectId,
    { after: '', search: 'A', limit: 2 },
    { portion: 2, searchMs: 60_000 },
  )
  assert.deepEqual([whole.rows.map((row) => row.user_id), whole.next], [['ada', 'dan'], 'dan'])
})

test('account history: each change of the status is listed with its reason, newest first', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [oauth(url)] })
  const id = await s.addAccount(await s.addAuthConfig('OAUTH2', CLIENT), 'OAUTH2', TOKENS)
  for (const enabled of [false, true, false])
    await s.call(setConnectedAccountStatus, { params: { nanoid: id }, body: { enabled } })
  const read = (query: object = {}) => s.call(listAccountHistory, { params: { nanoid: id }, query })
  const { items } = (await read()).body
  assert.deepEqual(
    items.slice(0, 3).map(({ from, to, reason }) => [from, to, reason]),
    [
      ['ACTIVE', 'INACTIVE', 'Changed by the user.'],
      ['INACTIVE', 'ACTIVE', 'Changed by the user.'],
      ['ACTIVE', 'INACTIVE', 'Changed by the user.'],
    ],
  )
  const first = (await read({ limit: 1 })).body
  const second = (await read({ limit: 1, cursor: first.next_cursor })).body
  assert.deepEqual([first.items, second.items], [items.slice(0, 1), items.slice(1, 2)])
  const other = await s.otherProject()
  assert.equal((await other(listAccountHistory, { params: { nanoid: id } })).status, 404)
})

test('users: an export has everything about one user, page by page, without credentials, and is audited', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [oauth(url)] })
  await s.addAccount(await s.addAuthConfig('OAUTH2', CLIENT), 'OAUTH2', TOKENS)
  const { user_id: user } = (await s.call(listConnectedAccounts)).body.items[0] as { user_id: string }
  for (const user_id of [user, user, 'other']) await s.call(createSession, { body: { user_id } })
  await s.callTool({ arguments: { id: 'order-of-the-user' } })
  await s.app.db.run(
    sql`insert into user_memories ${values({
      id: 'mem_1',
      project_id: s.keys.projectId,
      user_id: user,
      toolkit: 'shop',
      encrypted_payload: s.encryptor.encryptWithRing(['likes tea'], 'user_memories:mem_1:encrypted_payload'),
    })}`,
  )
  const lines: string[] = []
  let cursor: string | undefined
  do {
    const { status, body } = await s.call(exportUser, {
      params: { user_id: user },
      body: { limit: 2, ...(cursor !== undefined && { cursor }) },
    })
    assert.equal(status, 200)
    const page = body.content.split('\n').filter(Boolean)
    assert.ok(page.length <= 2)
    lines.push(...page)
    cursor = body.next_cursor ?? undefined
  } while (cursor !== undefined)
  const types = lines.map((line) => (JSON.parse(line) as { type: string }).type)
  assert.deepEqual(types, ['connected_accounts', 'sessions', 'sessions', 'user_memories', 'tool_executions'])
  const text = lines.join('')
  assert.match(text, /likes tea/)
  assert.match(text, /order-of-the-user/)
  assert.doesNotMatch(text, /access-secret|refresh-secret|"other"/)
  const { items } = (await s.call(listAuditLog, { query: { action: 'users.export' } })).body
  assert.equal(items.length, 3, 'one entry for each page')
  const other = await s.otherProject()
  const foreign = await other(exportUser, { params: { user_id: user }, body: {} })
  assert.deepEqual(foreign.body, { content: '', next_cursor: null })
  const wrong = await s.call(exportUser, { params: { user_id: user }, body: { cursor: 'bm9uZQ' } })
  assert.equal(wrong.status, 400)
})
