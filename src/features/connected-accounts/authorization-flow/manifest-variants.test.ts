import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkConnectedAccount } from '../../../contract/connected-accounts/index.ts'
import { createAuthConfig } from '../../../contract/auth-configs/index.ts'
import {
  API_KEY,
  followShortLink,
  CLIENT,
  returnFromProvider,
  type Manifest,
  oauth,
  requestsTo,
  startConnectedAccountsApp,
  credentialsIn,
} from '#fixtures/connected-accounts.ts'

const TOKENS = {
  access_token: 'access-token-1',
  refresh_token: 'refresh-token-1',
  token_type: 'Bearer',
  expires_in: 3600,
}
const regions = (url: string): Manifest =>
  oauth(url, {
    authorize: { url: '{site}/authorize' },
    token: { url: '{site}/token' },
    base_url: '{site}/api',
    variants: [
      { by: 'region', default: 'us', values: { us: { site: `${url}/us` }, eu: { site: `${url}/eu` } } },
    ],
  })
const answer = (request: { path: string }) => ({
  json: request.path.endsWith('/token') ? TOKENS : { id: '7' },
})

test('variants: the chosen region is used for the sign-in, the token request and tools', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [regions(url)], answer })
  const config = await s.addAuthConfig('OAUTH2', CLIENT)
  for (const [region, place] of [
    ['eu', 'eu'],
    ['us', 'us'],
    [undefined, 'us'],
  ] as const) {
    const { body } = await s.connect(config, {
      user_id: `user-${region}`,
      state: { authScheme: 'OAUTH2', val: { ...(region ? { region } : {}), site: 'http://127.0.0.1:1' } },
    })
    const address = await followShortLink(s, body.redirect_url as string)
    assert.equal(address.pathname, `/${place}/authorize`)
    await returnFromProvider(s, { code: 'c', state: address.searchParams.get('state') as string })
    assert.equal((await s.callTool({ user_id: `user-${region}` })).body.successful, true)
    const account = await s.readAccount(body.id)
    assert.deepEqual([account.status, credentialsIn(account.state)['region']], ['ACTIVE', place])
  }
  assert.deepEqual(
    ['us', 'eu'].map((place) => [
      requestsTo(s, `/${place}/token`).length,
      requestsTo(s, `/${place}/api/orders/7`).length,
    ]),
    [
      [2, 2],
      [1, 1],
    ],
  )
})

test('variants: an unknown region is rejected with the field and its values', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [regions(url), { ...API_KEY, variants: regions(url)['variants'], base_url: '{site}/api' }],
    answer,
  })
  const oauthConfig = await s.addAuthConfig('OAUTH2', CLIENT)
  const keyConfig = await s.addAuthConfig('API_KEY')
  for (const region of ['mars', '__proto__', 'toString', 'EU', 'eu\n', 7]) {
    const replies = [
      await s.connect(oauthConfig, { user_id: 'u', state: { authScheme: 'OAUTH2', val: { region } } }),
      await s.connect(keyConfig, {
        user_id: 'u',
        state: { authScheme: 'API_KEY', val: { region, generic_api_key: 'k' } },
      }),
      await s.call(linkConnectedAccount, {
        body: { auth_config_id: oauthConfig, user_id: 'u', connection_data: { region } } as never,
      }),
    ]
    for (const { status, body } of replies) {
      assert.equal(status, 400)
      assert.match(JSON.stringify(body), /region: Region must be one of us, eu/)
    }
  }
  assert.equal(requestsTo(s, '/us/api/me').length, 0)
})

test('variants: the connect page shows the choices and accepts no other', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [regions(url)], answer })
  const { body } = await s.call(linkConnectedAccount, {
    body: { auth_config_id: await s.addAuthConfig('OAUTH2', CLIENT), user_id: 'u' } as never,
  })
  const page = await s.visit(body.redirect_url)
  const token = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] as string
  assert.match(page.text, /<label for="f-region">Region.*<option selected>us<\/option><option>eu<\/option>/s)
  const wrong = await s.visit(body.redirect_url, { form: { form_token: token, region: 'mars' } })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /Choose one of the values in the list for Region/)
  const sent = await s.visit(body.redirect_url, { form: { form_token: token, region: 'eu' } })
  assert.match(sent.text, new RegExp(`${s.stub.url}/eu/authorize`))
})

test('variants: each auth config can have its own region and client', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [
      {
        ...regions(url),
        fields: {
          auth_config_creation: [
            { name: 'region', display_name: 'Environment', description: 'Live or not.' },
          ],
        },
      },
    ],
    answer,
  })
  const rejected = await s.call(createAuthConfig, {
    body: {
      toolkit: { slug: 'shop' },
      auth_config: {
        type: 'use_custom_auth',
        authScheme: 'OAUTH2',
        credentials: { ...CLIENT, region: 'mars' },
      },
    } as never,
  })
  assert.equal(rejected.status, 400)
  assert.match(JSON.stringify(rejected.body), /region: Environment must be one of us, eu/)
  for (const place of ['us', 'eu']) {
    const config = await s.addAuthConfig('OAUTH2', { ...CLIENT, client_id: `client-${place}`, region: place })
    const { body } = await s.connect(config, {
      user_id: 'u',
      state: { authScheme: 'OAUTH2', val: { region: 'us' } },
    })
    const address = await followShortLink(s, body.redirect_url as string)
    assert.deepEqual(
      [address.pathname, address.searchParams.get('client_id')],
      [`/${place}/authorize`, `client-${place}`],
    )
    await returnFromProvider(s, { code: 'c', state: address.searchParams.get('state') as string })
    assert.equal(
      ((await s.readAccount(body.id)) as { params?: { base_url?: string } }).params?.base_url,
      `${s.stub.url}/${place}/api`,
    )
  }
})
