import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  deleteConnectedAccount,
  listProviderRequests,
  refreshConnectedAccount,
  revokeConnectedAccount,
} from '../../../contract/connected-accounts/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import {
  insertProviderRequests,
  type ProviderRequestDraft,
  ROWS_PER_ACCOUNT_MAX,
  removeOldProviderRequests,
} from './request-store.ts'
import { startJobs } from '../../../platform/jobs/index.ts'
import { createLog } from '../../../platform/log.ts'
import { until } from '#fixtures/until.ts'
import {
  API_KEY,
  followShortLink,
  CLIENT,
  returnFromProvider,
  oauth,
  startConnectedAccountsApp,
  type ConnectedAccountsApp,
} from '#fixtures/connected-accounts.ts'
import { startRefreshableAccount } from '#fixtures/token-refresh.ts'

const exchanges = async (s: Pick<ConnectedAccountsApp, 'call'>, id: string) =>
  (await s.call(listProviderRequests, { params: { nanoid: id } })).body
const tokens = {
  access_token: 'secret-access-token-1',
  refresh_token: 'secret-refresh-token-1',
  expires_in: 3600,
  scope: 'read',
}

async function walked(
  s: ConnectedAccountsApp,
  callback: Record<string, string> = { code: 'secret-code-12345' },
) {
  const { body } = await s.connect(await s.addAuthConfig('OAUTH2', CLIENT), { user_id: 'u1' })
  const state = (await followShortLink(s, body.redirect_url as string)).searchParams.get('state') as string
  await returnFromProvider(s, { state, ...callback })
  return body.id
}

test('provider log: it has the names of all fields, and values only of harmless ones', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [oauth(url)],
    answer: () => ({ json: tokens }),
  })
  const { items, account } = await exchanges(s, await walked(s))
  assert.deepEqual([account.status, items.length], ['ACTIVE', 1])
  const [{ at: _at, duration_ms: _ms, ...one }] = items as [(typeof items)[number]]
  assert.deepEqual(one, {
    kind: 'code',
    outcome: 'ok',
    code: null,
    request: {
      method: 'POST',
      address: `${s.stub.url}/token`,
      query: {},
      headers: ['accept', 'content-type'],
      authorization: null,
      content_type: 'application/x-www-form-urlencoded',
      body: {
        grant_type: 'authorization_code',
        code: '[redacted]',
        redirect_uri: 'http://localhost:3900/api/v3/toolkits/auth/callback',
        code_verifier: '[redacted]',
        client_id: '[redacted]',
        client_secret: '[redacted]',
      },
    },
    answer: {
      status: 200,
      content_type: 'application/json',
      format: 'json',
      body: { access_token: '[redacted]', refresh_token: '[redacted]', expires_in: 3600, scope: 'read' },
    },
  })
})

test('provider log: a secret that the provider repeats in its error is redacted', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [
      oauth(url, { client_auth: 'basic', token: { params: { extra: 'secret-extra-parameter' } } }),
    ],
    answer: ({ headers, body }) => ({
      status: 400,
      json: {
        error: 'invalid_request',
        error_description:
          `got ${headers['authorization']} and ${body} and ${CLIENT.client_secret} and ` +
          'eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.c2lnbmF0dXJl',
        nested: { secret_thing: 'secret-nested-thing' },
        id_token: 'secret-id-token-123',
        list: ['secret-in-list'],
      },
    }),
  })
  const id = await walked(s)
  const { items } = await exchanges(s, id)
  const [stored] = await s.app.db.rows<{ text: string }>(
    sql`select e::text as text from provider_requests e where connected_account_id = ${id}`,
  )
  assert.deepEqual(
    items.map(({ outcome, code }) => [outcome, code]),
    [['trouble', 'invalid_request']],
  )
  for (const text of [JSON.stringify(items), stored?.text ?? '']) {
    for (const secret of [
      CLIENT.client_secret,
      'secret-code',
      'secret-extra',
      'secret-nested',
      'secret-id',
      'secret-in-list',
      'eyJ',
      Buffer.from(`${CLIENT.client_id}:${CLIENT.client_secret}`).toString('base64'),
    ]) {
      assert.ok(!text.includes(secret), `${secret} in ${text}`)
    }
  }
})

test('provider log: a secret at the point where a text is truncated is redacted completely', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [oauth(url)],
    answer: () => ({
      status: 400,
      json: {
        error: 'invalid_request',
        error_description: `${'x'.repeat(290)}${CLIENT.client_secret} ${'y'.repeat(5_000)}`,
      },
    }),
  })
  const { items } = await exchanges(s, await walked(s))
  const { error_description: text } = (items[0]?.answer as { body: Record<string, string> }).body as {
    error_description: string
  }
  assert.equal(text, 'x'.repeat(290) + '[redacted]')
})

test('provider log: a rejection in the callback is an entry without a request', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [oauth(url)] })
  const { items, account } = await exchanges(
    s,
    await walked(s, { error: 'access_denied', error_description: 'The user said no.' }),
  )
  assert.equal(account.status, 'FAILED')
  assert.deepEqual(
    items.map(({ kind, outcome, code, request, answer }) => ({ kind, outcome, code, request, answer })),
    [
      {
        kind: 'code',
        outcome: 'refused',
        code: 'access_denied',
        request: null,
        answer: { failure: { kind: 'not_sent', message: 'access_denied: The user said no.' } },
      },
    ],
  )
})

test('provider log: a token refresh is logged with its outcome, the newest first', async (t) => {
  const s = await startRefreshableAccount(t)
  const { id, clock, provider } = s
  clock.advance(3_600_000)
  await s.callTool()
  clock.advance(3_600_000)
  provider.token = () => ({
    status: 400,
    json: { error: 'invalid_grant', error_description: 'Token was revoked.' },
  })
  await s.callTool()
  const { items, account } = await exchanges(s, id)
  assert.equal(account.status, 'EXPIRED')
  assert.deepEqual(
    items.map(({ kind, outcome, code }) => [kind, outcome, code]),
    [
      ['refresh', 'refused', 'invalid_grant'],
      ['refresh', 'ok', null],
    ],
  )
  assert.deepEqual((items[0]?.answer as { body: unknown }).body, {
    error: 'invalid_grant',
    error_description: 'Token was revoked.',
  })
})

test('provider log: a request without a response has the kind of the failure', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: () => [oauth('http://10.1.2.3')] })
  const { items } = await exchanges(s, await walked(s))
  assert.deepEqual(
    items.map(({ code, answer }) => [code, (answer as { failure: { kind: string } }).failure.kind]),
    [['refused_address', 'refused_address']],
  )
})

test('provider log: a revocation has one entry a token, without the token, also if it is rejected', async (t) => {
  let good = true
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [oauth(url, { revoke: { url: `${url}/revoke` } })],
    answer: ({ body }) =>
      good
        ? {}
        : { status: 400, json: { error: 'unsupported_token_type', error_description: `no: ${body}` } },
  })
  const config = await s.addAuthConfig('OAUTH2', CLIENT)
  const [one, two] = (await Promise.all(
    ['u1', 'u2'].map((user) =>
      s.addAccount(config, 'OAUTH2', { status: 'ACTIVE', ...tokens }, { user_id: user }),
    ),
  )) as [string, string]
  await s.call(revokeConnectedAccount, { params: { nanoid: one } })
  const { items, account } = await exchanges(s, one)
  assert.equal(account.status, 'REVOKED')
  assert.deepEqual(
    items.map(({ kind, outcome }) => [kind, outcome]),
    [
      ['revoke', 'ok'],
      ['revoke', 'ok'],
    ],
  )
  assert.deepEqual(
    (items as any[]).map(({ request }) => request.body.token_type_hint),
    ['access_token', 'refresh_token'],
  )
  good = false
  assert.equal((await s.call(revokeConnectedAccount, { params: { nanoid: two } })).status, 400)
  const rejected = await exchanges(s, two)
  assert.deepEqual(rejected.items.map(({ outcome, code }) => [outcome, code])[0], [
    'refused',
    'unsupported_token_type',
  ])
  assert.equal(rejected.findings[0]?.field, 'revoke')
  for (const presented of [items, rejected])
    assert.doesNotMatch(JSON.stringify(presented), /secret-|client-secret/)
})

test('provider log: the revocation of a deleted account is logged until the log is cleaned up', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [oauth(url, { revoke: { url: `${url}/revoke` } })],
    answer: () => ({}),
  })
  const id = await s.addAccount(await s.addAuthConfig('OAUTH2', CLIENT), 'OAUTH2', {
    status: 'ACTIVE',
    ...tokens,
  })
  await s.call(deleteConnectedAccount, { params: { nanoid: id }, query: { revoke_on_delete: true } })
  const jobs = startJobs(s.databaseUrl, { schedules: [], tasks: s.app.tasks }, createLog('silent'))
  t.after(() => jobs.close())
  const rows = () =>
    s.app.db.rows<{ kind: string; text: string }>(
      sql`select kind, e::text as text from provider_requests e where connected_account_id = ${id}`,
    )
  await until('the job wrote down what was said', async () => (await rows()).length === 2)
  for (const { kind, text } of await rows()) assert.ok(kind === 'revoke' && !/secret-/.test(text), text)
})

test('provider log: a validation of credentials logs the response without personal data', async (t) => {
  let reply: NonNullable<Parameters<typeof startConnectedAccountsApp>[1]['answer']> = () => ({
    json: { name: 'Ann Private', title: 'Private title' },
  })
  const s = await startConnectedAccountsApp(t, {
    auth: [{ ...API_KEY, apply: {}, validate: { path: '/bot{generic_api_key}/me' } }],
    answer: (request) => reply(request),
  })
  const config = await s.addAuthConfig('API_KEY')
  const {
    body: { id },
  } = await s.connect(
    config,
    { user_id: 'u1', state: { authScheme: 'API_KEY', val: { generic_api_key: 'secret-api-key' } } },
    { validate_credentials: true },
  )
  const again = () =>
    s.call(refreshConnectedAccount, { params: { nanoid: id }, body: { validate_credentials: true } })
  assert.equal((await again()).status, 200)
  reply = ({ path }) => ({ status: 401, json: { message: `The key of ${path} has ended.` } })
  assert.equal((await again()).status, 400)
  reply = () => ({ status: 503 })
  await again()
  const { items, findings } = await exchanges(s, id)
  assert.deepEqual(
    items.map(({ kind, outcome, code }) => [kind, outcome, code]),
    [
      ['probe', 'trouble', 'status_503'],
      ['probe', 'refused', 'status_401'],
      ['probe', 'ok', null],
      ['probe', 'ok', null],
    ],
  )
  assert.deepEqual(
    (items as any[]).map(({ answer }) => [answer.status, answer.body?.message]),
    [
      [503, undefined],
      [401, 'The key of /bot[secret]/me has ended.'],
      [200, undefined],
      [200, undefined],
    ],
  )
  assert.equal((items[0]?.request as { address: string }).address, `${s.stub.url}/bot[secret]/me`)
  assert.equal(findings[0]?.cause, 'The provider has an internal error.')
  const [stored] = await s.app.db.rows<{ text: string }>(
    sql`select string_agg(e::text, ' ') as text from provider_requests e`,
  )
  assert.doesNotMatch(`${JSON.stringify(items)} ${stored?.text}`, /secret-api-key|Private/)
})

const draft = (
  s: ConnectedAccountsApp,
  id: string,
  more: Partial<ProviderRequestDraft> = {},
): ProviderRequestDraft => ({
  project_id: s.keys.projectId,
  connected_account_id: id,
  kind: 'probe',
  at: new Date(),
  duration_ms: 1,
  request: null,
  response: {},
  outcome: 'ok',
  code: null,
  ...more,
})

test('provider log: it keeps the last twenty entries of an account, for at most thirty days', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [{ scheme: 'BEARER_TOKEN' }] })
  const { db } = s.app
  const config = await s.addAuthConfig('BEARER_TOKEN')
  const [one, two, three] = (await Promise.all(
    ['1', '2', '3'].map((token) => s.addAccount(config, 'BEARER_TOKEN', { token })),
  )) as [string, string, string]
  await insertProviderRequests(
    db,
    Array.from({ length: ROWS_PER_ACCOUNT_MAX + 5 }, (_, n) => draft(s, one, { code: String(n) })),
  )
  await insertProviderRequests(db, [
    draft(s, one, { code: 'last' }),
    draft(s, two, { at: new Date(Date.now() - 31 * 86_400_000) }),
    draft(s, two, { code: 'young' }),
  ])
  const { items } = await exchanges(s, one)
  assert.deepEqual([items.length, items[0]?.code, items.at(-1)?.code], [ROWS_PER_ACCOUNT_MAX, 'last', '6'])
  await insertProviderRequests(db, [draft(s, three, { at: new Date(Date.now() - 2 * 3_600_000) })])
  await db.run(sql`update connected_accounts set deleted_at = now() where id = ${three}`)
  assert.equal(await removeOldProviderRequests(db), 2)
  assert.deepEqual(
    (await exchanges(s, two)).items.map(({ code }) => code),
    ['young'],
  )
  assert.equal((await s.call(listProviderRequests, { params: { nanoid: three } })).status, 404)
})

test('provider log: another project cannot read it', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [{ scheme: 'BEARER_TOKEN' }] })
  const id = await s.addAccount(await s.addAuthConfig('BEARER_TOKEN'), 'BEARER_TOKEN', { token: 'x' })
  const other = await s.otherProject()
  assert.equal((await other(listProviderRequests, { params: { nanoid: id } })).status, 404)
})

test('provider log: entries that cannot be written do not affect the connection', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [oauth(url)],
    answer: () => ({ json: tokens }),
  })
  await s.app.db.run(sql`drop table provider_requests`)
  assert.equal((await s.readAccount(await walked(s))).status, 'ACTIVE')
})
