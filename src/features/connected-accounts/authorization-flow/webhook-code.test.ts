import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { CookieJar } from '#fixtures/real-applications/cookie-jar.ts'
import { setAuthConfigStatus } from '../../../contract/auth-configs/index.ts'
import { linkConnectedAccount } from '../../../contract/connected-accounts/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import {
  API_KEY,
  followShortLink,
  CLIENT,
  returnFromProvider,
  type Manifest,
  oauth,
  requestsTo,
  type ConnectedAccountsApp,
  startConnectedAccountsApp,
} from '#fixtures/connected-accounts.ts'

const TOKENS = { access_token: 'access-token-1', token_type: 'Bearer', expires_in: 3600 }
const byWebhook = (url: string): Manifest =>
  oauth(url, {
    pkce: 'off',
    callback: {
      source: 'webhook',
      capture: { shop_id: 'shop' },
      webhook: {
        code: 'data.code',
        match: 'data.uuid',
        match_param: 'installation',
        signature: { header: 'x-hook-signature', algorithm: 'sha256', key: '{client_secret}' },
      },
    },
  })

async function hooked(t: TestContext) {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [byWebhook(url), API_KEY],
    answer: (request) => (request.path === '/token' ? { json: TOKENS } : { json: { id: '7' } }),
  })
  const configId = await s.addAuthConfig('OAUTH2', CLIENT)
  const begin = async (userId = 'u1') => {
    const { body } = await s.connect(configId, { user_id: userId })
    const state = (await followShortLink(s, body.redirect_url as string)).searchParams.get('state') as string
    return { id: body.id as string, state }
  }
  async function hook(
    data: unknown,
    {
      secret = CLIENT.client_secret,
      to = configId,
      raw,
    }: { secret?: string; to?: string; raw?: string } = {},
  ) {
    const payload = raw ?? JSON.stringify({ data })
    const { statusCode, body } = await s.app.http.inject({
      method: 'POST',
      url: `/api/v3/toolkits/auth/webhook/${to}`,
      headers: {
        'content-type': 'application/json',
        'x-hook-signature': createHmac('sha256', secret).update(payload).digest('hex'),
      },
      payload,
    })
    return { status: statusCode, text: body }
  }
  return { ...s, configId, begin, hook }
}
const statusOf = async (s: ConnectedAccountsApp | Awaited<ReturnType<typeof hooked>>, id: string) =>
  (await s.readAccount(id)).status
const codesAt = (s: { stub: ConnectedAccountsApp['stub'] }) =>
  requestsTo(s, '/token').map(({ body }) => new URLSearchParams(body).get('code'))

test('webhook codes: if the browser is first, it waits on a page until the webhook connects it', async (t) => {
  const s = await hooked(t)
  const { id, state } = await s.begin()
  const waiting = await returnFromProvider(s, {
    state,
    installation: 'u-1',
    code: 'of-the-browser',
    shop: '9',
  })
  assert.match(waiting.text, /Waiting for Shop/)
  const end = /http-equiv="refresh" content="3;url=([^"]+)"/.exec(waiting.text)?.[1] as string
  assert.match((await s.visit(end)).text, /Waiting for Shop/)
  assert.equal(requestsTo(s, '/token').length, 0)
  assert.equal((await s.hook({ code: 'of-the-webhook', uuid: 'u-1' })).status, 200)
  assert.deepEqual([codesAt(s), await statusOf(s, id)], [['of-the-webhook'], 'ACTIVE'])
  assert.match((await s.visit(end)).text, /Shop is connected/)
  assert.equal((await s.visit(end, { cookies: new CookieJar() })).status, 403)
})

test('webhook codes: if the webhook is first, its code waits for the browser, also with a link', async (t) => {
  const s = await hooked(t)
  const { body } = await s.call(linkConnectedAccount, {
    body: { auth_config_id: s.configId, user_id: 'u1' } as never,
  })
  const page = await s.visit(body.redirect_url)
  const sent = await s.visit(body.redirect_url, {
    form: { form_token: /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] as string },
  })
  const state = /state=([A-Za-z0-9]{43})/.exec(sent.text)?.[1] as string
  assert.equal((await s.hook({ code: 'c-1', uuid: 'u-1' })).status, 202)
  assert.equal(requestsTo(s, '/token').length, 0)
  assert.doesNotMatch(
    JSON.stringify(await s.app.db.rows(sql`select encode(code, 'escape') as code from webhook_codes`)),
    /c-1/,
  )
  assert.match((await returnFromProvider(s, { state, installation: 'u-1' })).text, /Shop is connected/)
  assert.deepEqual([codesAt(s), await statusOf(s, body.connected_account_id)], [['c-1'], 'ACTIVE'])
})

test('webhook codes: a webhook that is sent again is rejected', async (t) => {
  const s = await hooked(t)
  const { id, state } = await s.begin()
  const replies = await Promise.all(Array.from({ length: 10 }, () => s.hook({ code: 'c-1', uuid: 'u-1' })))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [202, ...Array.from({ length: 9 }, () => 409)])
  await returnFromProvider(s, { state, installation: 'u-1' })
  assert.equal((await s.hook({ code: 'c-1', uuid: 'u-1' })).status, 409)
  const other = await s.begin('u2')
  assert.match(
    (await returnFromProvider(s, { state: other.state, installation: 'u-1' })).text,
    /Not connected/,
  )
  assert.deepEqual(
    [codesAt(s), await statusOf(s, id), await statusOf(s, other.id)],
    [['c-1'], 'ACTIVE', 'FAILED'],
  )
})

test('webhook codes: a concurrent browser and webhook send one token request', async (t) => {
  const s = await hooked(t)
  const { id, state } = await s.begin()
  await Promise.all([
    returnFromProvider(s, { state, installation: 'u-1' }),
    s.hook({ code: 'c-1', uuid: 'u-1' }),
  ])
  assert.deepEqual([codesAt(s), await statusOf(s, id)], [['c-1'], 'ACTIVE'])
})

test('webhook codes: a webhook without the signature of the auth config changes nothing', async (t) => {
  const s = await hooked(t)
  const { id, state } = await s.begin()
  await returnFromProvider(s, { state, installation: 'u-1' })
  const other = await s.addAuthConfig('OAUTH2', { client_id: 'other', client_secret: 'other-secret' })
  assert.equal((await s.hook({ code: 'c', uuid: 'u-1' }, { secret: 'other-secret' })).status, 401)
  assert.equal(
    (await s.hook({ code: 'c', uuid: 'u-1' }, { secret: 'other-secret', to: other })).status,
    404,
    'signed for another auth config, where nothing waits',
  )
  for (const raw of ['', '{', '[]', '{"data":{"code":"c"}}'])
    assert.equal((await s.hook(null, { raw })).status, 400, raw)
  assert.equal((await s.hook(null, { raw: `"${'x'.repeat(300_000)}"` })).status, 413)
  await s.app.db.run(sql`update authorization_flows set expires_at = now() - interval '1 second'`)
  assert.deepEqual(
    [
      (await s.hook({ code: 'c', uuid: 'u-2' })).status,
      await s.app.db.rows(sql`select 1 from webhook_codes where code is not null`),
    ],
    [404, []],
  )
  assert.deepEqual([codesAt(s), await statusOf(s, id)], [[], 'INITIATED'])
})

test('webhook codes: a URL without such an auth config returns the same 404', async (t) => {
  const s = await hooked(t)
  await s.begin()
  const keys = await s.addAuthConfig('API_KEY')
  const replies = [
    await s.hook({ code: 'c', uuid: 'u' }, { to: 'ac_nobody' }),
    await s.hook({ code: 'c', uuid: 'u' }, { to: keys }),
    await s.hook({ code: 'c', uuid: 'u' }, { to: '__proto__' }),
    await s.hook({ code: 'c', uuid: 'u' }, { to: 'a%00b' }),
  ]
  assert.ok(
    replies.every(({ status }) => status === 404),
    JSON.stringify(replies),
  )
  await s.call(setAuthConfigStatus, { params: { nanoid: s.configId, status: 'DISABLED' } } as never)
  assert.equal((await s.hook({ code: 'c', uuid: 'u' })).status, 404)
})

test('webhook codes: after ten minutes, neither browser nor webhook connects the account', async (t) => {
  const s = await hooked(t)
  const { id, state } = await s.begin()
  await returnFromProvider(s, { state, installation: 'u-1' })
  await s.app.db.run(sql`update webhook_codes set expires_at = now() - interval '1 second'`)
  await s.app.db.run(sql`update authorization_flows set expires_at = now() - interval '1 second'`)
  assert.equal((await s.hook({ code: 'c', uuid: 'u-1' })).status, 410)
  assert.deepEqual([codesAt(s), await statusOf(s, id)], [[], 'INITIATED'])
})

test('webhook codes: a callback without the shared value, or with an error, fails the account', async (t) => {
  const s = await hooked(t)
  for (const [params, reason] of [
    [{}, /without installation/],
    [{ error: 'access_denied' }, /access_denied/],
  ] as const) {
    const { id, state } = await s.begin()
    assert.match((await returnFromProvider(s, { state, ...params })).text, /Not connected/)
    const { status, status_reason: why } = await s.readAccount(id)
    assert.equal(status, 'FAILED')
    assert.match(String(why), reason)
  }
})
