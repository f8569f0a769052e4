import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { AuthScheme, ConnectionRequestFailedError, ConnectionRequestTimeoutError } from '@composio/core'
import { catalogFromSources } from '../../src/catalog/index.ts'
import { sampleSource } from '../fixtures/sample-toolkits.ts'
import { upstream } from '../fixtures/upstream.ts'
import { stockSdk } from './stock-sdk.ts'

/** A shop with an OAuth server, all on this machine. */
async function shop(t: TestContext) {
  const provider = await upstream(t, ({ path }) =>
    path === '/token'
      ? { json: { access_token: 'at-1', refresh_token: 'rt-1', expires_in: 3600, token_type: 'bearer' } }
      : { json: { id: '7' } },
  )
  const catalog = catalogFromSources([
    sampleSource({
      base_url: provider.url,
      auth: [
        {
          scheme: 'OAUTH2',
          authorize: { url: `${provider.url}/authorize` },
          token: { url: `${provider.url}/token` },
        },
      ],
    }),
  ])
  const sdk = await stockSdk(t, { catalog })
  const authConfig = await sdk.composio.authConfigs.create('shop', {
    type: 'use_custom_auth',
    authScheme: 'OAUTH2',
    credentials: { client_id: 'id', client_secret: 'secret' },
  })
  /** What the user's browser does: follows the link, says yes or no at the provider, comes back. */
  async function browse(redirectUrl: string | null | undefined, answer: Record<string, string>) {
    const out = await sdk.app.http.inject({ url: new URL(redirectUrl ?? '').pathname })
    const consent = new URL(out.headers.location as string)
    assert.equal(consent.origin + consent.pathname, `${provider.url}/authorize`)
    return sdk.app.http.inject({
      url: new URL(consent.searchParams.get('redirect_uri') as string).pathname,
      query: { state: consent.searchParams.get('state') as string, ...answer },
      headers: { cookie: String(out.headers['set-cookie']).split(';')[0] as string },
    })
  }
  return { ...sdk, provider, authConfigId: authConfig.id, browse }
}

test('initiating OAuth returns a URL; after the consent, the account is active and executes', async (t) => {
  const { composio, provider, authConfigId, browse } = await shop(t)
  const request = await composio.connectedAccounts.initiate('ada', authConfigId, {
    callbackUrl: 'https://app.example/done?tab=1',
  })
  assert.equal(request.status, 'INITIALIZING')
  assert.equal((await composio.connectedAccounts.get(request.id)).status, 'INITIALIZING')
  const waiting = request.waitForConnection(30_000)
  const back = await browse(request.redirectUrl, { code: 'code-1' })
  assert.deepEqual(
    [back.statusCode, back.headers.location],
    [302, `https://app.example/done?tab=1&status=success&connected_account_id=${request.id}`],
  )
  const account = await waiting
  assert.deepEqual([account.id, account.status, account.state?.authScheme], [request.id, 'ACTIVE', 'OAUTH2'])
  assert.doesNotMatch(JSON.stringify(account), /at-1|rt-1/)
  const result = await composio.tools.execute('SHOP_GET_ORDER', {
    userId: 'ada',
    version: '20260115_00',
    arguments: { id: '7' },
  })
  assert.deepEqual([result.successful, result.data], [true, { id: '7' }])
  assert.equal(provider.requests.at(-1)?.headers.authorization, 'Bearer at-1')
})

test('a user who declines ends the wait with the reason', async (t) => {
  const { composio, authConfigId, browse } = await shop(t)
  const request = await composio.connectedAccounts.initiate('ada', authConfigId)
  const waiting = assert.rejects(request.waitForConnection(30_000), (error) => {
    assert.ok(error instanceof ConnectionRequestFailedError)
    assert.match(error.message, /FAILED.*access_denied/)
    return true
  })
  await browse(request.redirectUrl, { error: 'access_denied' })
  await waiting
})

test('a wait without a result is a typed time-out, and the account stays pending', async (t) => {
  const { composio, authConfigId } = await shop(t)
  const request = await composio.connectedAccounts.initiate('ada', authConfigId)
  await assert.rejects(request.waitForConnection(1), ConnectionRequestTimeoutError)
  assert.equal((await composio.connectedAccounts.get(request.id)).status, 'INITIALIZING')
})

test('tokens that are there already are brought along without a browser', async (t) => {
  const { composio, provider, authConfigId } = await shop(t)
  const request = await composio.connectedAccounts.initiate('ada', authConfigId, {
    config: AuthScheme.OAuth2({ access_token: 'brought-token', token_type: 'bearer' }),
  })
  assert.deepEqual([request.status, request.redirectUrl], ['ACTIVE', null])
  await composio.tools.execute('SHOP_GET_ORDER', {
    userId: 'ada',
    connectedAccountId: request.id,
    version: '20260115_00',
    arguments: { id: '7' },
  })
  assert.deepEqual(
    provider.requests.map(({ path, headers }) => [path, headers.authorization]),
    [['/orders/7', 'Bearer brought-token']],
  )
})

test('SDK: refresh of an OAuth account returns a URL where the user consents again', async (t) => {
  const { composio, provider, authConfigId, browse } = await shop(t)
  const request = await composio.connectedAccounts.initiate('ada', authConfigId)
  await browse(request.redirectUrl, { code: 'code-1' })
  const refreshed = await composio.connectedAccounts.refresh(request.id)
  assert.deepEqual([refreshed.id, refreshed.status], [request.id, 'INITIATED'])
  await browse(refreshed.redirect_url, { code: 'code-2' })
  assert.equal((await composio.connectedAccounts.get(request.id)).status, 'ACTIVE')
  const codes = provider.requests.map(({ body }) => new URLSearchParams(body).get('code'))
  assert.deepEqual(codes, ['code-1', 'code-2'])
})
