import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { catalogFromSources } from '../../../catalog/index.ts'
import { createAuthConfig } from '../../../contract/auth-configs/index.ts'
import { ManagedAuthCredentials } from '../../../platform/config.ts'
import { createManagedAuth } from '../../auth-configs/index.ts'
import {
  CLIENT,
  followShortLink,
  oauth,
  returnFromProvider,
  startConnectedAccountsApp,
} from '#fixtures/connected-accounts.ts'
import { CookieJar } from '#fixtures/real-applications/cookie-jar.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { updateProjectConfig } from '../../../contract/projects/index.ts'

const shopCatalog = catalogFromSources([
  sampleSource({ base_url: 'https://shop.example', auth: [oauth('https://shop.example')] }, [sampleTool()]),
])

/** A project that uses the OAuth client of the administrator, which other projects use too. */
async function startWithSharedClient(t: TestContext) {
  const managed = createManagedAuth(shopCatalog, [
    new ManagedAuthCredentials('MANAGED_AUTH', [{ toolkit: 'shop', scheme: 'OAUTH2', values: CLIENT }]),
  ])
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [oauth(url)],
    app: { managed },
    answer: () => ({ json: { access_token: 'access-token-1' } }),
  })
  await s.call(updateProjectConfig, { body: { display_name: 'Attacker <b>Inc</b>' } })
  const { body } = await s.call(createAuthConfig, {
    body: { toolkit: { slug: 'shop' }, auth_config: { type: 'use_service_managed_auth' } },
  })
  return { ...s, config: body.auth_config.id }
}

test('consent page: with a shared client, opening a link redirects nobody to the provider', async (t) => {
  const s = await startWithSharedClient(t)
  const { body } = await s.connect(s.config, { user_id: 'user-of-the-attacker' })
  const link = body.redirect_url as string
  // The attacker brings the browser of a victim to the link, in each form that it has.
  const victim = { cookies: new CookieJar() }
  for (const url of [link, `${link}?continue=1`]) {
    const page = await s.visit(url, victim)
    assert.deepEqual([page.status, page.location], [200, ''])
    assert.match(page.text, /Attacker &lt;b&gt;Inc&lt;\/b&gt;.*your Shop account.*user-of-the-attacker/s)
    assert.match(page.text, /<button class="action">Continue to Shop<\/button>/)
    assert.doesNotMatch(page.text, /http-equiv="refresh"|\/authorize/)
  }
  assert.equal((await s.visit(link, { ...victim, form: { form_token: 'guessed' } })).status, 403)
  assert.equal((await s.readAccount(body.id)).status, 'INITIALIZING')
})

test('consent page: after the button, the browser continues at the provider, and the account connects', async (t) => {
  const s = await startWithSharedClient(t)
  const { body } = await s.connect(s.config, { user_id: 'u1' })
  const url = await followShortLink(s, body.redirect_url as string)
  assert.equal(`${url.origin}${url.pathname}`, `${s.stub.url}/authorize`)
  await returnFromProvider(s, { code: 'c', state: url.searchParams.get('state') as string })
  assert.equal((await s.readAccount(body.id)).status, 'ACTIVE')
})

test('consent page: with a shared client, long_redirect_url does not skip the page', async (t) => {
  const s = await startWithSharedClient(t)
  const { body } = await s.connect(s.config, {
    user_id: 'u1',
    state: { authScheme: 'OAUTH2', val: { long_redirect_url: true } },
  })
  assert.match(String(body.redirect_url), /^http:\/\/localhost:3900\/api\/v3\/s\/\w{8}$/)
})

test('consent page: CONSENT_PAGE=always shows it for the client of a project too', async (t) => {
  for (const [consentPage, status] of [
    ['managed', 302],
    ['always', 200],
  ] as const) {
    const s = await startConnectedAccountsApp(t, { auth: (url) => [oauth(url)], app: { consentPage } })
    const { body } = await s.connect(await s.addAuthConfig('OAUTH2', CLIENT), { user_id: 'u1' })
    assert.equal((await s.visit(body.redirect_url as string)).status, status)
  }
})
