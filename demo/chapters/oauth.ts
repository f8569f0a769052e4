import { signInAndConsent } from '../../test/fixtures/real-applications/browser.ts'
import { CookieJar } from '../../test/fixtures/real-applications/cookie-jar.ts'
import { type Chapter, expect, type Tour } from '../tour.ts'

export const oauth: Chapter = async ({ stage, api, provider }) => {
  await stage.chapter('Connected by consent: OAuth')
  await stage.say(
    'At an OAuth provider the user never gives a secret away. The developer registers a client of their ' +
      'own; the user signs in at the provider and consents.',
  )
  const config = await api.send('POST', '/api/v3.1/auth_configs', {
    body: {
      toolkit: { slug: 'people' },
      auth_config: {
        type: 'use_custom_auth',
        authScheme: 'OAUTH2',
        credentials: {
          issuer: provider.issuer,
          client_id: provider.clientId,
          client_secret: provider.clientSecret,
        },
      },
    },
    show: ({ auth_config: { id, auth_scheme } }) => ({ auth_config: { id, auth_scheme } }),
  })
  const started = await api.send('POST', '/api/v3.1/connected_accounts', {
    body: {
      auth_config: { id: config.body.auth_config.id },
      connection: { user_id: 'alice', callback_url: 'https://app.example.com/done?tab=2' },
    },
    show: ({ id, status, redirect_url }) => ({ id, status, redirect_url }),
  })
  const { id, redirect_url } = started.body

  await signInWithBrowser(stage, redirect_url)

  const account = await api.send('GET', `/api/v3.1/connected_accounts/${id}`, {
    show: ({
      status,
      state: {
        val: { access_token, refresh_token, scope },
      },
    }) => ({ status, val: { access_token, refresh_token, scope } }),
  })
  expect(account.body.status === 'ACTIVE', 'the account is ACTIVE', account.body)
  const profile = await api.execute('PEOPLE_GET_PROFILE', 'alice', {})
  expect(profile.body.data?.email === 'alice@example.com', 'the tool reads who Alice is', profile.body)
}

/** Opens the connect URL as Alice's browser does, consents at the provider, and follows its redirect. */
async function signInWithBrowser(stage: Tour['stage'], redirectUrl: string): Promise<void> {
  await stage.say(
    'Alice opens redirect_url. The tour has a small browser, which clicks what she would click.',
  )
  const cookies = new CookieJar()
  const sent = await redirectOf(redirectUrl, cookies)
  await stage.act('browser', `opens ${redirectUrl}`)
  await stage.act(
    'browser',
    `is sent to ${withoutQuery(sent)} with a one-time state and a PKCE challenge ` +
      `(${new URL(sent).searchParams.get('code_challenge_method')})`,
  )
  const { callbackUrl } = await signInAndConsent(sent, { login: 'alice' })
  await stage.act('browser', 'signs in as alice, and consents to openid and email')
  await stage.act('browser', `comes back to ${withoutQuery(callbackUrl)} with a code`)
  const done = await redirectOf(callbackUrl, cookies)
  const { searchParams: returned } = new URL(done)
  await stage.act(
    'browser',
    `is sent on to ${withoutQuery(done)}, which reads: tab=${returned.get('tab')}, ` +
      `status=${returned.get('status')}, connected_account_id=${returned.get('connected_account_id')}`,
  )
  expect(returned.get('status') === 'success', 'consent ends in success', done)
}

async function redirectOf(url: string, cookies: CookieJar): Promise<string> {
  const reply = await fetch(url, { redirect: 'manual', headers: { cookie: cookies.headerFor(new URL(url)) } })
  cookies.store(new URL(url), reply.headers.getSetCookie())
  await reply.body?.cancel()
  const location = reply.headers.get('location')
  if (!location) throw new Error(`${url} returned ${reply.status} without a redirect`)
  return location
}

const withoutQuery = (url: string) => url.split('?')[0] as string
