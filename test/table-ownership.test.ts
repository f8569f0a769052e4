import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

// Each table belongs to one feature, which alone reads and writes it. The tables below are the documentation: a table
// without an owner, an access to a table of another feature that is not listed, and an exception that is not used fail.
const OWNERS: Readonly<Record<string, readonly string[]>> = {
  alerts: ['alert_rules'],
  'audit-log': ['audit_chains', 'audit_intents', 'audit_log'],
  'auth-configs': ['auth_configs'],
  budgets: ['budget_usage', 'budgets'],
  'connected-accounts': [
    'account_status_changes',
    'authorization_flows',
    'connect_links',
    'connected_accounts',
    'pending_connections',
    'provider_requests',
    'revocations',
    'webhook_codes',
  ],
  console: ['console_sessions', 'used_challenges'],
  events: ['events'],
  files: ['files'],
  incidents: ['incidents'],
  logs: ['tool_executions', 'usage_days', 'usage_hours', 'usage_progress', 'usage_stale_hours'],
  members: [
    'member_identities',
    'member_links',
    'member_passkeys',
    'member_recovery_codes',
    'member_roles',
    'member_totp',
    'members',
    'organization_openid_providers',
  ],
  'mcp-authorization': [
    'mcp_authorizations',
    'mcp_clients',
    'mcp_grants',
    'mcp_openid_providers',
    'mcp_pushed_requests',
    'mcp_sign_ins',
    'mcp_tokens',
    'mcp_used_proofs',
  ],
  'mcp-servers': ['mcp_server_instances', 'mcp_servers'],
  playground: ['project_models'],
  policies: ['approval_decisions', 'approval_grants', 'approvals', 'policies', 'untrusted_sources'],
  projects: ['api_keys', 'organizations', 'project_data_keys', 'project_deletions', 'projects'],
  'rate-limit-cooldowns': ['rate_limit_cooldowns'],
  sessions: [
    'recipe_runs',
    'recipe_versions',
    'recipes',
    'sandbox_runs',
    'saved_session_configs',
    'session_configs',
    'session_sandboxes',
    'sessions',
    'user_memories',
  ],
  toolkits: ['toolkit_contents', 'toolkit_versions', 'toolkits'],
  tools: ['idempotency_keys', 'response_pages', 'tool_embeddings'],
  triggers: [
    'trigger_instances',
    'trigger_logs',
    'trigger_polls',
    'trigger_registrations',
    'webhook_endpoints',
  ],
  users: ['user_deletions'],
  webhooks: [
    'webhook_attempts',
    'webhook_deliveries',
    'webhook_deliveries_finished',
    'webhook_deliveries_pending',
    'webhook_subscriptions',
  ],
}
/** Tables of src/platform, which no feature uses. */
const PLATFORM_TABLES: readonly string[] = ['migrations', 'rate_limit_windows']

const LOCKS_PROJECT = 'locks the project, so that concurrent requests cannot exceed a limit per project'
const WRITE_EXCEPTIONS: readonly Exception[] = [
  ['events', 'webhook_deliveries', 'fan-out creates the deliveries in the statement that inserts the events'],
]
const READ_EXCEPTIONS: readonly Exception[] = [
  ['alerts', 'projects', 'rules of a deleted project are not checked'],
  ['audit-log', 'projects', 'an entry names the organization of its project'],
  ['auth-configs', 'connected_accounts', 'the list shows how many accounts an auth config has'],
  ['budgets', 'projects', LOCKS_PROJECT],
  ['connected-accounts', 'auth_configs', 'an account is read together with its auth config on every call'],
  ['connected-accounts', 'projects', 'an incident freezes the accounts of all projects of an organization'],
  ['connected-accounts', 'toolkits', 'the keep-alive refresh leaves out accounts of custom toolkits'],
  ['events', 'projects', 'a deleted project has no new events, and retention is a setting of the project'],
  ['events', 'webhook_attempts', 'the log of triggers shows the last response of a receiver'],
  ['events', 'webhook_deliveries', 'the list of events filters and counts by the status of deliveries'],
  ['events', 'webhook_subscriptions', 'fan-out finds the receivers in the statement that inserts the events'],
  ['incidents', 'auth_configs', 'the report of an incident shows the scheme of each account'],
  ['incidents', 'connected_accounts', 'the report of an incident lists accounts'],
  ['incidents', 'projects', 'an incident belongs to an organization'],
  ['incidents', 'revocations', 'the report of an incident counts revocations'],
  ['logs', 'projects', 'retention is a setting of the project, and usage is counted per organization'],
  ['mcp-servers', 'auth_configs', 'the toolkits of a server include those of its auth configs'],
  ['policies', 'projects', LOCKS_PROJECT],
  [
    'policies',
    'sessions',
    'approvals for the rest of a session, and the sources of what it read, end with it',
  ],
  ['projects', 'auth_configs', 'the older API converts UUIDs to ids'],
  ['projects', 'connected_accounts', 'the older API converts UUIDs to ids'],
  ['projects', 'trigger_instances', 'the older API converts UUIDs to ids'],
  ['sessions', 'auth_configs', 'a session is read together with the auth configs that it uses'],
  ['sessions', 'connected_accounts', 'a session is read together with the accounts that it uses'],
  ['sessions', 'projects', LOCKS_PROJECT],
  ['toolkits', 'auth_configs', 'a toolkit with auth configs cannot be deleted'],
  ['toolkits', 'connected_accounts', 'an import that sends credentials to other hosts names the accounts'],
  ['tools', 'tool_executions', 'an idempotency key returns what the log has of its call'],
  ['triggers', 'auth_configs', 'an instance is read together with its account and auth config'],
  ['triggers', 'connected_accounts', 'an instance is read together with its account and auth config'],
  ['triggers', 'projects', 'a project can switch off its triggers'],
  ['users', 'connected_accounts', 'a user is every user_id of an account, a session or an execution'],
  ['users', 'sessions', 'a user is every user_id of an account, a session or an execution'],
  ['users', 'tool_executions', 'a user is every user_id of an account, a session or an execution'],
  ['webhooks', 'events', 'a claimed delivery is read together with its event'],
  ['webhooks', 'projects', 'messages contain the organization; the project is locked to limit subscriptions'],
]
type Exception = readonly [feature: string, table: string, reason: string]

const root = join(import.meta.dirname, '..')
const tables = [
  ...readFileSync(join(root, 'migrations/schema.sql'), 'utf8').matchAll(/^create table (\w+)/gm),
].map(([, name]) => name as string)
const NAMES = tables.join('|')
const WRITES = new RegExp(`\\b(?:insert into|update|delete from)\\s+(${NAMES})\\b`, 'g')
const READS = new RegExp(
  `(?:\\b(?:from|join|using)\\s+|,\\s*)(${NAMES})(?=\\s+[a-z]\\w*[\\s,)]|\\s*[)\`]|\\s*$)`,
  'g',
)
/** A table name that other statements include. */
const FRAGMENTS = new RegExp(`sql\`(${NAMES})(?=[\` ])`, 'g')

/** Text inside of template literals with the tag `sql`, without what is nested in `${}`. */
function statementsIn(text: string): string[] {
  const statements: string[] = []
  for (let start = text.indexOf('sql`'); start >= 0; start = text.indexOf('sql`', start + 4)) {
    let statement = 'sql`'
    let depth = 0
    for (let at = start + 4; at < text.length; at++) {
      if (depth === 0 && text[at] === '`') break
      if (text.startsWith('${', at)) depth++
      if (depth === 0) statement += text[at]
      else if (text[at] === '}') depth--
      else if (text[at] === '{' && text[at - 1] !== '$') depth++
    }
    statements.push(`${statement}\``)
  }
  return statements
}

interface Accesses {
  reads: ReadonlySet<string>
  writes: ReadonlySet<string>
}

function accessesOf(text: string): Accesses {
  const statements = statementsIn(text)
  const find = (pattern: RegExp, statement: string) =>
    [...statement.matchAll(pattern)].map(([, name]) => name as string)
  return {
    writes: new Set(statements.flatMap((statement) => find(WRITES, statement))),
    reads: new Set(
      statements.flatMap((statement) => [
        ...find(READS, statement.replaceAll(/delete from\s+\w+/g, '')),
        ...find(FRAGMENTS, statement),
      ]),
    ),
  }
}

/** `feature table` for each table of another feature that a feature reads or writes. */
function foreignAccesses(kind: keyof Accesses): string[] {
  const files = globSync('src/features/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
  const pairs = files.flatMap((file) => {
    const feature = file.split('/')[2] as string
    return [...accessesOf(readFileSync(join(root, file), 'utf8'))[kind]]
      .filter((table) => !OWNERS[feature]?.includes(table))
      .map((table) => `${feature} ${table}`)
  })
  return [...new Set(pairs)].sort()
}

const listed = (exceptions: readonly Exception[]) =>
  exceptions.map(([feature, table]) => `${feature} ${table}`).sort()

test('tables: each table of the schema has one owner', () => {
  assert.deepEqual([...Object.values(OWNERS).flat(), ...PLATFORM_TABLES].sort(), [...tables].sort())
})

test('tables: a feature writes only its own tables, except for the listed writes', () => {
  assert.deepEqual(foreignAccesses('writes'), listed(WRITE_EXCEPTIONS))
})

test('tables: a feature reads only its own tables, except for the listed reads', () => {
  assert.deepEqual(foreignAccesses('reads'), listed(READ_EXCEPTIONS))
})

test('tables: the check finds accesses in each form of a statement', () => {
  const cases: readonly [text: string, reads: string[], writes: string[]][] = [
    ['sql`select * from events e join projects p on p.id = ${id}`', ['events', 'projects'], []],
    ['sql`update events e set x = 1 from chosen c, projects p where true`', ['projects'], ['events']],
    ['sql`insert into events (id) select id from files`', ['files'], ['events']],
    ['sql`delete from events using projects p where ${all(sql`id = 1`)}`', ['projects'], ['events']],
    ['const TABLE = sql`events`', ['events'], []],
    ['sql`select ${COLUMNS} from ${FROM} where id in (select id from sessions)`', ['sessions'], []],
    ["const text = 'delete from events'", [], []],
  ]
  for (const [text, reads, writes] of cases) {
    const found = accessesOf(text)
    assert.deepEqual([[...found.reads].sort(), [...found.writes].sort()], [reads, writes], text)
  }
})
