import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/contract/index.ts'
import { API_VERSIONS, type ApiVersion, AREAS, type Route } from '../../src/contract/route.ts'
import { newApiKey } from '../../src/platform/crypto/index.ts'
import { createProjectKey } from '../../src/contract/projects/index.ts'
import { envelope, type Raw } from './send.ts'
import { world, type World } from './world.ts'

/** Every operation that needs a key, on both prefixes, with what it is called in a failure. */
async function everywhere(
  check: (route: Route, version: ApiVersion, what: string) => Promise<void>,
): Promise<void> {
  assert.ok(routes.length > 90, 'the contract lists the operations')
  for (const version of API_VERSIONS)
    for (const route of routes.filter(({ audience }) => audience !== 'public'))
      await check(route, version, `${route.id} on ${version}`)
}

const params = (route: Route) =>
  Object.fromEntries([...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, 'x']))
const HEADER = { project: 'x-api-key', organization: 'x-org-api-key', public: '' } as const
const takesBody = ({ method }: Route) => method !== 'GET'

test('without a key every request is rejected, and the error names the header to send', async (t) => {
  const w = await world(t)
  await everywhere(async (route, version, what) => {
    const reply = await w.send(route, version, {
      params: params(route),
      ...(takesBody(route) ? { text: '{ not even JSON' } : {}),
    })
    const { slug, code, suggested_fix: fix } = envelope(reply, what)
    assert.deepEqual([reply.status, slug, code], [401, 'HTTP_Unauthorized', 10401], what)
    assert.match(fix, /x-api-key/)
  })
})

test('a key that is unknown, of another kind or in the wrong header is rejected and never repeated', async (t) => {
  const w = await world(t)
  const { projectApiKey, organizationApiKey } = w.keys
  // One IP address may try only some different keys a minute.
  const unknown = { project: newApiKey('ak'), other: newApiKey('oak') }
  await everywhere(async (route, version, what) => {
    const header = HEADER[route.audience]
    const otherKind =
      route.audience === 'project'
        ? { right: organizationApiKey, header: 'x-org-api-key' }
        : { right: projectApiKey, header: 'x-api-key' }
    const sent: Record<string, string>[] = [
      { [header]: route.audience === 'project' ? unknown.project : unknown.other },
      { [header]: '' },
      { [header]: `${'k'.repeat(300)}` },
      { [header]: otherKind.right },
      { [otherKind.header]: otherKind.right },
      { 'x-user-api-key': 'uak_x' },
    ]
    for (const headers of sent) {
      const reply = await w.send(route, version, { params: params(route), headers })
      const { slug, code } = envelope(reply, what)
      assert.deepEqual(
        [reply.status, slug, code],
        [401, 'APIKey_InvalidAPIKey', 801],
        `${what} with ${Object.keys(headers).join()}`,
      )
      for (const key of Object.values(headers)) assert.ok(!key || !reply.text.includes(key), what)
    }
  })
})

test('two credential headers are rejected even if each alone is valid', async (t) => {
  const w = await world(t)
  await everywhere(async (route, version, what) => {
    const reply = await w.send(route, version, {
      params: params(route),
      headers: { 'x-api-key': w.keys.projectApiKey, 'x-org-api-key': w.keys.organizationApiKey },
    })
    const { slug, message } = envelope(reply, what)
    assert.deepEqual([reply.status, slug], [401, 'HTTP_Unauthorized'], what)
    assert.match(message, /ApiKeyAuth via x-api-key, OrgApiKeyAuth via x-org-api-key/)
  })
})

test('a scoped key opens what it was made for and nothing else', async (t) => {
  const w = await world(t)
  const all = Object.entries(AREAS).flatMap(([area, levels]) => levels.map((level) => ({ area, level })))
  const only = new Map<string, string>()
  /** Operations that need a second permission, because they also change objects of its area. */
  const alsoNeeded: Readonly<Record<string, Record<string, string[]>>> = {
    'mcp.deleteInstance': { connected_accounts: ['write'] },
  }
  const without = new Map<string, string>()
  for (const { area, level } of all) {
    only.set(`${area} ${level}`, await scoped(w, { [area]: [level] }))
    const rest = Object.entries(AREAS)
      .map(([name, levels]) => [name, levels.filter((one) => name !== area || one !== level)] as const)
      .filter(([, levels]) => levels.length)
    without.set(`${area} ${level}`, await scoped(w, Object.fromEntries(rest)))
  }
  const everything = await scoped(w, AREAS)
  await everywhere(async (route, version, what) => {
    if (route.audience !== 'project') return
    const { permission } = route
    const ask = async (key: string) =>
      w.send(route, version, { params: params(route), headers: { 'x-api-key': key } })
    if (!permission) {
      const reply = await ask(everything)
      assert.deepEqual(
        [reply.status, envelope(reply, what).slug],
        [403, 'APIKey_InsufficientPermissions'],
        `${what} needs an unrestricted key`,
      )
      return
    }
    const name = `${permission.area} ${permission.level}`
    assert.ok(only.has(name), `${what}: no key could have ${name}`)
    const refused = await ask(without.get(name) as string)
    const { code, message } = envelope(refused, what)
    assert.deepEqual([refused.status, code], [403, 812], what)
    assert.ok(
      message.includes(`lacks the permission ${permission.area}:${permission.level}`),
      `${what}: ${message}`,
    )
    const second = alsoNeeded[route.id]
    const key = second
      ? await scoped(w, { [permission.area]: [permission.level], ...second })
      : (only.get(name) as string)
    const reply = await ask(key)
    assert.ok(![401, 403].includes(reply.status), `${what} with ${name}: ${reply.text.slice(0, 200)}`)
  })
})

async function scoped(w: World, permissions: object): Promise<string> {
  const { body } = await w.org(createProjectKey, {
    params: { nano_id: w.keys.projectId },
    body: { permissions: permissions as never },
  })
  assert.ok(body.key)
  return body.key
}

test('a body that is too large, not JSON, or of another type is rejected with its own error', async (t) => {
  const w = await world(t)
  const large = `"${'x'.repeat(6 * 1024 * 1024)}"`
  const cases: readonly [Pick<Raw, 'text' | 'headers'>, number, string][] = [
    [{ text: large }, 413, 'HTTP_PayloadTooLarge'],
    [{ text: '{"a":' }, 400, 'HTTP_BadRequest'],
    [{ text: '<a/>', headers: { 'content-type': 'application/xml' } }, 415, 'HTTP_UnsupportedMediaType'],
    [
      { text: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'HTTP_UnsupportedMediaType',
    ],
  ]
  await everywhere(async (route, version, what) => {
    if (!takesBody(route)) return
    for (const [request, status, slug] of cases) {
      if (route.acceptsForms && request.headers?.['content-type']?.includes('form')) continue
      const reply = await w.send(route, version, {
        params: params(route),
        ...request,
        headers: { ...w.credentials(route), ...request.headers },
      })
      assert.deepEqual([reply.status, envelope(reply, what).slug], [status, slug], what)
    }
  })
})

test('an empty body counts as none, whatever type it is said to have', async (t) => {
  const w = await world(t)
  for (const version of API_VERSIONS) {
    const route = routes.find(({ id }) => id === 'authConfigs.delete') as Route
    const reply = await w.send(route, version, {
      params: { nanoid: await w.authConfig() },
      headers: { ...w.credentials(route), 'content-type': 'application/json' },
    })
    assert.equal(reply.status, 200, reply.text)
  }
})

test('an unknown path returns 404, an unknown method 405 with those that exist', async (t) => {
  const w = await world(t)
  const withPut = new Set(routes.filter(({ method }) => method === 'PUT').map(({ path }) => path))
  await everywhere(async (route, version, what) => {
    const reply = await w.send(route, version, {
      params: params(route),
      method: withPut.has(route.path) ? 'PATCH' : 'PUT',
      headers: w.credentials(route),
    })
    assert.deepEqual([reply.status, envelope(reply, what).slug], [405, 'HTTP_MethodNotAllowed'], what)
    assert.ok(
      String(reply.headers['allow']).split(', ').includes(route.method),
      `${what} allows ${route.method}`,
    )
    const nowhere = await w.send({ ...route, path: `/nowhere${route.path}` }, version, {
      params: params(route),
      headers: w.credentials(route),
    })
    assert.deepEqual([nowhere.status, envelope(nowhere, what).slug], [404, 'HTTP_NotFound'], what)
  })
  for (const url of ['/api', '/api/v3.2/tools', '/api/v4/tools', '/nowhere'])
    assert.equal((await w.app.http.inject(url)).statusCode, 404, url)
  for (const url of ['/api/v1/tools', '/api/v2/connectedAccounts/ca_1?x=1', '/api/v2']) {
    const reply = await w.app.http.inject(url)
    assert.deepEqual([reply.statusCode, reply.json().error.slug], [410, 'HTTP_Gone'], url)
  }
})

test('a path that does not exist names the nearest path, or where all paths are', async (t) => {
  const { app } = await world(t)
  for (const [url, nearest] of [
    ['/api/v3.1/tool', '/api/v3.1/tools'],
    ['/api/v3/connected-accounts/ca_1?x=1', '/api/v3/connected_accounts/ca_1'],
    ['/api/v3.1/tools/exceute/GITHUB_GET_A_USER', '/api/v3.1/tools/execute/GITHUB_GET_A_USER'],
    ['/toolkits', '/api/v3.1/toolkits'],
    ['/v3/toolkits', '/api/v3.1/toolkits'],
    ['/api/v4/toolkits', '/api/v3.1/toolkits'],
  ] as const) {
    const { error } = (await app.http.inject(url)).json()
    assert.equal(error.message, `There is nothing at ${url.split('?')[0]}. Did you mean ${nearest}?`)
  }
  const { error } = (await app.http.inject('/api/v3.1/nowhere/else')).json()
  assert.equal(error.message, 'There is nothing at /api/v3.1/nowhere/else.')
  assert.match(error.suggested_fix, /\/openapi\.json/)
})

test('a sane request id of the caller comes back, any other is replaced by one of ours', async (t) => {
  const w = await world(t)
  const route = routes.find(({ id }) => id === 'session.info') as Route
  const answered = async (requestId: string, more: Raw = {}) =>
    (await w.send(route, 'v3', { ...more, headers: { ...w.credentials(route), 'x-request-id': requestId } }))
      .headers['x-request-id']
  for (const sane of [
    'b83baf9f12ed48768ea528d9654dd3bc',
    '6f0c1f0e-7a35-4f6e-9d0e-2c5b8f1f5a11',
    'job:17.retry-2_a',
  ])
    assert.equal(await answered(sane), sane)
  for (const insane of ['', 'a b', 'a\tb', '<x>', 'é', 'x'.repeat(65)])
    assert.match(String(await answered(insane)), /^[0-9a-f]{8}-[0-9a-f-]{27}$/, insane)
  const first = (await w.send(route, 'v3')).headers['x-request-id']
  assert.notEqual((await w.send(route, 'v3')).headers['x-request-id'], first)
})

test('an address that is wrongly encoded or too long is the caller’s fault, with the envelope', async (t) => {
  const w = await world(t)
  for (const [path, status] of [
    ['/api/v3/toolkits/%zz', 400],
    ['/api/v3/toolkits/%', 400],
    ['/api/v3/toolkits/%E0%A4%A', 400],
    [`/api/v3/toolkits/${'a'.repeat(300)}`, 400],
    [`/api/v3/toolkits/a%00b`, 400],
  ] as const) {
    const reply = await w.app.http.inject({ url: path, headers: { 'x-api-key': w.keys.projectApiKey } })
    assert.equal(reply.statusCode, status, path)
    envelope({ status: reply.statusCode, headers: reply.headers, text: reply.body, body: reply.json() }, path)
  }
})
