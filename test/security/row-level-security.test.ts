import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createPolicy } from '../../src/contract/policies/index.ts'
import { batchCalls } from '../../src/platform/db/batch.ts'
import { connect } from '../../src/platform/db/pool.ts'
import { runInProject, runOutsideProjects } from '../../src/platform/db/project-scope.ts'
import { type Pool, raw, type Sql, sql } from '../../src/platform/db/sql.ts'
import { openTenantRole } from '../../src/platform/db/tenant-role.ts'
import { enqueue } from '../../src/platform/jobs/index.ts'
import { StartupError } from '../../src/platform/startup-error.ts'
import { testApp } from '../fixtures/app.ts'
import { clonedDatabase } from '../fixtures/clone.ts'
import { TENANT_ROLE } from '../fixtures/database.ts'

/** Tables without row-level security, and why a call of a project may read every row, or cannot read any. */
const UNRESTRICTED: Readonly<Record<string, string>> = {
  audit_intents: 'calls in progress, found by their random id only',
  console_sessions: 'not granted: people sign in before a call has a project',
  mcp_clients: 'programs that registered belong to no project',
  mcp_pushed_requests: 'not granted: requests of programs, before a user has signed in to a project',
  mcp_used_proofs: 'not granted',
  member_identities: 'not granted',
  member_links: 'not granted',
  member_passkeys: 'not granted',
  member_recovery_codes: 'not granted',
  member_totp: 'not granted',
  members: 'not granted: members belong to the organization',
  migrations: 'not granted',
  organization_openid_providers: 'not granted: the provider belongs to the organization',
  organizations: 'the name of the organization of a project',
  rate_limit_windows: 'counters by subject, written outside of projects',
  toolkit_contents: 'contents by their hash, without a name or an owner',
  usage_progress: 'one row: up to which hour and day usage is rolled up, for all projects',
  used_challenges: 'not granted',
}
const NOT_GRANTED = Object.keys(UNRESTRICTED).filter((table) =>
  UNRESTRICTED[table]!.startsWith('not granted'),
)

/** Two projects, each with a row in a few tables, and a pool as the server has it. */
async function twoTenants(t: TestContext, { isPooled = false } = {}) {
  const url = await clonedDatabase(t)
  const db = connect(url, { tenantRole: TENANT_ROLE, max: 3, isPooled })
  t.after(() => db.close())
  await db.run(sql`insert into organizations (id, name) values ('org_1', 'o')`)
  for (const id of ['proj_a', 'proj_b']) {
    await db.run(sql`insert into projects (id, organization_id, name) values (${id}, 'org_1', ${id})`)
    await db.run(sql`
      insert into auth_configs (id, project_id, name, toolkit_slug, auth_scheme, type, is_service_managed, created_by)
      values (${`ac_${id}`}, ${id}, 'n', 'github', 'OAUTH2', 'default', false, 'me')`)
    await db.run(sql`
      insert into sessions (id, project_id, user_id, config) values (${`trs_${id}`}, ${id}, 'u', '{}')`)
    await db.run(sql`
      insert into session_configs (id, session_id, version, config)
      values (${`trs_${id}.1`}, ${`trs_${id}`}, 1, '{}')`)
  }
  return db
}

const idsOf = async (db: Pool, query: Sql) =>
  (await db.rows<{ id: string }>(query)).map(({ id }) => id).sort()

test('row-level security: every table of a project has it, and later migrations cannot forget it', async (t) => {
  const db = await twoTenants(t)
  const tables = await db.rows<{ name: string; restricted: boolean; policies: number }>(sql`
    select c.relname as name, c.relrowsecurity as restricted,
      (select count(*)::int from pg_policy p where p.polrelid = c.oid) as policies
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`)
  assert.deepEqual(
    tables
      .filter(({ restricted, policies }) => !restricted || policies === 0)
      .map(({ name }) => name)
      .sort(),
    Object.keys(UNRESTRICTED).sort(),
    'a table with project_id calls restrict_to_projects in its migration',
  )
})

test('row-level security: the role of a project is no owner, and cannot bypass it', async (t) => {
  const db = await twoTenants(t)
  const [role] = await runInProject('proj_a', () =>
    db.rows(sql`
      select current_user as name, rolsuper or rolbypassrls or rolcreaterole or rolcanlogin as powerful,
        exists (select from pg_class where relowner = r.oid) as owns
      from pg_roles r where rolname = current_user`),
  )
  assert.deepEqual(role, { name: TENANT_ROLE, powerful: false, owns: false })
  await assert.rejects(
    runInProject('proj_a', () => db.run(sql`alter table auth_configs disable row level security`)),
    /must be owner/,
  )
  for (const table of NOT_GRANTED)
    await assert.rejects(
      runInProject('proj_a', () => db.rows(sql`select * from ${raw(table)}`)),
      /permission denied/,
    )
  await assert.rejects(
    runInProject('proj_a', () => db.run(sql`delete from audit_log`)),
    /permission denied/,
  )
})

for (const isPooled of [false, true]) {
  const where = isPooled ? 'behind a pooler' : 'on a direct connection'

  test(`attack: a statement without its project reads and changes rows of one project only, ${where}`, async (t) => {
    const db = await twoTenants(t, { isPooled })
    const all = sql`select id from auth_configs`
    assert.deepEqual(
      await idsOf(db, all),
      ['ac_proj_a', 'ac_proj_b'],
      'outside of projects nothing is hidden',
    )
    await runInProject('proj_a', async () => {
      assert.deepEqual(await idsOf(db, all), ['ac_proj_a'])
      assert.deepEqual(await idsOf(db, sql`select id from auth_configs where id = 'ac_proj_b' or true`), [
        'ac_proj_a',
      ])
      assert.deepEqual(await idsOf(db, sql`select id from projects`), ['proj_a'])
      assert.deepEqual(await idsOf(db, sql`select session_id as id from session_configs`), ['trs_proj_a'])
      assert.equal(await db.run(sql`update auth_configs set name = 'stolen'`), 1)
      assert.equal(await db.run(sql`delete from session_configs`), 1)
      assert.equal(await db.run(sql`delete from sessions where project_id = 'proj_b'`), 0)
      await assert.rejects(
        db.run(
          sql`insert into sessions (id, project_id, user_id, config) values ('trs_x', 'proj_b', 'u', '{}')`,
        ),
        /row-level security/,
      )
      await assert.rejects(
        db.run(sql`update sessions set project_id = 'proj_b'`),
        /row-level security/,
        'a row cannot be given away',
      )
    })
    assert.deepEqual(await idsOf(db, sql`select id from auth_configs where name = 'stolen'`), ['ac_proj_a'])
    assert.deepEqual(await idsOf(db, sql`select session_id as id from session_configs`), ['trs_proj_b'])
  })

  test(`row-level security: transactions have it; a failed one leaves none on its connection, ${where}`, async (t) => {
    const db = await twoTenants(t, { isPooled })
    const all = sql`select id from auth_configs`
    await runInProject('proj_a', () =>
      db.begin(async (tx) => {
        assert.deepEqual(await idsOf(tx as Pool, all), ['ac_proj_a'])
        assert.equal((await runOutsideProjects(() => tx.rows(all))).length, 2)
        assert.deepEqual(await idsOf(tx as Pool, all), ['ac_proj_a'])
        await enqueue(tx, 'test.task', { project: 'proj_a' })
      }),
    )
    await assert.rejects(
      runInProject('proj_b', () => db.begin((tx) => tx.run(sql`select 1 / 0`))),
      /division by zero/,
    )
    // More statements than connections, so that every connection served both kinds.
    const seen = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        i % 3 === 0 ? idsOf(db, all) : runInProject(i % 3 === 1 ? 'proj_a' : 'proj_b', () => idsOf(db, all)),
      ),
    )
    const expected = [['ac_proj_a', 'ac_proj_b'], ['ac_proj_a'], ['ac_proj_b']]
    seen.forEach((ids, i) => assert.deepEqual(ids, expected[i % 3]))
  })
}

test('row-level security: a statement that fails to compile does not spoil its connection', async (t) => {
  const db = await twoTenants(t)
  await runInProject('proj_a', async () => {
    const broken = sql`select nothing from auth_configs`
    await assert.rejects(db.rows(broken), /does not exist/)
    await assert.rejects(db.rows(broken), /column "nothing" does not exist/)
    assert.deepEqual(await idsOf(db, sql`select id from auth_configs where id <> ${'x'}`), ['ac_proj_a'])
  })
})

test('row-level security: a shared statement has the projects of all its calls, and no others', async (t) => {
  const db = await twoTenants(t)
  await db.run(sql`insert into projects (id, organization_id, name) values ('proj_c', 'org_1', 'c')`)
  const seen: string[][] = []
  const load = batchCalls(async (keys: readonly string[]) => {
    seen.push(await idsOf(db, sql`select id from projects`))
    return keys
  })
  await Promise.all(['proj_a', 'proj_b', 'proj_a'].map((id) => runInProject(id, () => load(id))))
  assert.deepEqual(seen, [['proj_a', 'proj_b']])
})

test('row-level security: a database user that may not create the role starts without it, or not at all', async (t) => {
  const url = await clonedDatabase(t)
  assert.deepEqual(await openTenantRole(url, 'off'), { role: undefined, reason: 'ROW_LEVEL_SECURITY=off' })
  assert.deepEqual(await openTenantRole(url, 'auto'), { role: TENANT_ROLE })
  const missing = 'role_of_nobody'
  assert.deepEqual(await openTenantRole(url, 'auto', missing), {
    role: undefined,
    reason: `the role ${missing} does not exist, and the database user may not create it`,
  })
  await assert.rejects(openTenantRole(url, 'required', missing), (error) => {
    assert.ok(error instanceof StartupError)
    assert.match(error.message, /is required, but the role role_of_nobody does not exist/)
    return true
  })
})

test('row-level security: a call of the API runs its statements as the tenant role', async (t) => {
  const app = await testApp(t)
  const { db } = app.app
  // A trigger function that the test adds reports who writes.
  await db.run(sql`create table writers (name text)`)
  await db.run(sql`grant insert on writers to ${raw(TENANT_ROLE)}`)
  await db.run(sql`
    create function note_writer() returns trigger language plpgsql as
    'begin insert into writers values (current_user || '' '' || current_setting(''patchbay.projects''));
      return new; end'`)
  await db.run(
    sql`create trigger note_writer after insert on policies for each row execute function note_writer()`,
  )
  const reply = await app.call(createPolicy, {
    body: { name: 'p', outcome: 'deny', when: { tools: ['GITHUB_GET_A_USER'] } },
  })
  assert.ok(reply.status < 300, JSON.stringify(reply.body))
  assert.deepEqual(await db.rows(sql`select name from writers`), [
    { name: `${TENANT_ROLE} ${app.keys.projectId}` },
  ])
})
