import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { client } from '#fixtures/client.ts'
import { clonedDatabase } from '#fixtures/clone.ts'
import {
  type AuthConfig,
  createAuthConfig,
  listAuthConfigs,
  readAuthConfig,
  updateAuthConfig,
} from '../../contract/auth-configs/index.ts'
import { listToolkits, readToolkit } from '../../contract/toolkits/index.ts'
import { parseKeyRing, createEncryptor } from '../../platform/crypto/index.ts'
import { connect } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Authenticate } from '../../platform/http/call.ts'
import { createServer } from '../../platform/http/server/server.ts'
import { createBranding } from '../../platform/http/branding/branding.ts'
import { createLog } from '../../platform/log.ts'
import { createDataKeyStore } from '../projects/index.ts'
import { toolkitRoutes } from '../toolkits/index.ts'
import { authConfigRoutes } from './index.ts'
import { exampleCatalog } from '#fixtures/auth-configs.ts'

/** The routes on a server whose administrator configured credentials for `managed`; the caller is one project. */
async function serverWith(t: TestContext, managed: Readonly<Record<string, readonly string[]>>) {
  const db = connect(await clonedDatabase(t), { max: 2 })
  await db.run(sql`insert into organizations (id, name) values ('org_a', 'A')`)
  await db.run(sql`insert into projects (id, organization_id, name) values ('proj_a', 'org_a', 'a')`)
  const settings = { checkOwner: true, maskSecrets: true, storePayloads: true }
  const authenticate: Authenticate = async () => ({
    projectId: 'proj_a',
    organizationId: 'org_a',
    keyId: 'key_a',
    settings,
    permissions: null,
  })
  const { app, api } = createServer({
    log: createLog('silent'),
    brand: createBranding('service'),
    authenticate,
    limit: () => ({}),
    audit: { reject: async () => {}, begin: async () => async () => {} },
  })
  const deps = {
    db,
    encryptor: createEncryptor(parseKeyRing(`m:${Buffer.alloc(32, 3).toString('base64')}`)).withStore(
      createDataKeyStore(db),
    ),
    catalogOf: () => exampleCatalog(),
    managedSchemes: (slug: string) => managed[slug] ?? [],
  }
  const routeDeps = {
    ...deps,
    logo: (slug: string) => slug,
    callbackUrl: 'http://localhost:3900/api/v3/toolkits/auth/callback',
    legacyId: (slug: string) => slug,
    revokeAccounts: async () => 'rvk_none',
    disableAccounts: async () => {},
  }
  authConfigRoutes(api, routeDeps, async () => {})
  toolkitRoutes(api, {
    ...deps,
    publicUrl: 'http://localhost',
    isDenied: async () => false,
    callsByToolkit: async () => new Map(),
  })
  await app.ready()
  t.after(async () => {
    await app.close()
    await db.close()
  })
  return { call: client(app, {}), newer: client(app, {}, 'v3.1') }
}

const MANAGED = { toolkit: { slug: 'shop' }, auth_config: { type: 'use_service_managed_auth' as const } }

test('without an auth_config the managed one is made, of type default', async (t) => {
  const { call } = await serverWith(t, { shop: ['OAUTH2'] })
  const { status, body } = await call(createAuthConfig, { body: { toolkit: { slug: 'shop' } } })
  assert.deepEqual(
    [status, { ...body.auth_config, id: '' }],
    [201, { id: '', auth_scheme: 'OAUTH2', is_service_managed: true, restrict_to_following_tools: [] }],
  )
  const read = (await call(readAuthConfig, { params: { nanoid: body.auth_config.id } })).body
  assert.deepEqual(
    [read.type, read.is_service_managed, read.credentials, read.shared_credentials],
    ['default', true, {}, {}],
  )
  assert.deepEqual((await call(listAuthConfigs, { query: { is_service_managed: true } })).body.items, [read])
  assert.deepEqual((await call(listAuthConfigs, { query: { is_service_managed: false } })).body.items, [])
})

test('of several managed schemes OAUTH2 is selected, else the first in the order of the toolkit', async (t) => {
  const { call } = await serverWith(t, { shop: ['BEARER_TOKEN', 'API_KEY', 'OAUTH2'], mail: ['API_KEY'] })
  assert.equal((await call(createAuthConfig, { body: MANAGED })).body.auth_config.auth_scheme, 'OAUTH2')
  const without = await serverWith(t, { shop: ['BEARER_TOKEN', 'API_KEY'] })
  assert.equal(
    (await without.call(createAuthConfig, { body: MANAGED })).body.auth_config.auth_scheme,
    'API_KEY',
  )
})

test('of a managed config every credential reads REDACTED; only the chosen scopes are shown', async (t) => {
  const { call } = await serverWith(t, { shop: ['OAUTH2'] })
  const { body } = await call(createAuthConfig, {
    body: {
      ...MANAGED,
      auth_config: {
        ...MANAGED.auth_config,
        credentials: { scopes: ['orders'], client_id: 'visible-elsewhere', client_secret: 's' },
        shared_credentials: { base_url: 'https://x.example', deep: { a: 'b' } },
      },
    },
  })
  const { credentials, shared_credentials: shared } = (
    await call(readAuthConfig, { params: { nanoid: body.auth_config.id } })
  ).body
  assert.deepEqual(
    [credentials, shared],
    [
      { scopes: ['orders'], client_id: 'REDACTED', client_secret: 'REDACTED' },
      { base_url: 'REDACTED', deep: { a: 'REDACTED' } },
    ],
  )
})

test('a managed config takes scopes at the top, no credentials and no proxy', async (t) => {
  const { call } = await serverWith(t, { shop: ['OAUTH2'] })
  const {
    body: {
      auth_config: { id },
    },
  } = await call(createAuthConfig, { body: MANAGED })
  const read = async (): Promise<AuthConfig> => (await call(readAuthConfig, { params: { nanoid: id } })).body
  const patch = (body: object) =>
    call(updateAuthConfig, { params: { nanoid: id }, body: { type: 'default', ...body } })
  assert.equal((await patch({ scopes: ['orders', 'customers'], user_scopes: 'a,b' })).status, 200)
  assert.deepEqual((await read()).credentials, { scopes: ['orders', 'customers'], user_scopes: 'a,b' })
  assert.equal(
    (
      await patch({
        credentials: { client_id: 'x' },
        proxy_config: { proxy_url: 'https://egress.example.com' },
      })
    ).status,
    200,
  )
  const unchanged = await read()
  assert.deepEqual(
    [unchanged.credentials, unchanged.proxy_config],
    [{ scopes: ['orders', 'customers'], user_scopes: 'a,b' }, undefined],
  )
  await patch({ scopes: [], user_scopes: '' })
  assert.deepEqual((await read()).credentials, {})
  const { status, body } = await call(updateAuthConfig, { params: { nanoid: id }, body: { type: 'custom' } })
  assert.deepEqual(
    [status, body.error.errors],
    [400, ['Error in payload.type: must be default, the type of this auth config']],
  )
})

test('a toolkit with managed auth says so, in lower case on v3 and in upper case on v3.1', async (t) => {
  const { call, newer } = await serverWith(t, { shop: ['OAUTH2'] })
  for (const [ask, schemes] of [
    [call, ['oauth2']],
    [newer, ['OAUTH2']],
  ] as const) {
    const {
      body: { items },
    } = await ask(listToolkits, { query: { search: 'shop' } })
    assert.deepEqual(
      items.map((one) => [one.slug, one.service_managed_auth_schemes]),
      [['shop', schemes]],
    )
    const { body } = await ask(readToolkit, { params: { slug: 'shop' } })
    assert.deepEqual(
      [body.service_managed_auth_schemes, body.service_managed_auth],
      [schemes, [{ mode: 'OAUTH2', scopes: { available: ['orders', 'customers'] } }]],
    )
  }
})
