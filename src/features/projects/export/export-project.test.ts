import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  CLIENT,
  type ConnectedAccountsApp,
  oauth,
  startConnectedAccountsApp,
} from '#fixtures/connected-accounts.ts'
import { EXPORTED_ROWS, LEFT_OUT } from '../../../app/wiring/project-export.ts'
import { ERASED_ROWS } from '../../../app/wiring/project-erasure.ts'
import { createAlertRule } from '../../../contract/alerts.ts'
import { listAuditLog } from '../../../contract/audit-log.ts'
import { setConnectedAccountStatus } from '../../../contract/connected-accounts/index.ts'
import { createProjectKey, exportProject } from '../../../contract/projects/index.ts'
import { createSession } from '../../../contract/sessions/index.ts'
import { createWebhook } from '../../../contract/webhooks/index.ts'
import { createEncryptor, parseKeyRing } from '../../../platform/crypto/index.ts'
import { sql, values } from '../../../platform/db/sql.ts'
import { chainLine, EMPTY_CHAIN } from '../../../platform/line-chain.ts'

const TOKENS = { status: 'ACTIVE', access_token: 'access-secret', refresh_token: 'refresh-secret' }

interface Line {
  type: string
  row: Record<string, unknown>
  content?: unknown
  unreadable?: true
}
interface End {
  type: 'end'
  project_id: string
  rows: Record<string, number>
  left_out: Record<string, string>
  digest: string
}

/** Columns of a table in the schema, with their types. */
function columnsOf(table: string): { name: string; type: string }[] {
  const schema = readFileSync(new URL('../../../../migrations/schema.sql', import.meta.url), 'utf8')
  const body = new RegExp(`^create table ${table} \\(\\n([\\s\\S]*?)^\\)`, 'm').exec(schema)?.[1] ?? ''
  return [...body.matchAll(/^ {2}(?!constraint )(\w+) (\w+)/gm)].map(([, name, type]) => ({
    name: name as string,
    type: type as string,
  }))
}

async function addMemory(s: ConnectedAccountsApp, id: string, encryptor = s.encryptor): Promise<void> {
  await s.app.db.run(
    sql`insert into user_memories ${values({
      id,
      project_id: s.keys.projectId,
      user_id: `user-${id}`,
      toolkit: 'shop',
      encrypted_payload: encryptor.encryptWithRing(['likes tea'], `user_memories:${id}:encrypted_payload`),
    })}`,
  )
}

/** A project with rows of several features, and secrets in each of them. */
async function projectWithData(t: Parameters<typeof startConnectedAccountsApp>[0]) {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [oauth(url)] })
  const account = await s.addAccount(await s.addAuthConfig('OAUTH2', CLIENT), 'OAUTH2', TOKENS)
  for (const user_id of ['user-1', 'user-2']) await s.call(createSession, { body: { user_id } })
  await s.callTool({ arguments: { id: 'order-7' } })
  await s.call(setConnectedAccountStatus, { params: { nanoid: account }, body: { enabled: false } })
  await addMemory(s, 'mem_1')
  const webhook = await s.call(createWebhook, {
    body: { webhook_url: 'https://example.com/hook', enabled_events: ['service.trigger.message'] },
  })
  const rule = await s.call(createAlertRule, {
    body: {
      name: 'Errors',
      condition: 'error_rate',
      threshold: 50,
      channel: 'slack',
      webhook_url: 'https://example.com/services/slack-secret',
    },
  })
  assert.equal(rule.status, 201, JSON.stringify(rule.body))
  return { ...s, webhookSecret: String(webhook.body.secret) }
}

/** Reads all pages of an export as lines. */
async function readAll(call: ConnectedAccountsApp['call'], limit: number) {
  const lines: string[] = []
  let cursor: string | null = null
  let pages = 0
  do {
    const reply: Awaited<ReturnType<typeof call<typeof exportProject>>> = await call(exportProject, {
      body: { limit, cursor },
    })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    lines.push(...(reply.body.content.match(/[^\n]*\n/g) ?? []))
    cursor = reply.body.next_cursor
    pages++
  } while (cursor !== null)
  const end = JSON.parse(lines.at(-1) as string) as End
  return {
    pages,
    text: lines.join(''),
    end,
    lines,
    rows: lines.slice(0, -1).map((line) => JSON.parse(line) as Line),
  }
}

test('project export: every erased table is exported or left out for a reason, without secret columns', () => {
  const exported = EXPORTED_ROWS.map(({ table }) => table)
  assert.equal(new Set(exported).size, exported.length, 'each table once')
  for (const { table } of ERASED_ROWS)
    assert.ok(
      exported.includes(table) !== table in LEFT_OUT,
      `${table} is exported, or left out for a reason`,
    )
  for (const [table, reason] of Object.entries(LEFT_OUT)) assert.ok(reason.length >= 10, table)
  for (const { table, columns } of EXPORTED_ROWS) {
    const { key = { id: 'text' }, omitted = [], encrypted, decrypted = [] } = columns
    const known = columnsOf(table)
    const names = known.map(({ name }) => name)
    const encryptedNames = [encrypted, ...decrypted].flatMap((one) => one?.column ?? [])
    for (const name of [...Object.keys(key), ...omitted, ...encryptedNames])
      assert.ok(names.includes(name), `${table}.${name} is a column`)
    const bytes = known.filter(({ type }) => type === 'bytea').map(({ name }) => name)
    for (const name of bytes)
      assert.ok(
        omitted.includes(name) || encryptedNames.includes(name),
        `${table}.${name} has bytes: decrypt it with \`encrypted\`, or leave it out with \`omitted\``,
      )
  }
})

test('project export: has every row, decrypted and without secrets, and each page is audited', async (t) => {
  const s = await projectWithData(t)
  const all = await readAll(s.call, 3)
  const types = new Set(all.rows.map(({ type }) => type))
  for (const type of [
    ...[
      'projects',
      'auth_configs',
      'connected_accounts',
      'account_status_changes',
      'sessions',
      'user_memories',
    ],
    ...['tool_executions', 'webhook_subscriptions', 'alert_rules'],
  ])
    assert.ok(types.has(type), `${type} in ${[...types].join(', ')}`)
  for (const { table } of EXPORTED_ROWS) {
    const found = all.rows.filter(({ type }) => type === table).length
    assert.equal(all.end.rows[table], found, table)
    if (!columnsOf(table).some(({ name }) => name === 'project_id')) continue
    const [stored] = await s.app.db.rows<{ count: number }>(
      sql`select (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I where project_id = %L',
        ${table}::text, ${s.keys.projectId}::text), false, true, '')))[1]::text::int as count`,
    )
    assert.equal(found, stored?.count, `all rows of ${table}`)
  }
  assert.match(all.text, /likes tea/)
  assert.match(all.text, /order-7/)
  assert.doesNotMatch(all.text, /access-secret|refresh-secret|slack-secret|\\\\x[0-9a-f]{16}/)
  for (const secret of [s.webhookSecret, s.keys.projectApiKey, ...Object.values(CLIENT)])
    assert.ok(!all.text.includes(JSON.stringify(secret)), 'no secret')
  const { items } = (await s.call(listAuditLog, { query: { action: 'projects.export', limit: 1000 } })).body
  assert.equal(items.length, all.pages)
})

test('project export: pages of any size have the same lines, and the last line has their digest', async (t) => {
  const s = await projectWithData(t)
  const [small, large] = [await readAll(s.call, 1), await readAll(s.call, 1_000)]
  assert.equal(large.pages, 1)
  assert.ok(small.pages >= small.rows.length)
  assert.equal(small.text, large.text)
  const digest = large.lines.slice(0, -1).reduce(chainLine, EMPTY_CHAIN)
  assert.deepEqual(
    [large.end.type, large.end.project_id, large.end.digest],
    ['end', s.keys.projectId, digest],
  )
  assert.deepEqual(large.end.left_out, LEFT_OUT)
})

test('attack: an export has nothing of another project, also with a cursor of that project', async (t) => {
  const s = await projectWithData(t)
  const other = await s.otherProject()
  const alone = await readAll(other, 1_000)
  assert.deepEqual(
    alone.rows.map(({ type, row }) => [type, row['id'] === s.keys.projectId]),
    [['projects', false]],
  )
  const { next_cursor: cursor } = (await s.call(exportProject, { body: { limit: 1 } })).body
  const { body } = await other(exportProject, { body: { cursor } })
  // The ids of projects are random, so the own project comes before or after the one of the cursor.
  assert.match(body.content, /^({"type":"projects".*\n)?{"type":"end".*\n$/)
  assert.ok(!body.content.includes(s.keys.projectId))
})

test('project export: a restricted key is rejected, and so is a cursor that the server has not made', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [oauth(url)] })
  const restricted = await s.org(createProjectKey, {
    params: { nano_id: s.keys.projectId },
    body: { permissions: { connected_accounts: ['read', 'write'], tools: ['read'] } },
  })
  const forbidden = await s.as({ 'x-api-key': restricted.body.key })(exportProject, { body: {} })
  assert.equal(forbidden.status, 403)
  const tables = EXPORTED_ROWS.length
  const counts = Array.from({ length: tables }, () => 0).join(',')
  const bigint = EXPORTED_ROWS.findIndex(({ key }) => key.length === 1 && key[0] === 'bigint')
  for (const text of [
    'nonsense',
    `project:${tables}:${counts}:${EMPTY_CHAIN}:`,
    `project:0:0:${EMPTY_CHAIN}:`,
    `project:0:${counts}:short:`,
    `project:0:${counts}:${EMPTY_CHAIN}:a&b`,
    `project:0:${counts}:${EMPTY_CHAIN}:%00`,
    `project:0:${counts}:${EMPTY_CHAIN}:%E0%A4%A`,
    `project:${bigint}:${counts}:${EMPTY_CHAIN}:seven`,
  ]) {
    const cursor = Buffer.from(text).toString('base64url')
    assert.equal((await s.call(exportProject, { body: { cursor } })).status, 400, text)
  }
})

test('project export: a value whose key is lost is marked, and everything else is exported', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [oauth(url)] })
  const lost = createEncryptor(parseKeyRing(`lost:${Buffer.alloc(32, 1).toString('base64')}`))
  await addMemory(s, 'mem_1', lost)
  await addMemory(s, 'mem_2')
  const { rows } = await readAll(s.call, 1_000)
  assert.deepEqual(
    rows
      .filter(({ type }) => type === 'user_memories')
      .map(({ content, unreadable }) => [content, unreadable]),
    [
      [null, true],
      [['likes tea'], undefined],
    ],
  )
})
