import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { listConnectedAccounts } from '../../src/contract/connected-accounts/index.ts'
import { readAuthConfig, updateAuthConfig } from '../../src/contract/auth-configs/index.ts'
import { updateProjectConfig } from '../../src/contract/projects/index.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { startOidcProvider } from '../fixtures/real-applications/oidc-provider.ts'
import { clientOf, decide, issuerCatalog, PROFILE, startConnection, visit } from './issuer.ts'
import { assertRejected, startPlatform } from './platform.ts'

const DONE = 'https://app.example.com/done?tab=2'

async function startIssuer(t: TestContext) {
  const platform = await startPlatform(t, { catalog: issuerCatalog() })
  const provider = await startOidcProvider({
    redirectUris: [`${platform.url}/api/v3/toolkits/auth/callback`],
  })
  t.after(() => provider.stop())
  const { account, callTool, data, call } = platform
  const config = await platform.authConfig('issuer', 'OAUTH2', clientOf(provider))
  return { platform, config, provider, account, callTool, data, call }
}

type Issuer = Awaited<ReturnType<typeof startIssuer>>

test('a user connects an account at an OAuth provider', async (t) => {
  const fixture = await startIssuer(t)

  await t.test(
    'consent makes the account ACTIVE, by a code that is tied to our server, and the browser goes back to the ' +
      'application',
    () => checkConsent(fixture),
  )

  await t.test('without an address to go back to, a page without scripts and secrets says how it ended', () =>
    checkPageWithoutCallback(fixture),
  )

  await t.test('a user who denies leaves a FAILED account with the reason, and no token was asked for', () =>
    checkDenial(fixture),
  )

  await t.test('a client that the provider does not know fails the connection and says so', () =>
    checkUnknownClient(fixture),
  )

  await t.test('a state works once, a made-up one never, and neither changes an account', () =>
    checkStates(fixture),
  )

  await t.test(
    'a connection that is not finished in ten minutes is EXPIRED, and its links and its state are dead',
    () => checkUnfinished(fixture),
  )

  await t.test(
    'secrets show in no reply while masking is on, and a project that switches it off reads its own',
    () => checkMasking(fixture),
  )
})

async function checkConsent({ platform, config, provider, account, callTool, data }: Issuer): Promise<void> {
  const started = await startConnection(platform, config, 'ada', { callback_url: DONE })
  assert.match(started.redirectUrl, new RegExp(`^${platform.url}/api/v3/s/[A-Za-z0-9]{8}$`))
  const { location, headers } = await visit(started.redirectUrl)
  const asked = new URL(location)
  assert.equal(asked.origin + asked.pathname, provider.authorizationEndpoint)
  assert.deepEqual(
    ['response_type', 'client_id', 'scope', 'code_challenge_method'].map((name) =>
      asked.searchParams.get(name),
    ),
    ['code', provider.clientId, 'openid email', 'S256'],
  )
  assert.match(asked.searchParams.get('state')!, /^[A-Za-z0-9]{43}$/)
  assert.match(asked.searchParams.get('code_challenge')!, /^[\w-]{43}$/)
  assert.deepEqual(
    [headers.get('cache-control'), headers.get('referrer-policy')],
    ['no-store', 'no-referrer'],
  )
  assert.equal((await account(started.id)).status, 'INITIATED')
  assertRejected(
    await callTool(PROFILE, {}, { user_id: 'ada', connected_account_id: started.id }),
    422,
    1821,
    /INITIATED/,
  )

  const before = await provider.stats()
  const back = await visit(await decide(started, { login: 'ada' }))
  assert.deepEqual(
    [back.status, back.location],
    [302, `${DONE}&status=success&connected_account_id=${started.id}`],
  )
  assert.deepEqual(await provider.stats(), { ...before, tokenRequests: before.tokenRequests + 1 })
  const { status, status_reason, val } = await account(started.id)
  assert.deepEqual(
    [status, status_reason, val['scope'], val['token_type']],
    ['ACTIVE', null, 'openid email', 'Bearer'],
  )
  assert.deepEqual(await data(PROFILE, {}, 'ada'), {
    sub: 'ada',
    email: 'ada@example.com',
    email_verified: true,
  })
}

async function checkPageWithoutCallback({ platform, config, provider }: Issuer): Promise<void> {
  const granted = await startConnection(platform, config, 'bea')
  const callback = await decide(granted, { login: 'bea' })
  const denied = await decide(await startConnection(platform, config, 'ben'), {
    login: 'ben',
    deny: true,
  })
  for (const [url, words] of [
    [callback, /<h1>Issuer is connected<\/h1>/],
    [denied, /Not connected.*<h1>You did not give access<\/h1>.*access_denied/s],
  ] as const) {
    const page = await visit(url)
    assert.equal(page.status, 200)
    assert.match(page.html, words)
    const policy = page.headers.get('content-security-policy')!
    assert.match(policy, /^default-src 'none'; style-src 'sha256-/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.deepEqual(
      [page.headers.get('cache-control'), page.headers.get('referrer-policy')],
      ['no-store', 'no-referrer'],
    )
    assert.doesNotMatch(page.html, /<script/i)
    const { searchParams } = new URL(url)
    const secrets = [searchParams.get('state'), searchParams.get('code'), provider.clientSecret].filter(
      (secret) => secret !== null,
    )
    assert.ok(secrets.length >= 2)
    for (const secret of secrets) assert.ok(!page.html.includes(secret))
  }
}

async function checkDenial({ platform, config, provider, account, callTool }: Issuer): Promise<void> {
  const started = await startConnection(platform, config, 'carl', { callback_url: DONE })
  const before = await provider.stats()
  const back = await visit(await decide(started, { login: 'carl', deny: true }))
  assert.deepEqual(
    [back.status, back.location],
    [302, `${DONE}&status=failed&connected_account_id=${started.id}&error=access_denied`],
  )
  assert.deepEqual(await provider.stats(), before)
  const { status, status_reason } = await account(started.id)
  assert.equal(status, 'FAILED')
  assert.match(status_reason!, /access_denied/)
  assertRejected(
    await callTool(PROFILE, {}, { user_id: 'carl', connected_account_id: started.id }),
    422,
    1821,
    /FAILED/,
  )
}

async function checkUnknownClient({ platform, provider, account }: Issuer): Promise<void> {
  const wrong = await platform.authConfig('issuer', 'OAUTH2', {
    ...clientOf(provider),
    client_secret: 'not-the-secret',
  })
  const started = await startConnection(platform, wrong, 'cleo', { callback_url: DONE })
  const back = new URL((await visit(await decide(started, { login: 'cleo' }))).location)
  assert.deepEqual(
    [back.searchParams.get('status'), back.searchParams.get('error')],
    ['failed', 'token_exchange_failed'],
  )
  const { status, status_reason, text } = await account(started.id)
  assert.equal(status, 'FAILED')
  assert.match(status_reason!, /invalid_client/)
  assert.ok(!text.includes('not-the-secret'))
}

async function checkStates({ platform, config, provider, account }: Issuer): Promise<void> {
  const started = await startConnection(platform, config, 'dora')
  const callback = await decide(started, { login: 'dora' })
  const before = await provider.stats()
  const visits = await Promise.all(Array.from({ length: 8 }, () => visit(callback)))
  assert.deepEqual(visits.map(({ status }) => status).sort(), [200, ...Array(7).fill(410)])
  const tokens = await provider.stats()
  assert.equal(tokens.tokenRequests, before.tokenRequests + 1)
  const connected = (await account(started.id)).text
  const unknown = new URL(callback)
  unknown.searchParams.set('state', 'A'.repeat(43))
  const bare = new URL(callback)
  bare.searchParams.delete('state')
  const denial = new URL(callback)
  denial.searchParams.delete('code')
  denial.searchParams.set('error', 'access_denied')
  for (const [url, status, words] of [
    [callback, 410, /expired/],
    [denial.href, 410, /expired/],
    [unknown.href, 404, /This link does not exist/],
    [bare.href, 400, /incomplete/],
    [started.redirectUrl, 410, /expired/],
  ] as const) {
    const page = await visit(url)
    assert.equal(page.status, status)
    assert.match(page.html, words)
    assert.equal((await account(started.id)).text, connected)
  }
  assert.deepEqual(await provider.stats(), tokens)
  assert.equal((await visit(`${platform.url}/api/v3/s/nOwHeRe0`)).status, 404)
}

async function checkUnfinished({ platform, config, provider, account, callTool }: Issuer): Promise<void> {
  const started = await startConnection(platform, config, 'emil', { callback_url: DONE })
  const callback = await decide(started, { login: 'emil' })
  const before = await provider.stats()
  const backdate = (minutes: number) =>
    platform.app.db.run(sql`
      with flow as (update authorization_flows
        set expires_at = expires_at - make_interval(mins => ${minutes}) where connected_account_id = ${started.id})
      update connected_accounts set setup_expires_at = setup_expires_at - make_interval(mins => ${minutes})
        where id = ${started.id}`)
  await backdate(9)
  assert.equal((await account(started.id)).status, 'INITIATED')
  await backdate(1)
  const { status, status_reason } = await account(started.id)
  assert.deepEqual([status, status_reason], ['EXPIRED', 'The connection was not finished within 10 minutes.'])
  for (const url of [callback, started.redirectUrl]) assert.equal((await visit(url)).status, 410)
  assert.equal((await account(started.id)).status, 'EXPIRED')
  assert.deepEqual(await provider.stats(), before)
  assertRejected(
    await callTool(PROFILE, {}, { user_id: 'emil', connected_account_id: started.id }),
    410,
    1820,
    /10 minutes/,
  )
}

async function checkMasking({ platform, provider, call }: Issuer): Promise<void> {
  const open = await platform.project({ mask_secret_keys_in_connected_account: false })
  const own = await open.authConfig('issuer', 'OAUTH2', clientOf(provider))
  const started = await startConnection(open, own, 'fay')
  const created = await open.tryConnect(own, 'OAUTH2', 'fay', {})
  await visit(await decide(started, { login: 'fay' }))
  const { val } = await open.account(started.id)
  const secrets = [val['access_token'], val['refresh_token'], val['id_token'], provider.clientSecret].map(
    String,
  )
  for (const secret of secrets) assert.ok(secret.length > 20, secret)
  await open.call(updateProjectConfig, { body: { mask_secret_keys_in_connected_account: true } })
  const replies = [
    created.body,
    (await open.account(started.id)).text,
    (await open.call(listConnectedAccounts)).body,
    (await open.call(readAuthConfig, { params: { nanoid: own } })).body,
    (await open.call(updateAuthConfig, { params: { nanoid: own }, body: { name: 'renamed' } })).body,
    await open.data(PROFILE, {}, 'fay'),
  ]
  for (const reply of replies)
    for (const secret of secrets) assert.ok(!JSON.stringify(reply).includes(secret))
  const masked = (await open.account(started.id)).val
  assert.deepEqual(
    [masked['access_token'], masked['refresh_token']],
    [val['access_token'], val['refresh_token']].map((token) => `${String(token).slice(0, 4)}...`),
  )
  assert.equal((await call(listConnectedAccounts, { query: { user_ids: ['fay'] } })).body.total_items, 0)
}
