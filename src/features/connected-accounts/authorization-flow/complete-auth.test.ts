import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { completeAuth, refreshConnectedAccount } from '../../../contract/connected-accounts/index.ts'
import { updateProjectConfig } from '../../../contract/projects/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import {
  followShortLink,
  CLIENT,
  returnFromProvider,
  oauth,
  startConnectedAccountsApp,
  credentialsIn,
} from '#fixtures/connected-accounts.ts'

const VERIFIER = 'https://app.example.com/verify?lang=en'

async function shop(t: TestContext, verifier: string | null = VERIFIER) {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [oauth(url)],
    toolkit: { identity: { path: '/me', id: 'id' } },
    answer: ({ path, body }) =>
      path === '/token'
        ? { json: { access_token: `token-of-${new URLSearchParams(body).get('code')}`, expires_in: 3600 } }
        : { json: { id: 'p-7' } },
  })
  await s.call(updateProjectConfig, { body: { identity_verification_url: verifier } })
  const browserFlow = async (redirectUrl: string, code = 'code-1') => {
    const back = await returnFromProvider(s, {
      code,
      state: (await followShortLink(s, redirectUrl)).searchParams.get('state') as string,
    })
    return { back, session: new URL(back.location || 'http://none').searchParams.get('session_uri') ?? '' }
  }
  const connect = async (user_id = 'u-17') => {
    const { body } = await s.connect(await s.addAuthConfig('OAUTH2', CLIENT), {
      user_id,
      callback_url: 'https://app.example.com/done',
    })
    return { id: body.id, ...(await browserFlow(body.redirect_url as string)) }
  }
  const confirm = (session_uri: string, user_id = 'u-17') =>
    s.call(completeAuth, { body: { session_uri, user_id } })
  return { ...s, browserFlow, connect, confirm }
}

test('complete_auth: the account is connected when the application has confirmed the user who returned', async (t) => {
  const s = await shop(t)
  const { id, back, session } = await s.connect()
  assert.match(session, /^session_[A-Za-z0-9]{32}$/)
  assert.equal(back.location, `${VERIFIER}&session_uri=${session}`)
  assert.equal((await s.readAccount(id)).status, 'INITIATED')
  assert.equal((await s.callTool({ user_id: 'u-17' })).body.successful, undefined)
  const rows = await s.app.db.rows(sql`select * from pending_connections`)
  assert.doesNotMatch(
    JSON.stringify(
      rows.map((row) =>
        Object.values(row).map((one) => (Buffer.isBuffer(one) ? one.toString('latin1') : one)),
      ),
    ),
    new RegExp(`${session}|token-of`),
  )
  const { status, body } = await s.confirm(session)
  assert.deepEqual([status, body], [200, { connected_account_id: id, toolkit_slug: 'shop' }])
  const account = await s.readAccount(id)
  assert.deepEqual(
    [account.status, account.identity?.id, 'access_token' in credentialsIn(account.state)],
    ['ACTIVE', 'p-7', true],
  )
  assert.deepEqual(
    [(await s.confirm(session)).status, (await s.confirm(session)).body.error.slug],
    [404, 'ConnectedAccount_AuthSessionNotFound'],
  )
  assert.deepEqual(await s.app.db.rows(sql`select * from pending_connections`), [])
})

test('complete_auth: a different user fails the account, and the grant is erased', async (t) => {
  const s = await shop(t)
  const { id, session } = await s.connect()
  const rejected = await s.confirm(session, 'mallory')
  assert.deepEqual([rejected.status, rejected.body.error.slug], [400, 'ConnectedAccount_BadRequest'])
  const account = await s.readAccount(id)
  assert.deepEqual(
    [account.status, account.status_reason, 'access_token' in credentialsIn(account.state)],
    ['FAILED', 'The application reported that a different user returned from the provider.', false],
  )
  assert.equal((await s.confirm(session)).status, 404)
})

test('complete_auth: the user "default" is rejected; late, unknown and foreign sessions are not found', async (t) => {
  const s = await shop(t)
  const { id, session } = await s.connect()
  const nobody = await s.confirm(session, 'default')
  assert.deepEqual([nobody.status, nobody.body.error.slug], [400, 'ConnectedAccount_BadRequest'])
  for (const wrong of [
    'session_',
    'x',
    `session_${'A'.repeat(32)}`,
    `${session}x`,
    session.toLowerCase() === session ? session.toUpperCase() : session.toLowerCase(),
    '\u00e9',
  ])
    assert.equal((await s.confirm(wrong)).status, 404, wrong)
  const stranger = await s.otherProject()
  assert.equal(
    (await stranger(completeAuth, { body: { session_uri: session, user_id: 'u-17' } })).status,
    404,
  )
  assert.equal((await s.readAccount(id)).status, 'INITIATED')
  await s.app.db.run(sql`update pending_connections set expires_at = now() - interval '1 second'`)
  assert.equal((await s.confirm(session)).status, 404)
})

test('complete_auth: of two concurrent confirmations exactly one succeeds', async (t) => {
  const s = await shop(t)
  const { session } = await s.connect()
  assert.deepEqual(
    (await Promise.all([s.confirm(session), s.confirm(session), s.confirm(session, 'mallory')]))
      .map(({ status }) => status === 404)
      .filter(Boolean).length,
    2,
  )
})

test('complete_auth: an ACTIVE account keeps its credentials until, and after a rejected, confirmation', async (t) => {
  const s = await shop(t)
  const { id, session } = await s.connect()
  await s.confirm(session)
  const usedToken = async () => {
    await s.callTool({ user_id: 'u-17' })
    return s.stub.requests.at(-1)?.headers['authorization']
  }
  const again = async (code: string) =>
    (
      await s.browserFlow(
        `${(await s.call(refreshConnectedAccount, { params: { nanoid: id } })).body.redirect_url}?continue=1`,
        code,
      )
    ).session
  assert.equal((await s.confirm(await again('code-2'), 'mallory')).status, 400)
  assert.deepEqual(
    [(await s.readAccount(id)).status, await usedToken()],
    ['ACTIVE', 'Bearer token-of-code-1'],
  )
  const right = await again('code-3')
  assert.equal(await usedToken(), 'Bearer token-of-code-1')
  assert.equal((await s.confirm(right)).status, 200)
  assert.equal(await usedToken(), 'Bearer token-of-code-3')
})

test('complete_auth: a project without a verifier URL connects without a confirmation', async (t) => {
  const s = await shop(t, null)
  const { id, back } = await s.connect()
  assert.match(back.location, /status=success/)
  assert.equal((await s.readAccount(id)).status, 'ACTIVE')
})
