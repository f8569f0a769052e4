import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { type SignInOptions, type SignInResult, signInAndConsent } from './browser.ts'
import { type OidcProviderPeer, startOidcProvider } from './oidc-provider.ts'

// Nobody listens there, and nobody asks: the browser stops in front of it.
const REDIRECT_URI = 'http://127.0.0.1:9/callback'

interface TokenAnswer {
  status: number
  body: Record<string, any>
}

describe('oidc-provider', { timeout: 90_000 }, () => {
  let provider: OidcProviderPeer

  before(async () => {
    provider = await startOidcProvider({ redirectUris: [REDIRECT_URI], accessTokenTtlSeconds: 120 })
  })
  after(() => provider?.stop())

  it('walks the whole way from sign-in over consent to the profile', async () => {
    const { tokens, callback } = await connect(provider)
    assert.equal(callback.searchParams.get('state'), 'state-1')
    assert.equal(callback.searchParams.get('iss'), provider.issuer)
    assert.equal(tokens.token_type, 'Bearer')
    assert.equal(tokens.expires_in, 120)
    assert.equal(tokens.scope, 'openid email')
    const profile = await userinfo(provider, tokens.access_token)
    assert.equal(profile.status, 200)
    assert.deepEqual(await profile.json(), { sub: 'alice', email: 'alice@example.com', email_verified: true })
  })

  it('refuses an authorization without PKCE, by sending the user back with an error', async () => {
    const url = new URL(provider.authorizationEndpoint)
    url.search = new URLSearchParams({
      client_id: provider.clientId,
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      scope: 'openid',
    }).toString()
    const { callbackUrl } = await signInAndConsent(url.href)
    assert.equal(new URL(callbackUrl).searchParams.get('error'), 'invalid_request')
  })

  it('sends a user who denies back with access_denied', async () => {
    const { callbackUrl } = await authorize(provider, 'verifier'.repeat(8), { deny: true })
    assert.equal(new URL(callbackUrl).searchParams.get('error'), 'access_denied')
  })

  it('remembers who has signed in and consented', async () => {
    const { cookies } = await authorize(provider, 'verifier'.repeat(8), { login: 'bob' })
    const { callbackUrl } = await authorize(provider, 'verifier'.repeat(8), { cookies, deny: true })
    assert.ok(new URL(callbackUrl).searchParams.get('code'), 'no page was left to deny on')
  })

  it('rotates refresh tokens, and forgets the grant when a used one comes back', async () => {
    const { tokens } = await connect(provider)
    const second = await refresh(provider, tokens.refresh_token)
    assert.equal(second.status, 200)
    assert.notEqual(second.body.refresh_token, tokens.refresh_token)
    assert.notEqual(second.body.access_token, tokens.access_token)
    assert.equal((await refresh(provider, second.body.refresh_token)).status, 200)

    const reused = await refresh(provider, tokens.refresh_token)
    assert.deepEqual([reused.status, reused.body.error], [400, 'invalid_grant'])
    assert.equal((await refresh(provider, second.body.refresh_token)).body.error, 'invalid_grant')
    assert.equal((await userinfo(provider, second.body.access_token)).status, 401)
  })

  it('takes a code once', async () => {
    const verifier = 'verifier'.repeat(8)
    const { callbackUrl } = await authorize(provider, verifier)
    assert.equal((await exchange(provider, callbackUrl, verifier)).status, 200)
    assert.equal((await exchange(provider, callbackUrl, verifier)).body.error, 'invalid_grant')
  })

  it('revokes a token that its client gives up', async () => {
    const { tokens } = await connect(provider)
    const revoked = await post(provider, provider.revocationEndpoint, { token: tokens.refresh_token })
    assert.equal(revoked.status, 200)
    assert.equal((await refresh(provider, tokens.refresh_token)).body.error, 'invalid_grant')
  })

  it('ends access tokens before their time, and refreshes them still', async () => {
    const { tokens } = await connect(provider)
    await provider.endAccessTokens()
    assert.equal((await userinfo(provider, tokens.access_token)).status, 401)
    const renewed = await refresh(provider, tokens.refresh_token)
    assert.equal((await userinfo(provider, renewed.body.access_token)).status, 200)
  })

  it('refuses every refresh after everything was revoked, and counts what it was asked', async () => {
    const { tokens } = await connect(provider)
    const before = await provider.stats()
    await provider.revokeEverything()
    const refused = await refresh(provider, tokens.refresh_token)
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant'])
    assert.equal((await userinfo(provider, tokens.access_token)).status, 401)
    assert.deepEqual(await provider.stats(), {
      tokenRequests: before.tokenRequests + 1,
      refreshes: before.refreshes + 1,
      refused: before.refused + 1,
      secretsInBody: 0,
      revocations: before.revocations,
    })
  })

  it('refuses a client with a wrong secret', async () => {
    const wrong = await refresh({ ...provider, clientSecret: 'wrong' }, 'whatever')
    assert.deepEqual([wrong.status, wrong.body.error], [401, 'invalid_client'])
  })

  it('can be one that keeps refresh tokens, takes the secret in the body and wants offline_access', async () => {
    const other = await startOidcProvider({
      redirectUris: [REDIRECT_URI],
      rotateRefreshTokens: false,
      clientAuth: 'client_secret_post',
      refreshTokens: 'offline_access',
    })
    try {
      const secretInBody = { client_id: other.clientId, client_secret: other.clientSecret }
      const online = await connect(other, {}, secretInBody)
      assert.equal(online.tokens.refresh_token, undefined)
      const { tokens } = await connect(
        other,
        { scope: 'openid offline_access', prompt: 'consent' },
        secretInBody,
      )
      const renewed = await refresh(other, tokens.refresh_token, secretInBody)
      assert.equal(renewed.status, 200)
      assert.equal(renewed.body.refresh_token, tokens.refresh_token)
      assert.deepEqual(await other.stats(), {
        tokenRequests: 3,
        refreshes: 1,
        refused: 0,
        secretsInBody: 3,
        revocations: 0,
      })
    } finally {
      await other.stop()
    }
  })
})

function authorize(
  provider: OidcProviderPeer,
  verifier: string,
  options: SignInOptions = {},
  parameters: Record<string, string> = {},
): Promise<SignInResult> {
  const url = new URL(provider.authorizationEndpoint)
  url.search = new URLSearchParams({
    client_id: provider.clientId,
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    scope: 'openid email',
    state: 'state-1',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...parameters,
  }).toString()
  return signInAndConsent(url.href, options)
}

async function connect(
  provider: OidcProviderPeer,
  parameters: Record<string, string> = {},
  secretInBody?: Record<string, string>,
): Promise<{ callback: URL; tokens: Record<string, any> }> {
  const verifier = randomBytes(32).toString('base64url')
  const { callbackUrl } = await authorize(provider, verifier, {}, parameters)
  const { status, body } = await exchange(provider, callbackUrl, verifier, secretInBody)
  assert.equal(status, 200, JSON.stringify(body))
  return { callback: new URL(callbackUrl), tokens: body }
}

function exchange(
  provider: OidcProviderPeer,
  callbackUrl: string,
  verifier: string,
  secretInBody?: Record<string, string>,
): Promise<TokenAnswer> {
  const code = new URL(callbackUrl).searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: verifier }
  return post(provider, provider.tokenEndpoint, form, secretInBody)
}

function refresh(
  provider: OidcProviderPeer,
  token: string,
  secretInBody?: Record<string, string>,
): Promise<TokenAnswer> {
  return post(
    provider,
    provider.tokenEndpoint,
    { grant_type: 'refresh_token', refresh_token: token },
    secretInBody,
  )
}

async function post(
  provider: OidcProviderPeer,
  url: string,
  form: Record<string, string>,
  secretInBody?: Record<string, string>,
): Promise<TokenAnswer> {
  const basic = Buffer.from(`${provider.clientId}:${provider.clientSecret}`).toString('base64')
  const response = await fetch(url, {
    method: 'POST',
    headers: secretInBody ? {} : { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ ...form, ...secretInBody }),
    signal: AbortSignal.timeout(10_000),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
}

function userinfo(provider: OidcProviderPeer, accessToken: string): Promise<Response> {
  return fetch(provider.userinfoEndpoint, { headers: { authorization: `Bearer ${accessToken}` } })
}
