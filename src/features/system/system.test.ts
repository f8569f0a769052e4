import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../platform/db/sql.ts'
import pg from 'pg'
import { testApp } from '#fixtures/app.ts'
import { databaseAt } from '#fixtures/database.ts'
import { catalogFromSources } from '../../catalog/index.ts'
import { sampleSource } from '#fixtures/sample-toolkits.ts'
import { executeTool } from '../../contract/tools/index.ts'

const SCRIPT = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

test('GET /healthz: reports that the process runs, without an API key', async (t) => {
  const { app } = await testApp(t)
  const reply = await app.http.inject('/healthz')
  const { uptime_seconds: uptime, ...rest } = reply.json()
  assert.deepEqual([reply.statusCode, rest], [200, { status: 'ok', version: '0.0.0-test' }])
  assert.ok(Number.isInteger(uptime) && uptime >= 0)
})

test('HEAD /healthz and /readyz: return the status without a body, and no other route has HEAD', async (t) => {
  const { app } = await testApp(t, { catalog: catalogFromSources([sampleSource()]) })
  const head = (url: string) => app.http.inject({ method: 'HEAD', url })
  const isReady = async () => (await head('/readyz')).statusCode
  assert.deepEqual([(await head('/healthz')).statusCode, (await head('/healthz')).body], [200, ''])
  assert.equal(await isReady(), 200)
  app.beginStopping()
  assert.equal(await isReady(), 503)
  for (const url of ['/oauth/sign_in/x', '/link/x', '/api/v3/toolkits'])
    assert.ok([404, 405].includes((await head(url)).statusCode), url)
})

test('GET /readyz: is ready while the database is reachable, and stopping after a signal to stop', async (t) => {
  const { app } = await testApp(t, { catalog: catalogFromSources([sampleSource()]) })
  const ready = await app.http.inject('/readyz')
  assert.deepEqual(
    [ready.statusCode, ready.json()],
    [200, { status: 'ready', checks: { database: 'up', toolkits: 1 } }],
  )
  app.beginStopping()
  const stopping = await app.http.inject('/readyz')
  assert.deepEqual(
    [stopping.statusCode, stopping.json().status, stopping.json().checks.database],
    [503, 'stopping', 'up'],
  )
  assert.equal((await app.http.inject('/healthz')).statusCode, 200, 'the process still runs')
})

test('metrics: the lengths of the queues are counted when they are read', async (t) => {
  const { app } = await testApp(t)
  const waiting = async () =>
    /^patchbay_jobs_waiting (\d+)$/m.exec((await app.http.inject('/metrics')).body)?.[1]
  const before = Number(await waiting())
  await app.db.run(sql`select graphile_worker.add_job('connectedAccounts.removeOldFlows', '{}')`)
  await app.db.run(
    sql`select graphile_worker.add_job('connectedAccounts.removeOldFlows', '{}', run_at := now() + interval '1 hour')`,
  )
  assert.equal(Number(await waiting()), before + 1, 'a job that is due later does not count')
})

test('database outage: /readyz is unavailable, /healthz responds, API calls return 503 until it ends', async (t) => {
  const { app, keys, databaseUrl } = await testApp(t)
  const name = new URL(databaseUrl).pathname.slice(1)
  const admin = new pg.Client({ connectionString: databaseAt(databaseUrl, 'postgres') })
  await admin.connect()
  t.after(() => admin.end())
  await admin.query(`alter database ${name} with allow_connections false`)
  await admin.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [name])
  await admin.query(`alter database ${name} rename to ${name}_away`)
  try {
    const down = await app.http.inject('/readyz')
    assert.deepEqual(
      [down.statusCode, down.json().status, down.json().checks.database],
      [503, 'unavailable', 'down'],
    )
    assert.equal((await app.http.inject('/healthz')).statusCode, 200)
    assert.match((await app.http.inject('/metrics')).body, /^patchbay_database_up 0$/m)
    const call = await app.http.inject({
      url: '/api/v3/auth_configs',
      headers: { 'x-api-key': keys.projectApiKey },
    })
    assert.deepEqual(
      [call.statusCode, call.json().error.slug, call.headers['retry-after']],
      [503, 'HTTP_ServiceUnavailable', '1'],
    )
    assert.ok(!call.body.includes(name), 'the response does not name the database')
  } finally {
    await admin.query(`alter database ${name}_away rename to ${name}`)
    await admin.query(`alter database ${name} with allow_connections true`)
  }
  assert.equal((await app.http.inject('/readyz')).statusCode, 200)
  assert.match((await app.http.inject('/metrics')).body, /^patchbay_database_up 1$/m)
  assert.equal(
    (await app.http.inject({ url: '/api/v3/auth_configs', headers: { 'x-api-key': keys.projectApiKey } }))
      .statusCode,
    200,
  )
})

test('GET /metrics: counts requests and executions, and contains no IDs or keys', async (t) => {
  const { app, keys, call } = await testApp(t)
  await call(executeTool, { params: { tool_slug: 'UTILITIES_GET_CURRENT_TIME' }, body: { arguments: {} } })
  await app.http.inject({
    url: '/api/v3/auth_configs/ac_someSecretId',
    headers: { 'x-api-key': keys.projectApiKey },
  })
  await app.http.inject('/nowhere/at/all?token=abc')
  const { statusCode, headers, body } = await app.http.inject('/metrics')
  assert.equal(statusCode, 200)
  assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/)
  assert.match(body, /^patchbay_tool_executions_total\{toolkit="utilities",outcome="success"\} 1$/m)
  assert.match(
    body,
    /^patchbay_http_request_seconds_count\{route="\/api\/v3\/auth_configs\/:nanoid",method="GET",status="404"\} 1$/m,
  )
  for (const secret of ['ac_someSecretId', keys.projectApiKey, 'nowhere', 'token=abc', keys.projectId])
    assert.ok(!body.includes(secret), secret)
})

test('GET /logos: an icon is served with a policy that blocks scripts', async (t) => {
  const { app } = await testApp(t, {
    catalog: catalogFromSources([sampleSource({}, undefined, { icon: SCRIPT })]),
  })
  const { statusCode, headers, body } = await app.http.inject('/logos/shop.svg')
  assert.deepEqual([statusCode, headers['content-type'], body], [200, 'image/svg+xml', SCRIPT])
  assert.deepEqual(
    [headers['x-content-type-options'], headers['content-security-policy']],
    ['nosniff', "default-src 'none'; style-src 'unsafe-inline'; sandbox"],
  )
  assert.match(String(headers['cache-control']), /max-age=/)
})

test('GET /logos: an unknown slug has a generated icon, and path traversal returns 404', async (t) => {
  const { app } = await testApp(t)
  assert.equal((await app.http.inject('/logos/_21risk.svg')).statusCode, 200, 'a slug may begin with _')
  const drawn = await app.http.inject('/logos/nowhere.svg')
  assert.deepEqual(
    [drawn.statusCode, drawn.headers['content-type'], />N</.test(drawn.body)],
    [200, 'image/svg+xml', true],
  )
  for (const url of [
    '/logos/..%2f..%2fpackage.json',
    '/logos/%2e%2e%2fpackage.json',
    '/logos/',
    '/logos/__proto__.svg',
    '/logos/constructor',
  ]) {
    const reply = await app.http.inject(url)
    assert.deepEqual(
      [reply.statusCode, reply.json().error.slug, reply.json().error.code],
      [404, 'HTTP_NotFound', 10404],
      url,
    )
  }
})

test('GET /: browsers are led to the API reference where there is no console, programs get the URLs', async (t) => {
  const { app } = await testApp(t)
  const page = await app.http.inject({ url: '/', headers: { accept: 'text/html' } })
  assert.deepEqual([page.statusCode, page.headers.location], [302, '/reference'])
  const json = await app.http.inject('/')
  assert.deepEqual([json.statusCode, json.json().openapi], [200, '/openapi.json'])
})

test('GET /metrics: is for this machine only, unless a token is set', async (t) => {
  const { app } = await testApp(t)
  const status = async (request: object) =>
    (await app.http.inject({ url: '/metrics', ...request })).statusCode
  assert.equal(await status({}), 200)
  assert.equal(await status({ remoteAddress: '192.0.2.7' }), 401)
  assert.equal(await status({ headers: { 'x-forwarded-for': '192.0.2.7' } }), 401, 'a proxy on this machine')

  const { app: withToken } = await testApp(t, { metricsToken: 'metrics-token-0123' })
  const sent = async (authorization?: string) =>
    (
      await withToken.http.inject({
        url: '/metrics',
        remoteAddress: '192.0.2.7',
        headers: authorization === undefined ? {} : { authorization },
      })
    ).statusCode
  assert.deepEqual(
    [await sent(), await sent('Bearer metrics-token-0124'), await sent('Bearer metrics-token-0123')],
    [401, 401, 200],
  )
})

test('GET /metrics: toolkits of projects share one label', async (t) => {
  const { app, keys } = await testApp(t)
  const imported = await app.http.inject({
    method: 'POST',
    url: '/api/v3.1/toolkits/import',
    headers: { 'x-api-key': keys.projectApiKey },
    payload: {
      slug: 'tenant_secret_name',
      content: JSON.stringify({
        openapi: '3.0.0',
        info: { title: 'Tenant', version: '1' },
        servers: [{ url: 'https://api.example.com' }],
        paths: { '/ping': { get: { operationId: 'ping', responses: { 200: { description: 'Pong.' } } } } },
      }),
    },
  })
  assert.ok(imported.statusCode < 300, imported.body)
  await app.http.inject({
    method: 'POST',
    url: '/api/v3.1/tools/execute/TENANT_SECRET_NAME_PING',
    headers: { 'x-api-key': keys.projectApiKey },
    payload: { arguments: {}, custom_auth_params: { base_url: 'http://127.0.0.1:1', parameters: [] } },
  })
  const { body } = await app.http.inject('/metrics')
  assert.ok(!body.includes('tenant_secret_name'))
  assert.match(body, /patchbay_tool_executions_total\{toolkit="custom",outcome="failure"\} 1/)
})

test('X-Forwarded-For: counts only from a trusted proxy, and /readyz warns about one that is not', async (t) => {
  const plain = await testApp(t)
  const forwarded = { headers: { 'x-forwarded-for': '203.0.113.9' } }
  assert.equal((await plain.app.http.inject('/readyz')).json().warnings, undefined)
  await plain.app.http.inject({ url: '/healthz', ...forwarded })
  assert.match((await plain.app.http.inject('/readyz')).json().warnings[0], /TRUSTED_PROXIES is not set/)

  const { app } = await testApp(t, { trustedProxies: ['127.0.0.0/8'] })
  const metrics = async (request: object) =>
    (await app.http.inject({ url: '/metrics', ...request })).statusCode
  assert.equal(await metrics(forwarded), 401, 'the client is not this machine')
  assert.equal(
    await metrics({ remoteAddress: '192.0.2.7', headers: { 'x-forwarded-for': '127.0.0.1' } }),
    401,
  )
  assert.equal((await app.http.inject('/readyz')).json().warnings, undefined)
})
