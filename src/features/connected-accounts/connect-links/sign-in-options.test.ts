import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import {
  API_KEY,
  BASIC,
  BEARER,
  CLIENT,
  type ConnectedAccountsApp,
  credentialsIn,
  oauth,
  providerUrlIn,
  returnFromProvider,
  startConnectedAccountsApp,
} from '#fixtures/connected-accounts.ts'
import { linkConnectedAccount } from '../../../contract/connected-accounts/index.ts'
import { createSession, linkInSession } from '../../../contract/sessions/index.ts'
import { sql } from '../../../platform/db/sql.ts'

const TOKEN_FIELD = /name="form_token" value="([^"]+)"/
const tokenOf = (text: string) => TOKEN_FIELD.exec(text)?.[1] ?? ''

/** A shop with an OAuth app, a bearer token and a key, and a link that offers all three. */
async function startWithChoice(t: TestContext) {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) =>
      [oauth(url), { ...BEARER, apply: { headers: { authorization: '{token}' } } }, API_KEY] as never,
    answer: ({ path }) => ({
      json: path === '/token' ? { access_token: 'oauth-token', token_type: 'bearer' } : { id: '7' },
    }),
  })
  const ids = {
    key: await s.addAuthConfig('API_KEY'),
    bearer: await s.addAuthConfig('BEARER_TOKEN'),
    oauth: await s.addAuthConfig('OAUTH2', CLIENT),
  }
  const link = (body: Record<string, unknown> = {}) =>
    s.call(linkConnectedAccount, {
      body: {
        auth_config_id: ids.oauth,
        user_id: 'u1',
        alternative_auth_config_ids: [ids.bearer, ids.key],
        ...body,
      } as never,
    })
  return { ...s, ids, link }
}

const send = async (s: ConnectedAccountsApp, url: string, method: string, fields: Record<string, string>) =>
  s.visit(url, {
    form: {
      form_token: tokenOf((await s.visit(`${url}?sign_in=${method}`)).text),
      sign_in: method,
      ...fields,
    },
  })

test('connect links: a user chooses how to sign in, and the account belongs to the auth config of that choice', async (t) => {
  const s = await startWithChoice(t)
  const { redirect_url: url, connected_account_id: id } = (await s.link()).body
  const first = (await s.visit(url)).text
  assert.match(first, /How do you want to sign in\?/)
  assert.match(first, /\?sign_in=oauth2" aria-current="true">Sign in at Shop</)
  assert.match(first, /\?sign_in=bearer_token">Enter an access token</)
  assert.match(first, /Continue to Shop/)
  assert.doesNotMatch(first, /name="token"|ac_/, 'no fields of another choice, and no ids')
  const visible = (await s.visit(`${url}?sign_in=bearer_token`)).text
  assert.match(visible, /sign_in=bearer_token" aria-current="true"/)
  assert.match(visible, /name="token"/)
  assert.equal((await s.readAccount(id)).auth_config.id, s.ids.oauth, 'looking at a choice changes nothing')
  const done = await send(s, url, 'bearer_token', { token: 'secret-token-1' })
  assert.match(done.text, /Shop is connected/)
  const account = await s.readAccount(id)
  assert.deepEqual(
    [account.status, account.auth_config.id, account.state.authScheme],
    ['ACTIVE', s.ids.bearer, 'BEARER_TOKEN'],
  )
  assert.equal((await s.callTool()).body.successful, true)
  assert.equal(s.stub.requests.at(-1)?.headers['authorization'], 'secret-token-1')
  assert.equal(credentialsIn(account.state)['sign_in_options'], undefined)
})

test('connect links: the choice is still there after an error and after a visit to the provider', async (t) => {
  const s = await startWithChoice(t)
  const { redirect_url: url, connected_account_id: id } = (await s.link()).body
  const failed = await send(s, url, 'api_key', { generic_api_key: '' })
  assert.equal(failed.status, 400)
  assert.match(failed.text, /sign_in=api_key" aria-current="true"/)
  assert.equal((await s.readAccount(id)).auth_config.id, s.ids.oauth, 'a form with errors changes nothing')
  const away = await send(s, url, 'oauth2', {})
  const state = new URL(providerUrlIn(away.text)).searchParams.get('state') as string
  assert.equal((await s.readAccount(id)).status, 'INITIATED')
  assert.equal(credentialsIn((await s.readAccount(id)).state)['sign_in_options'], undefined)
  await send(s, url, 'api_key', { generic_api_key: 'key-secret-1' })
  assert.deepEqual(
    [(await s.readAccount(id)).status, (await s.readAccount(id)).state.authScheme],
    ['ACTIVE', 'API_KEY'],
  )
  const late = await returnFromProvider(s, { state, code: 'c1' })
  assert.match(late.text, /expired|does not exist/i, 'the flow of the other choice has ended')
  assert.equal(credentialsIn((await s.readAccount(id)).state)['access_token'], undefined)
})

test('connect links: the provider can be chosen after another way was tried', async (t) => {
  const s = await startWithChoice(t)
  const { redirect_url: url, connected_account_id: id } = (
    await s.link({ auth_config_id: s.ids.key, alternative_auth_config_ids: [s.ids.oauth] })
  ).body
  const away = await send(s, url, 'oauth2', {})
  const state = new URL(providerUrlIn(away.text)).searchParams.get('state') as string
  assert.match((await returnFromProvider(s, { state, code: 'c1' })).text, /Shop is connected/)
  const account = await s.readAccount(id)
  assert.deepEqual([account.status, account.auth_config.id], ['ACTIVE', s.ids.oauth])
})

test('connect links: an alternative that does not fit is rejected with its field', async (t) => {
  const s = await startWithChoice(t)
  const second = await s.addAuthConfig('BEARER_TOKEN')
  const error = async (body: Record<string, unknown>) => {
    const reply = await s.link(body)
    return [reply.status, JSON.stringify(reply.body)] as const
  }
  for (const [body, status, words] of [
    [
      { alternative_auth_config_ids: [s.ids.bearer, second] },
      400,
      /alternative_auth_config_ids\[1\].*BEARER_TOKEN/,
    ],
    [{ alternative_auth_config_ids: [s.ids.oauth] }, 400, /alternative_auth_config_ids\[0\]/],
    [{ alternative_auth_config_ids: ['ac_AAAAAAAAAAAA'] }, 404, /ac_AAAAAAAAAAAA/],
    [{ connected_account_id: 'ca_AAAAAAAAAAAA' }, 400, /keeps its auth config/],
  ] as const) {
    const [found, text] = await error(body)
    assert.equal(found, status, text)
    assert.match(text, words)
  }
  const { redirect_url: url } = (await s.link()).body
  await s.app.db.run(sql`update auth_configs set status = 'DISABLED' where id = ${s.ids.bearer}`)
  const { text } = await s.visit(`${url}?sign_in=bearer_token`)
  assert.doesNotMatch(text, /sign_in=bearer_token/, 'a disabled choice is not offered')
  assert.match(text, /sign_in=oauth2" aria-current="true"/)
})

test('sessions: the link of a session offers one auth config of each scheme, unless the session names one', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [BASIC, BEARER] })
  const older = await s.addAuthConfig('BASIC')
  await s.addAuthConfig('BASIC')
  const newest = await s.addAuthConfig('BEARER_TOKEN')
  const linkOf = async (config: Record<string, unknown>) => {
    const session = (await s.call(createSession, { body: { user_id: 'u1', ...config } as never })).body as {
      session_id: string
    }
    const reply = await s.call(linkInSession, {
      params: { session_id: session.session_id },
      body: { toolkit: 'shop' },
    })
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return (await s.visit((reply.body as { redirect_url: string }).redirect_url)).text
  }
  const page = await linkOf({})
  assert.match(page, /sign_in=bearer_token" aria-current="true"/)
  assert.equal(page.match(/\?sign_in=/g)?.length, 2)
  assert.ok(newest !== older)
  assert.doesNotMatch(await linkOf({ auth_configs: { shop: older } }), /\?sign_in=/)
})
