import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomBytes } from 'node:crypto'
import { createAuthConfig } from '../../contract/auth-configs/index.ts'
import { deleteConnectedAccount, listConnectedAccounts } from '../../contract/connected-accounts/index.ts'
import { updateProjectConfig } from '../../contract/projects/index.ts'
import { parseKeyRing, createEncryptor } from '../../platform/crypto/index.ts'
import { sql } from '../../platform/db/sql.ts'
import { decryptCredentials } from './credentials.ts'
import type { AccountRow } from './store.ts'
import {
  API_KEY,
  followShortLink,
  CLIENT,
  returnFromProvider,
  oauth,
  type ConnectedAccountsApp,
  startConnectedAccountsApp,
  credentialsIn,
} from '#fixtures/connected-accounts.ts'

const TOKENS = {
  access_token: 'access-token-1',
  refresh_token: 'refresh-token-1',
  id_token: 'id-token-12',
  token_type: 'Bearer',
  expires_in: 3599,
  scope: 'a b',
  authed_user: { access_token: 'user-token-12', scope: 'c' },
}
const MANIFEST = {
  token: { secondary: { access_token: 'authed_user.access_token', scope: 'authed_user.scope' } },
  apply: { headers: { authorization: 'Bearer {access_token}' }, query: { second: '{user_access_token}' } },
}

async function connected(s: ConnectedAccountsApp): Promise<string> {
  const { body } = await s.connect(await s.addAuthConfig('OAUTH2', CLIENT), { user_id: 'u1' })
  const state = (await followShortLink(s, body.redirect_url as string)).searchParams.get('state') as string
  assert.equal((await returnFromProvider(s, { code: 'code-1', state })).status, 200)
  return body.id
}
const tokenStub = ({ path }: { path: string }) => ({ json: path === '/token' ? TOKENS : {} })
const PLAIN = { token_type: 'Bearer', expires_in: 3599, scope: 'a b' }

test('secrets: responses show four characters of own credentials, also nested and in params', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [oauth(url, MANIFEST)], answer: tokenStub })
  const presented = await s.readAccount(await connected(s))
  assert.deepEqual(presented.state.val, {
    status: 'ACTIVE',
    ...PLAIN,
    access_token: 'acce...',
    refresh_token: 'refr...',
    id_token: 'id-t...',
    authed_user: { access_token: 'user...', scope: 'c' },
  })
  assert.deepEqual(presented.data, presented.state.val)
  assert.deepEqual(presented.params, {
    base_url: s.stub.url,
    headers: { authorization: 'Bear...' },
    queryParams: { second: 'user...' },
  })
})

test('secrets: responses show own credentials unmasked if the project disables masking', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [oauth(url, MANIFEST)], answer: tokenStub })
  await s.call(updateProjectConfig, { body: { mask_secret_keys_in_connected_account: false } })
  const presented = await s.readAccount(await connected(s))
  assert.deepEqual(presented.state.val, { status: 'ACTIVE', ...TOKENS })
  assert.deepEqual(presented.params, {
    base_url: s.stub.url,
    headers: { authorization: 'Bearer access-token-1' },
    queryParams: { second: 'user-token-12' },
  })
})

test('secrets: managed credentials are REDACTED, with masking enabled or disabled', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [oauth(url, MANIFEST)], answer: tokenStub })
  const id = await connected(s)
  await s.app.db.run(sql`update auth_configs set is_service_managed = true, type = 'default'`)
  for (const flag of [true, false]) {
    await s.call(updateProjectConfig, { body: { mask_secret_keys_in_connected_account: flag } })
    const presented = await s.readAccount(id)
    assert.deepEqual(presented.state.val, {
      status: 'ACTIVE',
      ...PLAIN,
      access_token: 'REDACTED',
      refresh_token: 'REDACTED',
      id_token: 'REDACTED',
      authed_user: { access_token: 'REDACTED', scope: 'c' },
    })
    assert.deepEqual(presented.params, {
      base_url: s.stub.url,
      headers: { authorization: 'REDACTED' },
      queryParams: { second: 'REDACTED' },
    })
    const listed = (await s.call(listConnectedAccounts)).body.items[0]
    assert.deepEqual(listed?.data, presented.data)
  }
})

test('secrets: a key in the URL of the API is masked', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [{ ...API_KEY, base_url: `${url}/bot{generic_api_key}` }],
    toolkit: { identity: { path: '/me' } },
  })
  const id = await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', {
    generic_api_key: 'secret-in-path',
  })
  const presented = await s.readAccount(id)
  assert.doesNotMatch(JSON.stringify(presented), /secret-in-path/)
  assert.equal(presented.test_request_endpoint, `${s.stub.url}/botsecr.../me`)
})

test('secrets: no table of the database has a secret in clear text', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [oauth(url, MANIFEST), API_KEY],
    answer: (request) =>
      request.path.includes('failing')
        ? { status: 422, json: { message: 'invalid value error-secret' } }
        : tokenStub(request),
  })
  const waiting = await s.connect(await s.addAuthConfig('OAUTH2', CLIENT), { user_id: 'u1' })
  const address = await followShortLink(s, waiting.body.redirect_url as string)
  await connected(s)
  await s.call(createAuthConfig, {
    body: {
      toolkit: { slug: 'shop' },
      auth_config: {
        type: 'use_custom_auth',
        authScheme: 'API_KEY',
        shared_credentials: { generic_api_key: 'shared-key-1' },
        proxy_config: { proxy_url: 'https://proxy.example', proxy_auth_key: 'proxy-key-12' },
      },
    } as never,
  })
  await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', { generic_api_key: 'api-key-secret' })
  await s.callTool({ arguments: { id: 'argument-secret' } })
  const failed = await s.callTool({ arguments: { id: 'failing' } })
  assert.match(String(failed.body.error), /error-secret/)
  const secrets = [
    'access-token-1',
    'refresh-token-1',
    'id-token-12',
    'user-token-12',
    'client-secret-1',
    'shared-key-1',
    'proxy-key-12',
    'api-key-secret',
    'argument-secret',
    'error-secret',
    address.searchParams.get('state') as string,
  ]
  const tables = await s.app.db.rows<{ name: string }>(
    sql`select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  let rows = 0
  for (const { name } of tables) {
    for (const row of await s.app.db.rows({ ...sql``, text: `select * from ${name}`, values: [] } as never)) {
      rows++
      const dump = Object.values(row)
        .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value)))
        .join('\n')
      for (const secret of secrets) assert.ok(!dump.includes(secret), `${secret} is in ${name}`)
    }
  }
  assert.ok(rows > 8, `${rows} rows were searched`)
})

test('secrets: an encrypted value that is moved to another row cannot be decrypted or sent', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const config = await s.addAuthConfig('API_KEY')
  const theirs = await s.addAccount(
    config,
    'API_KEY',
    { generic_api_key: 'key-of-theirs' },
    { user_id: 'u2' },
  )
  const mine = await s.addAccount(config, 'API_KEY', { generic_api_key: 'key-of-mine' })
  await s.app.db.run(
    sql`update connected_accounts set credentials = (select credentials from connected_accounts
        where id = ${theirs}) where id = ${mine}`,
  )
  assert.equal((await s.callTool()).status, 500)
  assert.deepEqual(s.stub.requests, [])
})

test('secrets: the row of a deleted account has none of its credentials', async (t) => {
  const seal = createEncryptor(parseKeyRing(`test:${randomBytes(32).toString('base64')}`))
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], app: { encryptor: seal } })
  const id = await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', { generic_api_key: 'kkkkkkkk' })
  assert.deepEqual(decryptCredentials(seal, (await s.accountRow(id)) as AccountRow), {
    generic_api_key: 'kkkkkkkk',
  })
  await s.call(deleteConnectedAccount, { params: { nanoid: id } })
  assert.deepEqual(decryptCredentials(seal, (await s.accountRow(id)) as AccountRow), {})
})

test('secrets: the status in `val` is that of the account, also if the provider returns a `status`', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [oauth(url, { token: { capture: { status: 'state' } } })],
    answer: () => ({ json: { ...TOKENS, state: 'FAILED' } }),
  })
  const id = await connected(s)
  assert.equal(credentialsIn((await s.readAccount(id)).state)['status'], 'ACTIVE')
})
