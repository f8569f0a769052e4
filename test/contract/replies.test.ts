import assert from 'node:assert/strict'
import { test } from 'node:test'
import addFormats from 'ajv-formats'
import { Ajv } from 'ajv'
import { implementedRoutes, routes } from '../../src/contract/index.ts'
import { API_VERSIONS, type Route } from '../../src/contract/route.ts'
import { EXAMPLES, exampleOf } from './examples.ts'
import { envelope } from './send.ts'
import { unique, world } from './world.ts'

const params = (route: Route) =>
  Object.fromEntries([...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, 'x']))

test('every operation that is built has a realistic call, and its reply is what the contract declares', async (t) => {
  const ajv = addFormats.default(new Ajv({ allErrors: true, strict: false, addUsedSchema: false }))
  const w = await world(t)
  assert.deepEqual(Object.keys(EXAMPLES).sort(), implementedRoutes.map(({ id }) => id).sort())
  for (const version of API_VERSIONS) {
    for (const route of implementedRoutes) {
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
      assert.equal(reply.headers['x-should-retry'], route.neverRetry ? 'false' : undefined, what)
      for (const name of ['x-ratelimit', 'x-ratelimit-remaining', 'x-ratelimit-window-size'])
        assert.ok(reply.headers[name], `${what} has ${name}`)
    }
  }
})

test('an operation that is planned answers 501 with the envelope and is not worth repeating', async (t) => {
  const w = await world(t)
  const planned = routes.filter(({ isPlanned: unbuilt }) => unbuilt)
  assert.ok(planned.length > 0)
  for (const version of API_VERSIONS) {
    for (const route of planned) {
      const what = `${route.id} on ${version}`
      const reply = await w.send(route, version, {
        params: params(route),
        headers: w.credentials(route),
        ...(route.method === 'GET' ? {} : { body: {} }),
      })
      assert.deepEqual(
        [reply.status, envelope(reply, what).slug, reply.headers['x-should-retry']],
        [501, 'HTTP_NotImplemented', 'false'],
        what,
      )
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

/** Sessions refuse members that they do not know, so each route of them has its own call. */
const OF_SESSIONS: Readonly<Record<string, object>> = {
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
          body: OF_SESSIONS[route.id] ?? {
            arguments: {},
            auth_config_id: 'ac_NoSuchConfig',
            user_id: 'u',
            connected_account_id: 'ca_NoSuchOne',
            endpoint: '/x',
            method: 'GET',
          },
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
  const create = implementedRoutes.find(({ id }) => id === 'connectedAccounts.create') as Route
  const example = await exampleOf(create.id, w)
  const request = { ...example, headers: w.credentials(create) }
  assert.equal((await w.send(create, 'v3', request)).status, 201)
  const reply = await w.send(create, 'v3', request)
  assert.deepEqual(
    [reply.status, envelope(reply, 'second').slug, reply.headers['x-should-retry']],
    [409, 'ConnectedAccount_AliasConflict', 'false'],
  )
})
