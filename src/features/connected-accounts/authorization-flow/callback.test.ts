import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APPLICATION_CALLBACK, startFlowAtProvider, statusOf } from '#fixtures/authorization-flow.ts'
import type { Answer } from '#fixtures/upstream.ts'
import { deleteAuthConfig } from '../../../contract/auth-configs/index.ts'
import { deleteConnectedAccount } from '../../../contract/connected-accounts/index.ts'
import { createEgress, parseAllowRules } from '../../../platform/egress/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { expireSetups } from '../status-store.ts'
import {
  followShortLink,
  CLIENT,
  returnFromProvider,
  form,
  requestsTo,
  statusChangeDeps,
  credentialsIn,
} from '#fixtures/connected-accounts.ts'

test('callback: the short link redirects to the provider and the account becomes INITIATED', async (t) => {
  const s = await startFlowAtProvider(t)
  assert.equal(s.authorizeUrl.origin + s.authorizeUrl.pathname, `${s.stub.url}/authorize`)
  assert.deepEqual(await statusOf(s, s.id), ['INITIATED', null])
  assert.equal(credentialsIn((await s.readAccount(s.id)).state)['redirectUrl'], s.link)
  const again = await s.visit(s.link)
  assert.deepEqual([again.status, again.location], [302, s.authorizeUrl.href])
  assert.equal(again.headers['cache-control'], 'no-store')
  assert.equal(again.headers['referrer-policy'], 'no-referrer')
})

test('callback: a code is exchanged, the account is ACTIVE, and the callback URL keeps its query', async (t) => {
  const s = await startFlowAtProvider(t)
  const { status, location } = await returnFromProvider(s, { code: 'code-1', state: s.state })
  assert.deepEqual(
    [status, location],
    [302, `${APPLICATION_CALLBACK}&status=success&connected_account_id=${s.id}`],
  )
  assert.deepEqual(
    requestsTo(s, '/token').map((request) => {
      const { code_verifier: _, ...rest } = form(request)
      return rest
    }),
    [
      {
        grant_type: 'authorization_code',
        code: 'code-1',
        redirect_uri: 'http://localhost:3900/api/v3/toolkits/auth/callback',
        client_id: CLIENT.client_id,
        client_secret: CLIENT.client_secret,
      },
    ],
  )
  assert.deepEqual(await statusOf(s, s.id), ['ACTIVE', null])
  const { token_expires_at: end, setup_expires_at: setup } = await s.accountRow(s.id)
  assert.ok(Math.abs((end as Date).getTime() - s.clock.now() - 3_600_000) < 60_000)
  assert.equal(setup, null)
  assert.equal('redirectUrl' in credentialsIn((await s.readAccount(s.id)).state), false)
  assert.equal((await s.callTool()).body.successful, true)
  assert.equal(requestsTo(s, '/orders/7')[0]?.headers['authorization'], 'Bearer access-token-1')
})

test('callback: without a callback URL, the browser sees a page without scripts', async (t) => {
  const s = await startFlowAtProvider(t, undefined, {})
  const { status, text, headers } = await returnFromProvider(s, { code: 'code-1', state: s.state })
  assert.equal(status, 200)
  assert.match(text, /Shop is connected/)
  assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-/)
  assert.doesNotMatch(text, /<script/)
})

test('callback: a state works once; a second callback shows an expired page and sends no token request', async (t) => {
  const s = await startFlowAtProvider(t)
  await returnFromProvider(s, { code: 'code-1', state: s.state })
  const second = await returnFromProvider(s, { code: 'code-2', state: s.state })
  assert.equal(second.status, 410)
  assert.match(second.text, /expired/)
  assert.equal(requestsTo(s, '/token').length, 1)
  assert.equal((await s.visit(s.link)).status, 410)
  assert.deepEqual(await statusOf(s, s.id), ['ACTIVE', null])
})

test('callback: twenty concurrent callbacks send one token request', async (t) => {
  const s = await startFlowAtProvider(t)
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => returnFromProvider(s, { code: 'code-1', state: s.state })),
  )
  assert.deepEqual(replies.map(({ status }) => status).sort(), [
    302,
    ...Array.from({ length: 19 }, () => 410),
  ])
  assert.equal(requestsTo(s, '/token').length, 1)
})

test('callback: a missing or unknown state changes nothing', async (t) => {
  const s = await startFlowAtProvider(t)
  for (const [params, status] of [
    [{ code: 'c' }, 400],
    [{ code: 'c', state: '' }, 400],
    [{ code: 'c', state: 'made-up' }, 404],
    [{ code: 'c', state: `${s.state}x` }, 404],
    [{ code: 'c', state: 'a\0b' }, 404],
  ] as const) {
    assert.equal((await returnFromProvider(s, params)).status, status)
  }
  for (const short of ['abcdefgh', '%00', 'x', "a'b"])
    assert.equal((await s.visit(`http://localhost:3900/api/v3/s/${short}`)).status, 404)
  assert.deepEqual([requestsTo(s, '/token').length, (await statusOf(s, s.id))[0]], [0, 'INITIATED'])
  assert.equal((await returnFromProvider(s, { code: 'code-1', state: s.state })).status, 302)
})

test('callback: an error of the provider fails the account with its reason, and markup in it is escaped', async (t) => {
  const s = await startFlowAtProvider(t, undefined, {})
  const { status, text } = await returnFromProvider(s, {
    state: s.state,
    error: 'access_denied',
    error_description: '<img src=x onerror=alert(1)>',
  })
  assert.equal(status, 200)
  assert.match(text, /Not connected/)
  assert.doesNotMatch(text, /<img src=x/)
  assert.deepEqual(await statusOf(s, s.id), [
    'FAILED',
    'The provider did not grant access: access_denied: <img src=x onerror=alert(1)>',
  ])
  const val = credentialsIn((await s.readAccount(s.id)).state)
  assert.deepEqual(
    [val['error'], val['error_description']],
    ['access_denied', 'access_denied: <img src=x onerror=alert(1)>'],
  )
  assert.equal(requestsTo(s, '/token').length, 0)
})

test('callback: a failed flow redirects to the callback URL with the error code', async (t) => {
  const s = await startFlowAtProvider(t)
  const { location } = await returnFromProvider(s, { state: s.state, error: 'access_denied' })
  assert.equal(
    location,
    `${APPLICATION_CALLBACK}&status=failed&connected_account_id=${s.id}&error=access_denied`,
  )
  assert.equal((await s.callTool({ connected_account_id: s.id })).body.error.code, 1821)
})

/** What the response is, the response, the reason of the failure and the error code in the callback URL. */
const INVALID_TOKEN_RESPONSES = [
  ['a body without a token', { json: { hello: 1 } }, /contains no access token/, 'token_exchange_failed'],
  [
    'malformed JSON',
    { text: '{"access_token": "x"', headers: { 'content-type': 'application/json' } },
    /contains no access token/,
    'token_exchange_failed',
  ],
  ['an empty body', { text: '' }, /contains no access token/, 'token_exchange_failed'],
  [
    'a token that is not a string',
    { json: { access_token: { a: 1 } } },
    /contains no access token/,
    'token_exchange_failed',
  ],
  ['ten megabytes', { text: 'x'.repeat(10_000_001) }, /larger than/, 'token_exchange_failed'],
  ['a redirect', { status: 302, headers: { location: '/elsewhere' } }, /status 302/, 'token_exchange_failed'],
  ['a server error', { status: 500, text: 'boom' }, /status 500/, 'token_exchange_failed'],
  [
    'an expired code',
    { status: 400, json: { error: 'invalid_grant', error_description: 'Code expired' } },
    /invalid_grant: Code expired/,
    'invalid_grant',
  ],
  [
    'an error with status 200',
    { json: { error: 'bad_verification_code', error_description: 'wrong' } },
    /bad_verification_code: wrong/,
    'bad_verification_code',
  ],
  [
    'another error',
    { status: 401, json: { error: 'invalid_client' } },
    /invalid_client/,
    'token_exchange_failed',
  ],
  [
    'a reason with NUL',
    { status: 400, json: { error: 'invalid_grant', error_description: 'a\0b' } },
    /invalid_grant: ab/,
    'invalid_grant',
  ],
  [
    'a secret in the reason',
    {
      status: 400,
      json: { error: 'invalid_client', error_description: `secret ${CLIENT.client_secret} is wrong` },
    },
    /secret \[secret\] is wrong/,
    'token_exchange_failed',
  ],
] as const

test('callback: an invalid token response fails the account with a reason', async (t) => {
  let answer: Answer = {}
  const s = await startFlowAtProvider(t, () => answer)
  const config = (await s.readAccount(s.id)).auth_config.id
  for (const [what, reply, reason, error] of INVALID_TOKEN_RESPONSES) {
    answer = reply as Answer
    const { body } = await s.connect(config, { user_id: 'u1', callback_url: APPLICATION_CALLBACK })
    const state = (await followShortLink(s, body.redirect_url as string)).searchParams.get('state') as string
    const { location } = await returnFromProvider(s, { code: 'code-1', state })
    const [status, text] = await statusOf(s, body.id)
    assert.deepEqual(
      [
        what,
        status,
        new URL(location).searchParams.get('status'),
        new URL(location).searchParams.get('error'),
      ],
      [what, 'FAILED', 'failed', error],
    )
    assert.match(String(text), reason)
  }
  assert.deepEqual(requestsTo(s, '/elsewhere'), [])
})

test('callback: a callback without a code fails the account', async (t) => {
  const s = await startFlowAtProvider(t)
  await returnFromProvider(s, { state: s.state })
  assert.deepEqual(await statusOf(s, s.id), [
    'FAILED',
    'The provider did not grant access: The provider sent the browser back without code.',
  ])
})

test('callback: a token endpoint without response times out after 15 seconds; the account is FAILED', async (t) => {
  const egress = createEgress({ allow: parseAllowRules('127.0.0.0/8') })
  const bounds: number[] = []
  const impatient = {
    ...egress,
    send: (request: Parameters<typeof egress.send>[0]) => {
      bounds.push(request.timeoutMs)
      return egress.send({ ...request, timeoutMs: 60 })
    },
  }
  const s = await startFlowAtProvider(t, () => new Promise<Answer>(() => {}), undefined, {
    app: { egress: impatient },
  })
  await returnFromProvider(s, { code: 'code-1', state: s.state })
  assert.deepEqual(bounds, [15_000])
  const [status, reason] = await statusOf(s, s.id)
  assert.equal(status, 'FAILED')
  assert.match(String(reason), /no complete answer/)
})

test('callback: a token endpoint in a private network is rejected', async (t) => {
  const s = await startFlowAtProvider(t, undefined, undefined, {
    manifest: { token: { url: 'http://10.0.0.1/token' } },
  })
  await returnFromProvider(s, { code: 'code-1', state: s.state })
  assert.match(String((await statusOf(s, s.id))[1]), /not a public IP address.*EGRESS_ALLOW/)
})

test('callback: after ten minutes, every read shows EXPIRED, before and after the schedule writes it', async (t) => {
  const s = await startFlowAtProvider(t)
  const { rows } = {
    rows: await s.app.db.rows<{ minutes: number }>(
      sql`select extract(epoch from setup_expires_at - created_at)::float / 60 as minutes from connected_accounts`,
    ),
  }
  assert.deepEqual(
    rows.map(({ minutes }) => Math.round(minutes * 100) / 100),
    [10],
  )
  await s.app.db.run(sql`update connected_accounts set setup_expires_at = now() - interval '1 second'`)
  await s.app.db.run(sql`update authorization_flows set expires_at = now() - interval '1 second'`)
  const reason = 'The connection was not finished within 10 minutes.'
  assert.deepEqual(await statusOf(s, s.id), ['EXPIRED', reason])
  assert.equal((await s.accountRow(s.id))['status'], 'INITIATED')
  assert.equal((await s.callTool({ connected_account_id: s.id })).body.error.code, 1820)
  assert.deepEqual(
    [(await s.visit(s.link)).status, (await returnFromProvider(s, { code: 'c', state: s.state })).status],
    [410, 410],
  )
  assert.deepEqual(
    [await expireSetups(statusChangeDeps(s), 10), await expireSetups(statusChangeDeps(s), 10)],
    [1, 0],
  )
  assert.deepEqual(await statusOf(s, s.id), ['EXPIRED', reason])
  assert.equal((await s.accountRow(s.id))['status'], 'EXPIRED')
  assert.equal(requestsTo(s, '/token').length, 0)
})

test('callback: the schedule changes neither accounts with remaining time nor connected ones', async (t) => {
  const s = await startFlowAtProvider(t)
  assert.equal(await expireSetups(statusChangeDeps(s), 10), 0)
  await returnFromProvider(s, { code: 'code-1', state: s.state })
  await s.app.db.run(sql`update connected_accounts set setup_expires_at = now() - interval '1 hour'`)
  assert.equal(await expireSetups(statusChangeDeps(s), 10), 0)
  assert.equal((await statusOf(s, s.id))[0], 'ACTIVE')
})

test('callback: a late callback does not connect a deleted account, or one with a deleted auth config', async (t) => {
  const s = await startFlowAtProvider(t)
  const config = (await s.readAccount(s.id)).auth_config.id
  const other = (await s.connect(config, { user_id: 'u2' })).body
  const state = (await followShortLink(s, other.redirect_url as string)).searchParams.get('state') as string
  await s.call(deleteConnectedAccount, { params: { nanoid: s.id } })
  assert.equal((await returnFromProvider(s, { code: 'c', state: s.state })).status, 410)
  await s.call(deleteAuthConfig, { params: { nanoid: config } })
  assert.equal((await returnFromProvider(s, { code: 'c', state })).status, 410)
  assert.equal(requestsTo(s, '/token').length, 0)
  assert.deepEqual(
    await s.app.db.rows<{ status: string }>(
      sql`select distinct status from connected_accounts where status = 'ACTIVE'`,
    ),
    [],
  )
})

test('callback: the failure page explains the error, with the redirect URI to register', async (t) => {
  for (const [error, words] of [
    [
      'redirect_uri_mismatch',
      /add this redirect URI, exactly as written here:<\/p>\n<p class="copy"><code>http:\/\/localhost:3900\/api\/v3\/toolkits\/auth\/callback/,
    ],
    ['invalid_scope', /permissions \(scopes\)/],
    ['server_error', /Shop has a problem/],
    ['something_new', /Shop did not connect/],
  ] as const) {
    const s = await startFlowAtProvider(t, undefined, {})
    assert.match((await returnFromProvider(s, { state: s.state, error })).text, words)
  }
  const s = await startFlowAtProvider(t, () => ({ status: 401, json: { error: 'invalid_client' } }), {})
  assert.match((await returnFromProvider(s, { state: s.state, code: 'c' })).text, /client secret is wrong/)
})
