import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { localEgress } from '#fixtures/egress.ts'
import { type ScriptedProviderOptions, scriptedOpenIdProvider } from '#fixtures/scripted-openid-provider.ts'
import { upstream } from '#fixtures/upstream.ts'
import { parseAllowRules } from '../egress/index.ts'
import { checkOpenIdProvider } from './check-openid-provider.ts'

const checksOf = (t: TestContext, issuer: string, allow = '127.0.0.1') =>
  checkOpenIdProvider(
    { issuer, clientId: 'patchbay', clientSecret: 's', scopes: 'openid email', claims: ['email'] },
    'http://localhost:3900/callback',
    localEgress(t, { allow: parseAllowRules(allow) }),
  )

/** The results that are not `ok`, for metadata that differ from those of a right provider. */
async function problemsOf(t: TestContext, options: ScriptedProviderOptions) {
  const { issuer } = await scriptedOpenIdProvider(t, options)
  const checks = await checksOf(t, issuer)
  return checks.filter(({ result }) => result !== 'ok').map(({ check, result }) => `${check} ${result}`)
}

test('test of an OpenID provider: each wrong member of the metadata has its own message', async (t) => {
  const pkce = { code_challenge_methods_supported: ['S256'] }
  const cases: [object, string[]][] = [
    [{}, []],
    [{ code_challenge_methods_supported: undefined }, ['flow warning']],
    [{ response_types_supported: ['id_token'] }, ['flow failed']],
    [{ authorization_endpoint: 'http://other.example/authorize' }, ['endpoints failed']],
    [{ token_endpoint: undefined }, ['endpoints failed', 'client failed']],
    [{ jwks_uri: undefined }, ['keys failed']],
    [{ scopes_supported: ['openid'] }, ['scopes warning']],
    [{ claims_supported: ['sub'] }, ['claims warning']],
  ]
  for (const [metadata, problems] of cases)
    assert.deepEqual(
      await problemsOf(t, { metadata: { ...pkce, ...metadata } }),
      problems,
      JSON.stringify(metadata),
    )
})

test('test of an OpenID provider: a wrong issuer is reported with what to change', async (t) => {
  const html = await upstream(t, () => ({ body: '<html>', headers: { 'content-type': 'text/html' } }))
  const missing = await upstream(t, () => ({ status: 404, json: {} }))
  const { issuer } = await scriptedOpenIdProvider(t, { metadata: { issuer: 'https://login.example.com' } })
  const cases: [issuer: string, message: RegExp][] = [
    ['http://login.example.com', /must be an https URL/],
    [html.url, /is not a JSON document/],
    [missing.url, /returned status 404/],
    [issuer, /is of another issuer/],
  ]
  for (const [url, message] of cases) {
    const checks = await checksOf(t, url)
    assert.deepEqual([checks.length, checks[0]?.result], [1, 'failed'], url)
    assert.match(checks[0]!.message, message)
  }
})

test('test of an OpenID provider: it passes the egress guard', async (t) => {
  const { issuer } = await scriptedOpenIdProvider(t)
  const checks = await checksOf(t, issuer, '127.0.0.2')
  assert.equal(checks.length, 1)
  assert.match(checks[0]!.message, /EGRESS_ALLOW/)
})
