import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { temporaryCache, temporaryFiles } from '#fixtures/files.ts'
import { client } from '#fixtures/client.ts'
import { until } from '#fixtures/until.ts'
import { createApp } from '../../app/create-app.ts'
import { catalogFromSources } from '../../catalog/index.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { createAuthConfig, readAuthConfig } from '../../contract/auth-configs/index.ts'
import {
  deleteConnectedAccount,
  linkConnectedAccount,
  readConnectedAccount,
  revokeConnectedAccount,
} from '../../contract/connected-accounts/index.ts'
import { readToolkit } from '../../contract/toolkits/index.ts'
import { ManagedAuthCredentials, type ManagedAuthEntry } from '../../platform/config.ts'
import { parseKeyRing, createEncryptor } from '../../platform/crypto/index.ts'
import { createEgress, parseAllowRules } from '../../platform/egress/index.ts'
import { sql } from '../../platform/db/sql.ts'
import { startJobs } from '../../platform/jobs/index.ts'
import { createLog } from '../../platform/log.ts'
import { createManagedAuth } from '../auth-configs/index.ts'
import {
  followShortLink,
  returnFromProvider,
  form,
  oauth,
  connectedAccountHelpers,
  requestsTo,
  startConnectedAccountsApp,
} from '#fixtures/connected-accounts.ts'

const SHARED_APP = { client_id: 'shared-client', client_secret: 'shared-secret-1', scopes: ['orders'] }
const catalog = catalogFromSources([
  sampleSource({ base_url: 'https://shop.example', auth: [oauth('https://shop.example')] }, [sampleTool()]),
])
const input = (values: Record<string, string | string[]>, toolkit = 'shop', scheme = 'OAUTH2') =>
  createManagedAuth(catalog, [new ManagedAuthCredentials('MANAGED_AUTH', [{ toolkit, scheme, values }])])

/** An account of a managed auth config, connected through the provider's page. */
async function connected(
  t: TestContext,
  choice: Record<string, string | string[]> = {},
  { revoke }: { revoke?: (url: string) => object } = {},
) {
  const seal = createEncryptor(parseKeyRing(`test:${randomBytes(32).toString('base64')}`))
  const managed = input(SHARED_APP)
  let token = 0
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [oauth(url, revoke ? { revoke: revoke(url) } : {})],
    app: { encryptor: seal, managed },
    answer: ({ path }) =>
      path === '/token'
        ? {
            json: {
              access_token: `access-token-${++token}`,
              refresh_token: 'refresh-token',
              expires_in: 3600,
            },
          }
        : { json: { id: '7' } },
  })
  const config = (
    await s.call(createAuthConfig, {
      body: {
        toolkit: { slug: 'shop' },
        auth_config: { type: 'use_service_managed_auth', credentials: choice },
      },
    })
  ).body.auth_config.id
  const { body } = await s.connect(config, { user_id: 'u1' })
  const address = await followShortLink(s, body.redirect_url as string)
  await returnFromProvider(s, { code: 'code-1', state: address.searchParams.get('state') as string })
  /** The server, started again with other credentials of the administrator. */
  const restarted = async (managed: ReturnType<typeof createManagedAuth>) => {
    const app = await createApp({
      databaseUrl: s.databaseUrl,
      databasePoolMax: 2,
      publicUrl: 'http://localhost:3900',
      wireBrand: 'service',
      rateLimitPerMinute: 0,
      catalog: s.catalog,
      encryptor: seal,
      managed,
      egress: createEgress({ allow: parseAllowRules('127.0.0.0/8') }),
      files: temporaryFiles(t),
      cacheDir: temporaryCache(t),
      clock: s.clock,
      log: createLog('silent'),
      version: '0.0.0-test',
    })
    t.after(() => app.close())
    const call = client(app.http, { 'x-api-key': s.keys.projectApiKey })
    return { call, ...connectedAccountHelpers({ ...s, app, call }, call) }
  }
  return { ...s, managed, config, id: body.id, address, restarted }
}

test("managed auth: a connection uses the administrator's client, with its or the project's scopes", async (t) => {
  const s = await connected(t)
  assert.deepEqual(
    [s.address.searchParams.get('client_id'), s.address.searchParams.get('scope')],
    ['shared-client', 'orders'],
  )
  const [exchange] = requestsTo(s, '/token').map(form)
  assert.deepEqual(
    [exchange?.['client_id'], exchange?.['client_secret']],
    ['shared-client', 'shared-secret-1'],
  )
  assert.equal((await s.callTool()).body.successful, true)
})

test('managed auth: the project chooses the scopes; a client that it stores with them is not used', async (t) => {
  const s = await connected(t, {
    scopes: ['customers'],
    client_id: 'mine',
    client_secret: 'mine',
    oauth_redirect_uri: 'https://elsewhere.example',
  })
  const { searchParams } = s.address
  assert.deepEqual(
    [searchParams.get('client_id'), searchParams.get('scope'), searchParams.get('redirect_uri')],
    ['shared-client', 'customers', 'http://localhost:3900/api/v3/toolkits/auth/callback'],
  )
})

test("managed auth: no response shows the administrator's credentials", async (t) => {
  const s = await connected(t, { scopes: ['orders'] })
  const answers = JSON.stringify([
    (await s.call(readAuthConfig, { params: { nanoid: s.config } })).body,
    (await s.call(readConnectedAccount, { params: { nanoid: s.id } })).body,
    (await s.call(readToolkit, { params: { slug: 'shop' } })).body,
  ])
  assert.doesNotMatch(answers, /administrator-|access-token|refresh-token/)
  assert.match(answers, /"access_token":"REDACTED"/)
  assert.match(answers, /"service_managed_auth_schemes":\["oauth2"\]/)
})

test('managed auth: a new client secret is used after the next start, for existing accounts too', async (t) => {
  const s = await connected(t)
  s.clock.advance(3_600_000)
  const again = await s.restarted(input({ ...SHARED_APP, client_secret: 'shared-secret-2' }))
  assert.equal((await again.callTool()).body.successful, true)
  assert.deepEqual(
    requestsTo(s, '/token').map((request) => form(request)['client_secret']),
    ['shared-secret-1', 'shared-secret-2'],
  )
})

test("managed auth: without the administrator's credentials, calls fail with 306 and nothing is sent", async (t) => {
  const s = await connected(t)
  const without = await s.restarted(createManagedAuth(s.catalog))
  const sent = s.stub.requests.length
  const { status, body } = await without.callTool()
  assert.deepEqual([status, (body as any).error.code], [400, 306])
  assert.match(
    (body as any).error.message,
    /no managed credentials for Shop with OAUTH2.*MANAGED_AUTH_FILE.*\{"shop":\{"OAUTH2":\{"client_id":"…","client_secret":"…"\}\}\}/,
  )
  assert.equal(s.stub.requests.length, sent)
  assert.equal(
    (await without.readAccount(s.id)).status,
    'ACTIVE',
    'it can be read, and lives on when the credentials come back',
  )
  assert.equal((await without.connect(s.config, { user_id: 'u2' })).status, 400)
  assert.equal((await s.callTool()).body.successful, true)
})

test('managed auth: a callback after the credentials were removed shows a page with what is missing', async (t) => {
  const s = await connected(t)
  const { body } = await s.connect(s.config, { user_id: 'u2' })
  const state = (await followShortLink(s, body.redirect_url as string)).searchParams.get('state') as string
  const without = await s.restarted(createManagedAuth(s.catalog))
  const sent = s.stub.requests.length
  const { status, headers, text } = await returnFromProvider(
    without,
    { code: 'c', state },
    { cookies: s.browser },
  )
  assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8'])
  assert.match(
    text,
    /Shop can no longer be connected.*Send the message below.*What is missing.*MANAGED_AUTH_FILE.*Request id/s,
  )
  assert.equal(s.stub.requests.length, sent)
  const { status: now, status_reason: reason } = await without.readAccount(body.id)
  assert.equal(now, 'FAILED')
  assert.match(String(reason), /no managed credentials for Shop/)
})

test('managed auth: credentials that change while the server runs are used immediately', async (t) => {
  const s = await connected(t)
  const change = (entries: ManagedAuthEntry[]) =>
    s.managed.replace(new ManagedAuthCredentials('MANAGED_AUTH', entries))
  for (let i = 0; i < 2; i++) assert.equal((await s.callTool()).status, 200)
  const sent = s.stub.requests.length
  change([])
  assert.deepEqual([(await s.callTool()).body.error.code, s.stub.requests.length], [306, sent])
  change([{ toolkit: 'shop', scheme: 'OAUTH2', values: { ...SHARED_APP, client_secret: 'shared-secret-2' } }])
  assert.equal((await s.callTool()).body.successful, true)
  s.clock.advance(3_600_000)
  assert.equal((await s.callTool()).body.successful, true)
  assert.equal(form(requestsTo(s, '/token').at(-1)!)['client_secret'], 'shared-secret-2')
})

test("managed auth: a revocation uses the administrator's client; without one, 306 and the job retries", async (t) => {
  const s = await connected(t, {}, { revoke: (url) => ({ url: `${url}/revoke` }) })
  const asked = () => requestsTo(s, '/revoke').map((request) => form(request)['client_id'])
  s.managed.replace(new ManagedAuthCredentials('MANAGED_AUTH', []))
  const { status, body } = await s.call(revokeConnectedAccount, { params: { nanoid: s.id } })
  assert.deepEqual([status, (body as any).error.code, asked()], [400, 306, []])
  assert.match((body as any).error.message, /no managed credentials for Shop with OAUTH2.*MANAGED_AUTH_FILE/)
  assert.equal((await s.readAccount(s.id)).status, 'ACTIVE')
  await s.call(deleteConnectedAccount, { params: { nanoid: s.id }, query: { revoke_on_delete: true } })
  const jobs = startJobs(s.databaseUrl, { schedules: [], tasks: s.app.tasks }, createLog('silent'))
  t.after(() => jobs.close())
  const row = () =>
    s.app.db.one<{ status: string; last_error: string | null; attempts: number }>(
      sql`select status, last_error, attempts from revocations`,
    )
  const { status: waiting, last_error: why } = await until('it was tried', async () => {
    const one = await row()
    return one && one.attempts > 0 && one
  })
  assert.equal(waiting, 'pending')
  assert.match(why ?? '', /no managed credentials for Shop with OAUTH2.*MANAGED_AUTH_FILE/)
  s.managed.replace(
    new ManagedAuthCredentials('MANAGED_AUTH', [{ toolkit: 'shop', scheme: 'OAUTH2', values: SHARED_APP }]),
  )
  await until('it is done', async () => (await row())?.status === 'done')
  assert.deepEqual(asked(), ['shared-client', 'shared-client'])
})

test("managed auth: all errors in the administrator's credentials are reported at the start, without values", () => {
  const problem = (run: () => unknown) => {
    try {
      run()
    } catch (error) {
      return (error as Error).message
    }
    return 'accepted'
  }
  assert.match(
    problem(() => input(SHARED_APP, 'shopp')),
    /MANAGED_AUTH: shopp\.OAUTH2 is for an unknown toolkit/,
  )
  assert.match(
    problem(() => input(SHARED_APP, 'shop', 'OAUTH1')),
    /shop\.OAUTH1 is not a scheme of Shop; use one of OAUTH2/,
  )
  const faults = problem(() => input({ client_id: '', client_secrt: 'shared-secret-1' }))
  assert.match(faults, /lacks client_id \(Client id\)/)
  assert.match(faults, /lacks client_secret \(Client secret\)/)
  assert.match(faults, /has the unknown field client_secrt; its fields are client_id, client_secret/)
  assert.doesNotMatch(faults, /shared-secret/)
  const twice = [
    new ManagedAuthCredentials('MANAGED_AUTH_FILE', [
      { toolkit: 'shop', scheme: 'OAUTH2', values: SHARED_APP },
    ]),
    new ManagedAuthCredentials('MANAGED_AUTH', [{ toolkit: 'shop', scheme: 'OAUTH2', values: SHARED_APP }]),
  ]
  assert.match(
    problem(() => createManagedAuth(catalog, twice)),
    /MANAGED_AUTH: shop\.OAUTH2 is configured twice/,
  )
})

test("managed auth: a project cannot choose the server that receives the administrator's client secret", async (t) => {
  const seal = createEncryptor(parseKeyRing(`test:${randomBytes(32).toString('base64')}`))
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [
      oauth(url, {
        token: { url: '{accounts_server}/token', capture: { api_host: 'api_host' } },
        refresh: { url: 'https://{api_host}.shop.example/token', rotates: 'always' },
        callback: {
          capture: { accounts_server: { param: 'server', pattern: '^https://accounts\\.shop\\.example$' } },
        },
      }),
    ],
    app: { encryptor: seal, managed: input(SHARED_APP) },
  })
  const body = (more: object) => ({
    toolkit: { slug: 'shop' },
    auth_config: { type: 'use_service_managed_auth' as const, ...more },
  })
  const config = (await s.call(createAuthConfig, { body: body({}) })).body.auth_config.id
  const evil = s.stub.url
  for (const chosen of [{ accounts_server: evil }, { api_host: 'evil.example/' }]) {
    const imported = await s.connect(config, {
      user_id: 'u1',
      state: {
        authScheme: 'OAUTH2',
        val: { status: 'ACTIVE', access_token: 'a', refresh_token: 'r', ...chosen },
      },
    })
    assert.equal(imported.status, 400, JSON.stringify(imported.body))
    assert.match(
      JSON.stringify(imported.body),
      /selects the server that receives the client secret of the administrator/,
    )
    const linked = await s.call(linkConnectedAccount, {
      body: { auth_config_id: config, user_id: 'u1', connection_data: chosen } as never,
    })
    assert.equal(linked.status, 400, JSON.stringify(linked.body))
  }
  const withShared = (
    await s.call(createAuthConfig, { body: body({ shared_credentials: { accounts_server: evil } }) as never })
  ).body.auth_config.id
  const { body: begun } = await s.connect(withShared, { user_id: 'u2' })
  const address = await followShortLink(s, begun.redirect_url as string)
  await returnFromProvider(s, { code: 'code-1', state: address.searchParams.get('state') as string })
  assert.equal((await s.call(readConnectedAccount, { params: { nanoid: begun.id } })).body.status, 'FAILED')
  assert.deepEqual(requestsTo(s, '/token'), [], 'nothing was sent to the address that the project chose')
})
