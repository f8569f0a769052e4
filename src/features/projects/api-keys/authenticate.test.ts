import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { routes } from '../../../contract/index.ts'
import { createProjectKey, listProjects, readProjectConfig } from '../../../contract/projects/index.ts'
import { AREAS } from '../../../contract/route.ts'
import { listTools } from '../../../contract/tools/index.ts'
import type { Route } from '../../../contract/route.ts'

const LONG = 'A1'.repeat(16)

test('authentication: a call without a credential, or with two, receives the names of the headers', async (t) => {
  const { keys, as } = await testApp(t)
  const none = await as({})(listTools)
  assert.deepEqual(
    [none.status, none.body.error.slug, none.body.error.code, none.body.error.message],
    [401, 'HTTP_Unauthorized', 10401, 'No credential header was sent.'],
  )
  const other = await as({ authorization: 'Bearer sk-1234' })(listTools)
  assert.deepEqual(
    [other.status, other.body.error.message],
    [401, 'No credential header was sent. The header authorization has no key ("Bearer ak_…").'],
  )
  const two = await as({ 'x-api-key': keys.projectApiKey, 'x-user-api-key': `uak_${LONG}` })(listTools)
  assert.deepEqual([two.status, two.body.error.slug], [401, 'HTTP_Unauthorized'])
  assert.match(two.body.error.message, /ApiKeyAuth via x-api-key, UserApiKeyAuth via x-user-api-key/)
  const both = await as({ 'x-api-key': keys.projectApiKey, 'x-org-api-key': keys.organizationApiKey })(
    listProjects,
  )
  assert.equal(both.status, 401)
})

test('authentication: an unknown key is rejected and shown masked', async (t) => {
  const { as } = await testApp(t)
  for (const [header, key, maskedKey, route] of [
    ['x-api-key', `ak_${LONG}`, 'ak_**A1A1', listTools],
    ['x-org-api-key', `oak_${LONG}`, 'oak_**A1A1', listProjects],
  ] as const) {
    const { status, body } = await as({ [header]: key })(route as Route)
    assert.deepEqual(
      [status, body.error.slug, body.error.code, body.error.message],
      [401, 'APIKey_InvalidAPIKey', 801, `Invalid API key: ${maskedKey}`],
    )
  }
  for (const key of ['', 'x', 'ak_', `ak_${'x'.repeat(5_000)}`, "ak_' or '1'='1"])
    assert.equal((await as({ 'x-api-key': key })(listTools)).body.error.code, 801, key.slice(0, 20))
})

test('authentication: a key of another kind in x-api-key is reported by kind and not repeated', async (t) => {
  const { keys, as } = await testApp(t)
  for (const [key, kind] of [
    [keys.organizationApiKey, 'an organization'],
    [`oak_${LONG}`, 'an organization'],
    [`uak_${LONG}`, 'a user'],
    [`ck_${LONG}`, 'a consumer'],
  ] as const) {
    const { status, body } = await as({ 'x-api-key': key })(listTools)
    assert.deepEqual(
      [status, body.error.slug, body.error.message],
      [
        401,
        'APIKey_InvalidAPIKey',
        `The header x-api-key needs the key of a project; the key sent is ${kind} key.`,
      ],
    )
    assert.ok(!JSON.stringify(body).includes(key.slice(-4)))
  }
  const project = await as({ 'x-org-api-key': keys.projectApiKey })(listProjects)
  assert.deepEqual(
    [project.status, project.body.error.message],
    [401, 'The header x-org-api-key needs the key of an organization; the key sent is a project key.'],
  )
})

test('authentication: a valid key in the wrong header receives the name of the header', async (t) => {
  const { keys, as } = await testApp(t)
  const wrong = await as({ 'x-org-api-key': keys.organizationApiKey })(listTools)
  assert.deepEqual(
    [wrong.status, wrong.body.error.code, wrong.body.error.message],
    [401, 801, 'This operation needs an API key in the header x-api-key, not in x-org-api-key.'],
  )
  const user = await as({ 'x-user-api-key': `uak_${LONG}` })(listTools)
  assert.equal(user.status, 401)
  assert.match(user.body.error.message, /not in x-user-api-key\. This server issues no user keys\.$/)
})

test('authentication: a caller without a key learns nothing about its request', async (t) => {
  const { app } = await testApp(t)
  const { statusCode, json } = await app.http.inject({
    method: 'POST',
    url: '/api/v3/auth_configs',
    headers: { 'content-type': 'application/json' },
    payload: '{broken',
  })
  assert.deepEqual([statusCode, json().error.slug], [401, 'HTTP_Unauthorized'])
})

/** Operations whose handlers ask for a second permission, because they change objects of another area, too. */
const SECOND_PERMISSION = new Set(['mcp.deleteInstance', 'mcp.createSignInLink'])

test('key permissions: each area and level allows its own operations only', async (t) => {
  const { keys, org, as } = await testApp(t)
  const projectRoutes = routes.filter(({ audience }) => audience === 'project')
  for (const [area, levels] of Object.entries(AREAS)) {
    for (const level of levels) {
      const {
        body: { key },
      } = await org(createProjectKey, {
        params: { nano_id: keys.projectId },
        body: { permissions: { [area]: [level] } },
      })
      const call = as({ 'x-api-key': key })
      for (const route of projectRoutes) {
        const { status, body } = await call(route, {
          params: { nanoid: 'no', nano_id: 'no' } as never,
          body: route.method === 'GET' ? undefined : ([] as never),
        })
        const { permission } = route
        if (permission?.area === area && permission.level === level) {
          if (SECOND_PERMISSION.has(route.id)) continue
          assert.notEqual(body.error?.code, 812, `${area} ${level} opens ${route.id}`)
        } else
          assert.deepEqual(
            [status, body.error.code, body.error.slug],
            [403, 812, 'APIKey_InsufficientPermissions'],
            `${area} ${level} does not open ${route.id}`,
          )
        if (permission && status === 403)
          assert.match(
            body.error.message,
            new RegExp(`lacks the permission ${permission.area}:${permission.level}`),
          )
      }
    }
  }
  const used = new Set(
    routes.flatMap(({ permission }) => (permission ? [`${permission.area} ${permission.level}`] : [])),
  )
  for (const expected of [
    'auth_configs read',
    'auth_configs write',
    'connected_accounts read',
    'connected_accounts write',
    'tools read',
    'tool_execution write',
    'toolkits read',
    'toolkits write',
  ]) {
    assert.ok(used.has(expected), expected)
  }
})

test('key permissions: an area without a level, and an unknown level, allow nothing', async (t) => {
  const { keys, org, as } = await testApp(t)
  const params = { nano_id: keys.projectId }
  const { body } = await org(createProjectKey, { params, body: { permissions: { tools: [] } } })
  assert.equal((await as({ 'x-api-key': body.key })(listTools)).status, 403)
  for (const permissions of [
    { tools: ['write'] },
    { planets: ['read'] },
    {},
    { tools: ['read', 'read', 'read'] },
    ['tools'],
  ]) {
    assert.equal(
      (await org(createProjectKey, { params, body: { permissions: permissions as never } })).status,
      400,
      JSON.stringify(permissions),
    )
  }
})

test('allowed IPs: a restricted key works from these IP addresses only', async (t) => {
  const { app, keys, org } = await testApp(t)
  const {
    body: { key },
  } = await org(createProjectKey, {
    params: { nano_id: keys.projectId },
    body: { allowed_ips: ['203.0.113.7', '10.1.0.0/16', '2001:db8::/32'] },
  })
  const from = async (remoteAddress: string, apiKey = key) =>
    await app.http.inject({
      method: 'GET',
      url: `/api/v3${readProjectConfig.path}`,
      headers: { 'x-api-key': apiKey },
      remoteAddress,
    })
  for (const inside of [
    '203.0.113.7',
    '::ffff:203.0.113.7',
    '10.1.255.1',
    '::ffff:10.1.0.1',
    '2001:db8:1::5',
  ])
    assert.equal((await from(inside)).statusCode, 200, inside)
  for (const outside of ['203.0.113.8', '10.2.0.1', '::ffff:10.2.0.1', '2001:db9::1', '127.0.0.1', '::1']) {
    const reply = await from(outside)
    assert.deepEqual(
      [reply.statusCode, reply.json().error.code, reply.json().error.slug],
      [403, 813, 'APIKey_IpNotAllowed'],
      outside,
    )
    assert.equal(
      (await from(outside, keys.projectApiKey)).statusCode,
      200,
      'a key without a list works from everywhere',
    )
  }
})

test('allowed IPs: a forwarding header does not replace the IP address', async (t) => {
  const { keys, org, as } = await testApp(t)
  const {
    body: { key },
  } = await org(createProjectKey, {
    params: { nano_id: keys.projectId },
    body: { allowed_ips: ['203.0.113.7'] },
  })
  assert.equal(
    (await as({ 'x-api-key': key, 'x-forwarded-for': '203.0.113.7', 'x-real-ip': '203.0.113.7' })(listTools))
      .status,
    403,
  )
})

test('allowed IPs: an invalid entry is rejected with its index', async (t) => {
  const { keys, org } = await testApp(t)
  const { status, body } = await org(createProjectKey, {
    params: { nano_id: keys.projectId },
    body: { allowed_ips: ['10.0.0.1', '10.0.0.0/33'] },
  })
  assert.deepEqual(
    [status, body.error.errors],
    [400, ['Error in payload.allowed_ips.1: must be an IP address or a CIDR range']],
  )
})

test('authentication: a key is accepted as a bearer token, and another one does not replace the header', async (t) => {
  const { keys, as } = await testApp(t)
  const status = async (headers: Record<string, string>, route: Route = listTools) =>
    (await as(headers)(route)).status
  assert.equal(await status({ authorization: `Bearer ${keys.projectApiKey}` }), 200)
  assert.equal(await status({ authorization: `bearer ${keys.organizationApiKey}` }, listProjects), 200)
  assert.equal(await status({ authorization: `Bearer ak_${LONG}` }), 401)
  assert.equal(await status({ authorization: `Bearer ${keys.projectApiKey}` }, listProjects), 401)
  assert.equal(await status({ authorization: 'Basic eDp5' }), 401)
  const behindProxy = { authorization: 'Bearer token-of-the-proxy', 'x-api-key': keys.projectApiKey }
  assert.equal(await status(behindProxy), 200)
  const wrongHeader = { authorization: `Bearer ${keys.projectApiKey}`, 'x-api-key': `ak_${LONG}` }
  assert.equal(await status(wrongHeader), 401)
})

test('authentication: an IP address that tries many keys is limited; repeated and valid ones are not', async (t) => {
  const clock = { time: 600_000, now: () => clock.time }
  const { keys, app } = await testApp(t, { clock })
  const attempt = async (key: string, remoteAddress = '192.0.2.1') => {
    const reply = await app.http.inject({
      url: '/api/v3/tools',
      headers: { 'x-api-key': key },
      remoteAddress,
    })
    return reply.statusCode
  }
  assert.equal(await attempt(keys.projectApiKey), 200)
  for (let i = 0; i < 110; i++) assert.equal(await attempt(`ak_${LONG}repeated`), 401)
  // The notification of the first project may arrive in between: a key is then looked up, and counted, again.
  for (let i = 0; i < 90; i++) assert.equal(await attempt(`ak_${LONG}${i}`), 401)
  for (let i = 90; i < 100; i++) await attempt(`ak_${LONG}${i}`)
  assert.equal(await attempt(`ak_${LONG}100`), 429)
  assert.equal(await attempt(keys.projectApiKey), 200)
  assert.equal(await attempt(`ak_${LONG}100`, '192.0.2.2'), 401, 'another IP address')
  clock.time += 60_000
  assert.equal(await attempt(`ak_${LONG}101`), 401, 'the next minute')
})
