import pg from 'pg'
import { StartupError } from '../startup-error.ts'

/** Any number that no other program uses on this database. Servers that start together grant one after the other. */
const LOCK = 7_202_614
const TIMEOUT_MS = 30_000
/** PostgreSQL shortens names to 63 bytes. */
const OWNER_CHARACTERS_MAX = 50

/** Tables without a project that calls of a project must not read. Sign-ins, people and proofs are checked before the call. */
const PRIVATE_TABLES = [
  'console_sessions',
  'mcp_pushed_requests',
  'mcp_used_proofs',
  'member_identities',
  'member_links',
  'member_passkeys',
  'member_recovery_codes',
  'member_totp',
  'organization_openid_providers',
  'members',
  'migrations',
  'project_data_keys',
  'used_challenges',
]
/** Tables that nobody changes. */
const APPEND_ONLY_TABLES = ['audit_log']

export type TenantRoleMode = 'auto' | 'required' | 'off'

export type TenantRole = { role: string } | { role: undefined; reason: string }

/**
 * Returns the role with which statements of a project run, so that row-level security applies to them. Creates it and
 * grants it what it needs, on every start: later migrations have added tables. The name follows from the user of the
 * database, unless it is given.
 * @throws StartupError if the mode is `required` and the role cannot be used
 */
export async function openTenantRole(url: string, mode: TenantRoleMode, name?: string): Promise<TenantRole> {
  if (mode === 'off') return { role: undefined, reason: 'ROW_LEVEL_SECURITY=off' }
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    query_timeout: TIMEOUT_MS,
    application_name: 'patchbay-migrate',
  })
  client.on('error', () => {}) // reported by the query
  try {
    await client.connect()
    await client.query('select pg_advisory_lock($1)', [LOCK])
    return { role: await prepareRole(client, name) }
  } catch (error) {
    const role = error instanceof UnusableRole ? error : undefined
    if (!role) throw error
    if (mode === 'auto') return { role: undefined, reason: role.message }
    throw new StartupError(
      `Row-level security is required, but ${role.message}.`,
      `Run as a superuser of the database: ${role.statements} Or set ROW_LEVEL_SECURITY=auto.`,
      { cause: role.cause },
    )
  } finally {
    client.end().catch(() => {}) // also releases the lock of the session
  }
}

class UnusableRole extends Error {
  readonly statements: string
  constructor(role: string, owner: string, problem: string, cause?: unknown) {
    super(`the role ${role} ${problem}`, { cause })
    const [quotedRole, quotedOwner] = [pg.escapeIdentifier(role), pg.escapeIdentifier(owner)]
    this.statements = `create role ${quotedRole} nologin; grant ${quotedRole} to ${quotedOwner};`
  }
}

async function prepareRole(client: pg.Client, name: string | undefined): Promise<string> {
  const { rows } = await client.query<{ owner: string }>('select current_user as owner')
  const owner = rows[0]!.owner
  // One for each owner of databases: another owner in the same cluster could not be granted this one.
  const role = name ?? `${owner.slice(0, OWNER_CHARACTERS_MAX)}_tenant`
  await createRole(client, role, owner)
  await grantTables(client, role)
  return role
}

async function createRole(client: pg.Client, role: string, owner: string): Promise<void> {
  const name = pg.escapeIdentifier(role)
  const find = () =>
    client.query<{ bypasses: boolean; usable: boolean }>(
      `select rolsuper or rolbypassrls as bypasses, pg_has_role(current_user, oid, 'member') as usable
       from pg_roles where rolname = $1`,
      [role],
    )
  const attempt = (statement: string, problem: string) =>
    client.query(statement).catch((cause: { code?: string }) => {
      // Another database of the cluster has just created or granted it.
      if (cause.code === '42710') return
      throw new UnusableRole(role, owner, problem, cause)
    })
  if ((await find()).rows.length === 0)
    await attempt(`create role ${name} nologin`, 'does not exist, and the database user may not create it')
  const found = (await find()).rows[0]
  if (found?.bypasses) throw new UnusableRole(role, owner, 'bypasses row-level security')
  if (!found?.usable) await attempt(`grant ${name} to current_user`, 'is not granted to the database user')
  await attempt(`set role ${name}`, 'cannot be assumed by the database user')
  await client.query('reset role')
}

/** Grants what calls of a project need. Row-level security decides about the rows. */
async function grantTables(client: pg.Client, role: string): Promise<void> {
  const name = pg.escapeIdentifier(role)
  const { rows } = await client.query<{ schema: string }>('select current_schema() as schema')
  const schema = pg.escapeIdentifier(rows[0]!.schema)
  const tables = (names: readonly string[]) => names.map((table) => `${schema}.${table}`).join(', ')
  await client.query(`
    begin;
    grant usage on schema ${schema} to ${name};
    grant select, insert, update, delete on all tables in schema ${schema} to ${name};
    grant usage, select on all sequences in schema ${schema} to ${name};
    revoke all on ${tables(PRIVATE_TABLES)} from ${name};
    revoke update, delete on ${tables(APPEND_ONLY_TABLES)} from ${name};
    commit`)
}
