import assert from 'node:assert/strict'
import { test } from 'node:test'
import addFormats from 'ajv-formats'
import { Ajv } from 'ajv'
import { routes } from '../../src/contract/index.ts'
import { API_VERSIONS, type Route } from '../../src/contract/route.ts'
import { EXAMPLES, exampleOf } from './examples/index.ts'
import { envelope } from './send.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { unique, type World, world } from './world.ts'

const params = (route: Route) =>
  Object.fromEntries([...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, 'x']))

/** Executions of tools, and reads with POST. */
const NO_MANAGEMENT = new Set([
  'realtime.auth',
  'logs.internal',
  'logs.search',
  'logs.triggers',
  'metrics.query',
  'playground.chat',
  'mcp.introspectToken',
  'policies.check',
  'sessions.execute',
  'sessions.executeMeta',
  'sessions.mountDownload',
  'sessions.proxy',
  'sessions.search',
  'toolkits.multi',
  'tools.execute',
  'tools.input',
  'tools.proxy',
  'tools.scopesRequired',
  'usage.entity',
  'usage.orgEntity',
  'usage.orgSummary',
  'usage.summary',
  // The entry is that of the key, not of the caller.
  'projectKeys.reportLeaked',
])
const EXPORTS = new Set(['audit.export', 'audit.exportOrganization'])
/** Reads whose v3 response has keys or webhook secrets in clear. */
const SECRETS_ON_V3 = new Set([
  'projectKeys.list',
  'projects.list',
  'projects.read',
  'webhooks.list',
  'webhooks.read',
  'webhooks.readProject',
])

const isManagement = ({ id, method }: Route, version: string): boolean =>
  method === 'GET' ? EXPORTS.has(id) || (version === 'v3' && SECRETS_ON_V3.has(id)) : !NO_MANAGEMENT.has(id)

const auditedAs = async ({ app: { db } }: World, requestId: string): Promise<string[]> =>
  (
    await db.rows<{ action: string }>(sql`
      select action from audit_log where entry::json->>'request_id' = ${requestId} and outcome = 'success'`)
  ).map(({ action }) => action)

test('every operation that is built has a realistic call, and its reply is what the contract declares', async (t) => {
  const ajv = addFormats.default(new Ajv({ allErrors: true, strict: false, addUsedSchema: false }))
  const w = await world(t)
  assert.deepEqual(Object.keys(EXAMPLES).sort(), routes.map(({ id }) => id).sort())
  for (const version of API_VERSIONS) {
    // An organization has one: the second version would meet that of the first.
    await w.app.db.run(sql`update projects set deleted_at = now() where is_demo`)
    for (const route of routes) {
      const example = await exampleOf(route.id, w)
      const requestId = `sweep:${unique()}`
      const reply = await w.send(route, version, {
        ...example,
        headers: { ...w.credentials(route), ...example.headers, 'x-request-id': requestId },
      })
      const what = `${route.id} on ${version}`
      assert.equal(reply.status, route.status, `${what}: ${reply.text.slice(0, 500)}`)
      const validate = ajv.compile(
        JSON.parse(
          JSON.stringify(route.reply, (key, value) => (key === '$id' ? undefined : value)),
        ) as object,
      )
      assert.ok(validate(reply.body), `${what}: ${ajv.errorsText(validate.errors)}`)
      assert.match(String(reply.headers['content-type']), /^application\/json/, what)
      assert.equal(reply.headers['x-request-id'], requestId, what)
      assert.deepEqual(
        await auditedAs(w, requestId),
        isManagement(route, version) ? [route.id] : [],
        `${what}: entries of the audit log`,
      )
      assert.equal(reply.headers['x-should-retry'], route.neverRetry ? 'false' : undefined, what)
      // Only callers with a key have a budget.
      for (const name of ['x-ratelimit', 'x-ratelimit-remaining', 'x-ratelimit-window-size'])
        assert.equal(reply.headers[name] !== undefined, route.audience !== 'public', `${what} has ${name}`)
    }
  }
})

test('every operation and both versions are in the served API description, and nothing else is', async (t) => {
  const { app } = await world(t)
  const { paths } = (await app.http.inject('/openapi.json')).json<{
    paths: Record<string, Record<string, { operationId: string }>>
  }>()
  const described = Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/'))
    .flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`))
  const declared = API_VERSIONS.flatMap((version) =>
    routes.map(({ method, path }) => `${method} /api/${version}${path.replace(/:(\w+)/g, '{$1}')}`),
  )
  assert.deepEqual(described.sort(), declared.sort())
})

/** Operations reject fields that they do not declare, so each has its own call. */
const BODIES: Readonly<Record<string, object>> = {
  'connectedAccounts.link': { auth_config_id: 'ac_NoSuchConfig', user_id: 'u' },
  'tools.execute': { arguments: {}, user_id: 'u', connected_account_id: 'ca_NoSuchOne' },
  'tools.proxy': { connected_account_id: 'ca_NoSuchOne', endpoint: '/x', method: 'GET' },
  'sessions.execute': { tool_slug: 'NO_SUCH_TOOL' },
  'sessions.link': { toolkit: 'gmail' },
  'sessions.proxy': { toolkit_slug: 'gmail', endpoint: '/x', method: 'GET' },
  'sessions.executeMeta': { slug: 'SERVICE_SEARCH_TOOLS' },
  'sessions.decide': { decision: 'deny' },
}

test('responses to calls that must not be repeated automatically say so, errors included', async (t) => {
  const w = await world(t)
  const once = routes.filter(({ neverRetry }) => neverRetry)
  assert.deepEqual(once.map(({ id }) => id).sort(), [
    'connectedAccounts.link',
    'sessions.decide',
    'sessions.execute',
    'sessions.executeMeta',
    'sessions.link',
    'sessions.proxy',
    'tools.execute',
    'tools.proxy',
  ])
  for (const route of once) {
    const key = w.credentials(route)
    const at = {
      params: {
        ...params(route),
        tool_slug: 'NO_SUCH_TOOL',
        session_id: 'trs_NoSuchOne',
        approval_id: 'apr_NoSuchOne',
      },
    }
    for (const [request, statuses] of [
      [{ ...at, body: {} }, [401]],
      [{ ...at, headers: key, text: '{' }, [400]],
      [{ ...at, headers: { ...key, 'content-type': 'text/plain' }, text: 'x' }, [415]],
      [
        {
          ...at,
          headers: key,
          body: BODIES[route.id],
        },
        [404, 501],
      ],
      [{ ...at, headers: key, text: `"${'x'.repeat(6 * 1024 * 1024)}"` }, [413]],
    ] as const) {
      const reply = await w.send(route, 'v3.1', request)
      assert.ok(
        (statuses as readonly number[]).includes(reply.status),
        `${route.id}: ${reply.status} is one of ${statuses.join()}`,
      )
      assert.equal(reply.headers['x-should-retry'], 'false', `${route.id}: ${reply.status}`)
    }
  }
})

test('a conflict is not worth repeating either', async (t) => {
  const w = await world(t)
  const create = routes.find(({ id }) => id === 'connectedAccounts.create') as Route
  const example = await exampleOf(create.id, w)
  const request = { ...example, headers: w.credentials(create) }
  assert.equal((await w.send(create, 'v3', request)).status, 201)
  const reply = await w.send(create, 'v3', request)
  assert.deepEqual(
    [reply.status, envelope(reply, 'second').slug, reply.headers['x-should-retry']],
    [409, 'ConnectedAccount_AliasConflict', 'false'],
  )
})
