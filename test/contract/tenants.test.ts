import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/contract/index.ts'
import { API_VERSIONS, type ApiVersion, type Route } from '../../src/contract/route.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { exampleOf } from './examples/index.ts'
import { envelope, type Raw } from './send.ts'
import { world, type World } from './world.ts'

type Kind = 'proj' | 'ac' | 'ca' | 'key' | 'trs'
const MISSING: Record<Kind, string> = {
  proj: 'proj_000000000000',
  ac: 'ac_000000000000',
  ca: 'ca_000000000000',
  key: 'key_000000000000',
  trs: 'trs_000000000000',
}
const NOT_FOUND: Record<Kind, string> = {
  proj: 'Project_NotFound',
  ac: 'Auth_Config_NotFound',
  ca: 'ConnectedAccount_ResourceNotFound',
  key: 'APIKey_NotFound',
  trs: 'ToolRouterV2_SessionNotFound',
}
const foreignOf = ({ foreign }: World): Record<Kind, string> => ({
  proj: foreign.project,
  ac: foreign.authConfig,
  ca: foreign.account,
  key: foreign.key,
  trs: foreign.session,
})

/** The other ids belong to another project of the same organization, whose audit log an organization key reads. */
const OF_ANOTHER_ORGANIZATION: ReadonlySet<string> = new Set(['proj', 'key'])

/** Places of a path that take an id, and of what kind. */
function idsOf(route: Route): [name: string, kind: Kind][] {
  const { properties = {} } = route.params as { properties?: Record<string, { pattern?: string }> }
  return Object.entries(properties).flatMap(([name, { pattern }]) => {
    const kind = /^\^\((\w+?)[|)]/.exec(pattern ?? '')?.[1]
    return kind && kind in MISSING ? [[name, kind as Kind] as [string, Kind]] : []
  })
}

/** Everything of the others, as the database has it. */
const theirs = ({ app: { db }, foreign }: World) =>
  db.rows(sql`
  select 'project' as kind, to_jsonb(p) as row from projects p where id = ${foreign.project} union all
    select 'key', to_jsonb(k) from api_keys k where id = ${foreign.key}
  union all select 'auth config', to_jsonb(a) from auth_configs a where id = ${foreign.authConfig}
    union all select 'account', to_jsonb(c) from connected_accounts c where id = ${foreign.account}
  union all select 'session', to_jsonb(s) from sessions s where id = ${foreign.session} order by 1`)

/** The answer with the id taken out of it: what is left must not tell whether the id exists. */
async function refusal(w: World, route: Route, version: ApiVersion, request: Raw, id: string) {
  const reply = await w.send(route, version, {
    ...request,
    headers: { ...w.credentials(route), ...request.headers },
  })
  assert.ok(reply.status >= 400, `${route.id} returns ${reply.status} for the id of another project`)
  const { message, code, slug, status, suggested_fix: fix, errors } = envelope(reply, route.id)
  return {
    status,
    slug,
    code,
    message: message.replaceAll(id, '<id>'),
    fix,
    errors: errors.map((one) => one.replaceAll(id, '<id>')),
    headers: Object.keys(reply.headers).sort(),
  }
}

test('in every path, the id of another project gets the same response as one that does not exist', async (t) => {
  const w = await world(t)
  const foreign = foreignOf(w)
  const before = await theirs(w)
  assert.equal(before.length, 5)
  let checked = 0
  for (const version of API_VERSIONS) {
    for (const route of routes) {
      for (const [name, kind] of idsOf(route)) {
        const example = await exampleOf(route.id, w)
        const asking = (id: string) =>
          refusal(w, route, version, { ...example, params: { ...example.params, [name]: id } }, id)
        const missing = await asking(MISSING[kind])
        assert.deepEqual([missing.status, missing.slug], [404, NOT_FOUND[kind]], `${route.id} on ${version}`)
        assert.deepEqual(await asking(foreign[kind]), missing, `${route.id} on ${version}`)
        checked++
      }
    }
  }
  assert.ok(checked >= 30, `${checked} addresses have ids`)
  assert.deepEqual(await theirs(w), before, 'nothing of theirs was changed')
})

/** Ids in bodies and queries that name something the call acts on. */
const ELSEWHERE: readonly [operation: string, kind: Kind, request: (id: string) => Raw][] = [
  ['connectedAccounts.create', 'ac', (id) => ({ body: { auth_config: { id }, connection: {} } })],
  ['tools.list', 'ac', (id) => ({ query: { auth_config_ids: [id] } })],
  [
    'tools.execute',
    'ca',
    (id) => ({
      params: { tool_slug: 'NODERED_LIST_FLOWS' },
      body: { connected_account_id: id, user_id: 'user-1', arguments: {}, version: 'latest' },
    }),
  ],
  ['tools.proxy', 'ca', (id) => ({ body: { connected_account_id: id, endpoint: '/flows', method: 'GET' } })],
  [
    'tools.execute',
    'ca',
    (id) => ({
      params: { tool_slug: 'UTILITIES_GET_CURRENT_TIME' },
      body: { connected_account_id: id, arguments: {} },
    }),
  ],
]

test('in bodies and queries too', async (t) => {
  const w = await world(t)
  const before = await theirs(w)
  for (const version of API_VERSIONS) {
    for (const [operation, kind, request] of ELSEWHERE) {
      const route = routes.find(({ id }) => id === operation) as Route
      const [missing, foreign] = [MISSING[kind], foreignOf(w)[kind]]
      assert.deepEqual(
        await refusal(w, route, version, request(foreign), foreign),
        await refusal(w, route, version, request(missing), missing),
        operation,
      )
    }
  }
  assert.deepEqual(await theirs(w), before)
})

test('lists show what is the caller’s own, also when they are asked for more', async (t) => {
  const w = await world(t)
  const foreign = foreignOf(w)
  const asked: Record<string, Record<string, unknown>> = {
    'connectedAccounts.list': {
      connected_account_ids: [foreign.ca],
      auth_config_ids: [foreign.ac],
      account_type: 'ALL',
    },
    'authConfigs.list': { search: foreign.ac },
    'projects.list': { limit: 1000 },
  }
  for (const version of API_VERSIONS) {
    for (const route of routes.filter(({ method, path }) => method === 'GET' && !path.includes(':'))) {
      const example = await exampleOf(route.id, w)
      for (const query of [example.query, { limit: 1000 }, asked[route.id]]) {
        const reply = await w.send(route, version, { query, headers: w.credentials(route) })
        for (const [kind, id] of Object.entries(foreign))
          if (route.audience !== 'organization' || OF_ANOTHER_ORGANIZATION.has(kind))
            assert.ok(!reply.text.includes(id), `${route.id} on ${version} shows the ${kind} of others`)
      }
    }
  }
  const seen = await w.send(routes.find(({ id }) => id === 'connectedAccounts.list') as Route, 'v3', {
    headers: w.credentials(routes.find(({ id }) => id === 'connectedAccounts.list') as Route),
  })
  assert.ok(seen.text.includes(w.own.account), 'and it does show one’s own')
})
