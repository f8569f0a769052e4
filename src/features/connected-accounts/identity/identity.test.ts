import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Answer, Recorded } from '#fixtures/upstream.ts'
import {
  deleteConnectedAccount,
  linkConnectedAccount,
  listConnectedAccounts,
  listProviderRequests,
  refreshConnectedAccount,
  updateConnectedAccount,
} from '../../../contract/connected-accounts/index.ts'
import { isDifferentIdentity, identityLabel } from './identity.ts'
import {
  API_KEY,
  followShortLink,
  CLIENT,
  returnFromProvider,
  type Manifest,
  oauth,
  requestsTo,
  SIGN_IN,
  startConnectedAccountsApp,
  credentialsIn,
} from '#fixtures/connected-accounts.ts'

const WHO = { path: '/whoami', id: 'user.id', email: 'user.email', name: 'user.name', tenant: 'team' }
const PEOPLE: Record<string, Answer> = {
  ada: { json: { user: { id: 7, email: 'ada@shop.example', name: 'Ada' }, team: 'Acme' } },
  bob: { json: { user: { id: 8, email: 'bob@shop.example', name: 'Bob' }, team: 'Acme' } },
}
const ADA = {
  id: '7',
  email: 'ada@shop.example',
  name: 'Ada',
  tenant: 'Acme',
  label: 'Ada (ada@shop.example), Acme',
}
const BOB = {
  id: '8',
  email: 'bob@shop.example',
  name: 'Bob',
  tenant: 'Acme',
  label: 'Bob (bob@shop.example), Acme',
}

/** A shop that tells each of its users by the key or token that begins with the name. */
async function shop(
  t: TestContext,
  identity: Manifest = WHO,
  more: (request: Recorded) => Answer | undefined = () => undefined,
) {
  const answer = (request: Recorded): Answer => {
    const key = String(request.headers['x-key'] ?? request.headers['authorization'] ?? '').replace(
      /^\w+ /,
      '',
    )
    const { user, code } = Object.fromEntries(new URLSearchParams(request.body))
    return (
      more(request) ??
      (request.path === '/token'
        ? { json: { access_token: `${code}-token-123`, expires_in: 3600 } }
        : request.path === '/session'
          ? { json: { token: `${user}-session-1`, ttl: 3600 } }
          : (PEOPLE[key.split('-')[0] as string] ?? { status: 401, json: { message: 'nobody' } }))
    )
  }
  const s = await startConnectedAccountsApp(t, {
    auth: (url) =>
      [{ ...API_KEY, validate: undefined }, SIGN_IN, oauth(url)].map(
        (one) => JSON.parse(JSON.stringify(one)) as Manifest,
      ),
    toolkit: { identity },
    answer,
  })
  const keyed = async (key: string) =>
    s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', { generic_api_key: key })
  const browserFlow = async (redirectUrl: string | null, code: string) =>
    returnFromProvider(s, {
      code,
      state: (await followShortLink(s, redirectUrl as string)).searchParams.get('state') as string,
    })
  const patch = (id: string, key: string) =>
    s.call(updateConnectedAccount, {
      params: { nanoid: id },
      body: { connection: { state: { authScheme: 'API_KEY', val: { generic_api_key: key } } } },
    })
  return { ...s, keyed, browserFlow, patch }
}

test('identity: every scheme requests it; responses show it, and the database has it encrypted', async (t) => {
  const s = await shop(t)
  const key = await s.keyed('ada-key-123')
  const session = await s.addAccount(await s.addAuthConfig('BASIC'), 'BASIC', {
    username: 'ada',
    password: 'secret word',
  })
  const started = await s.connect(await s.addAuthConfig('OAUTH2', CLIENT), { user_id: 'u1' })
  assert.match(
    (await s.browserFlow(started.body.redirect_url, 'ada')).text,
    /Shop is connected[\s\S]*You are connected as Ada \(ada@shop\.example\), Acme\./,
  )
  for (const id of [key, session, started.body.id]) {
    const { identity, state, data, status_reason: reason } = await s.readAccount(id)
    const { checked_at: checkedAt, ...known } = identity ?? {}
    assert.deepEqual([known, reason], [{ ...ADA, previous: null }, null])
    assert.ok(Math.abs(Date.parse(checkedAt as string) - s.clock.now()) < 60_000)
    assert.deepEqual(
      [credentialsIn(state)['displayName'], credentialsIn({ val: data })['displayName']],
      [ADA.label, ADA.label],
    )
    assert.doesNotMatch(
      JSON.stringify(
        Object.values(await s.accountRow(id)).map((value) =>
          Buffer.isBuffer(value) ? value.toString('latin1') : value,
        ),
      ),
      /ada@shop|Ada/,
    )
  }
  const { body } = await s.call(listConnectedAccounts, { query: {} })
  assert.deepEqual(
    body.items.map(({ identity }) => identity?.email),
    Array(3).fill('ada@shop.example'),
  )
  await s.call(deleteConnectedAccount, { params: { nanoid: key } })
  assert.equal((await s.accountRow(key))['identity'], null)
})

test('identity: a session that the identity request needed is stored for later calls', async (t) => {
  const s = await shop(t)
  await s.addAccount(await s.addAuthConfig('BASIC'), 'BASIC', { username: 'ada', password: 'secret word' })
  await s.callTool()
  assert.deepEqual(
    [requestsTo(s, '/session').length, requestsTo(s, '/orders/7')[0]?.headers['authorization']],
    [1, 'Session ada-session-1'],
  )
})

test('identity: credentials of a different identity are stored, and reason and `previous` report it', async (t) => {
  const s = await shop(t)
  const id = await s.keyed('ada-key-123')
  assert.equal((await s.patch(id, 'ada-key-456')).status, 200)
  assert.deepEqual(
    [(await s.readAccount(id)).status_reason, (await s.readAccount(id)).identity?.previous],
    [null, null],
  )
  assert.equal((await s.patch(id, 'bob-key-123')).status, 200)
  const changed = await s.readAccount(id)
  assert.deepEqual(
    [changed.status, changed.status_reason, changed.identity?.label, changed.identity?.previous],
    ['ACTIVE', 'The last authentication was as a different identity than the one before.', BOB.label, ADA],
  )
  assert.doesNotMatch(String(changed.status_reason), /@/)

  const started = await s.connect(await s.addAuthConfig('OAUTH2', CLIENT), { user_id: 'u2' })
  await s.browserFlow(started.body.redirect_url, 'ada')
  const again = await s.call(refreshConnectedAccount, { params: { nanoid: started.body.id } })
  assert.match(
    (await s.browserFlow(again.body.redirect_url, 'bob')).text,
    /You are connected as Bob \(bob@shop\.example\), Acme\. Before, it was Ada \(ada@shop\.example\), Acme\./,
  )
  assert.deepEqual(
    [
      (await s.readAccount(started.body.id)).status,
      (await s.readAccount(started.body.id)).identity?.previous,
    ],
    ['ACTIVE', ADA],
  )
})

test('identity: a failed request does not fail the connection; the next compares with the last known', async (t) => {
  let answer: Answer | undefined
  const s = await shop(t, WHO, ({ path }) => (path === '/whoami' ? answer : undefined))
  const id = await s.keyed('ada-key-123')
  for (answer of [
    { status: 401, json: { message: 'no' } },
    { status: 503 },
    { json: { user: null } },
    { text: '<html>' },
    { json: [] },
  ] as Answer[]) {
    assert.equal((await s.patch(id, `ada-key-${Math.random()}`)).body.status, 'ACTIVE')
    assert.equal((await s.readAccount(id)).identity, null)
  }
  const { body } = await s.call(listProviderRequests, { params: { nanoid: id } })
  assert.deepEqual(
    [
      body.account.identity,
      new Set(body.items.map(({ kind }) => kind)),
      body.items.map(({ outcome }) => outcome),
    ],
    [null, new Set(['probe']), ['ok', 'ok', 'ok', 'trouble', 'refused', 'ok']],
  )
  assert.doesNotMatch(JSON.stringify(body), /ada-key|ada@shop/)
  answer = undefined
  await s.patch(id, 'bob-key-123')
  assert.deepEqual((await s.readAccount(id)).identity?.previous, ADA)
  assert.equal((await s.keyed('nobody-key')).startsWith('ca_'), true)
})

test('identity: validate_credentials requests the identity once, and a rejected key creates no account', async (t) => {
  const s = await shop(t)
  const config = await s.addAuthConfig('API_KEY')
  const { body } = await s.connect(
    config,
    { data: { generic_api_key: 'ada-key-123' } },
    { validate_credentials: true },
  )
  assert.deepEqual(
    [(await s.readAccount(body.id)).identity?.email, requestsTo(s, '/whoami').length],
    ['ada@shop.example', 1],
  )
  const refused = await s.connect(
    config,
    { data: { generic_api_key: 'nobody-key' } },
    { validate_credentials: true },
  )
  assert.deepEqual(
    [refused.status, refused.body.error.message],
    [400, 'Shop rejected the credentials: 401 Client Error: Unauthorized - nobody'],
  )
  const link = await s.call(linkConnectedAccount, { body: { auth_config_id: config, user_id: 'u1' } })
  const page = await s.visit(link.body.redirect_url)
  const done = await s.visit(link.body.redirect_url, {
    form: {
      form_token: /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? '',
      generic_api_key: 'bob-key-123',
    },
  })
  assert.match(done.text, /You are connected as Bob/)
  assert.deepEqual(
    [
      (await s.call(refreshConnectedAccount, { params: { nanoid: body.id } })).status,
      requestsTo(s, '/whoami').length,
    ],
    [200, 4],
  )
})

test('identity: the request can be a POST, and a part of the identity can come from the connection', async (t) => {
  const identity = {
    path: '/graphql',
    method: 'POST',
    headers: { 'x-for': '{username}' },
    body: { query: '{ viewer { id login } }', variables: { first: 1 } },
    id: 'data.viewer.id',
    name: 'data.viewer.login',
    tenant: '{username}',
  }
  const s = await startConnectedAccountsApp(t, {
    auth: [SIGN_IN],
    toolkit: { identity },
    answer: ({ path }) =>
      path === '/session'
        ? { json: { token: 's-1', ttl: 60 } }
        : { json: { data: { viewer: { id: 'u-1', login: '<b>\u0000ada\r\n' } } } },
  })
  const { identity: found } = await s.readAccount(
    await s.addAccount(await s.addAuthConfig('BASIC'), 'BASIC', { username: 'ada', password: 'secret word' }),
  )
  assert.deepEqual([found?.id, found?.name, found?.tenant, found?.email], ['u-1', '<b> ada', 'ada', null])
  const [request] = requestsTo(s, '/graphql')
  assert.deepEqual(
    [request?.method, request?.headers['x-for'], JSON.parse(request?.body ?? '')],
    ['POST', 'ada', { query: '{ viewer { id login } }', variables: { first: 1 } }],
  )
})

test('identity: two identities are compared by the fields that both have, and have a readable label', () => {
  const of = (more: object) => ({ id: null, email: null, name: null, tenant: null, ...more })
  for (const [a, b, differ] of [
    [{ id: '1', name: 'Ada' }, { id: '1', name: 'Ada L.' }, false],
    [{ id: '1' }, { id: '2' }, true],
    [{ id: '1', email: 'a@x' }, { email: 'a@x' }, false],
    [{ email: 'a@x' }, { email: 'b@x' }, true],
    [{ id: '1', tenant: 'A' }, { id: '1', tenant: 'B' }, true],
    [{ id: '1', tenant: 'A' }, { id: '1' }, false],
    [{ id: '1' }, { name: 'Ada' }, false],
  ] as const)
    assert.equal(isDifferentIdentity(of(a), of(b)), differ, JSON.stringify([a, b]))
  assert.deepEqual(
    [
      { id: '1' },
      { id: '1', email: 'a@x' },
      { name: 'Ada', tenant: 'Acme' },
      { name: 'a@x', email: 'a@x' },
      { tenant: 'Acme' },
    ].map((one) => identityLabel(of(one))),
    ['1', 'a@x', 'Ada, Acme', 'a@x', 'Acme'],
  )
})
