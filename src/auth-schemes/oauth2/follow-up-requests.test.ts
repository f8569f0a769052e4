import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, Recorded } from '#fixtures/upstream.ts'
import type { ProviderRequestLogEntry, Credentials } from '../index.ts'
import { type Change, formOf, NOW, OK, provider, PROVIDER_URL } from '#fixtures/oauth2-provider.ts'

type Responses = Record<string, Answer>
const HOUR = NOW + 3_600_000

/** A provider with its own response for each path; the token endpoint responds as usual. */
async function providerWithResponses(t: Parameters<typeof provider>[0]) {
  const p = await provider(t)
  const logEntries: ProviderRequestLogEntry[] = []
  const saved: Credentials[] = []
  const url = p.stub.url
  const respondWith =
    (answers: Responses) =>
    ({ path }: Recorded): Answer =>
      answers[path] ?? OK
  const refresh = (change: Change, answers: Responses = {}) => {
    logEntries.length = saved.length = 0
    return p.refreshWithLog({ ...change, reply: respondWith(answers) }, logEntries, saved)
  }
  return {
    ...p,
    url,
    logEntries,
    saved,
    refresh,
    exchange: (change: Change, answers: Responses = {}) =>
      p.exchange({ ...change, reply: respondWith(answers) }),
  }
}

const step = (more: object) => ({ token: { steps: [{ url: `${PROVIDER_URL}/step`, ...more }] } })

const STEP_CASES: [string, Change, (r: Recorded) => unknown, unknown][] = [
  [
    'params',
    step({ params: { short: '{access_token}', id: '{client_id}' } }),
    (r: Recorded) => [r.method, Object.fromEntries(formOf(r))],
    ['POST', { short: 'a-1', id: 'id 1' }],
  ],
  [
    'nothing',
    step({}),
    (r: Recorded) => [r.body, r.headers['content-type'], r.headers['authorization']],
    ['', undefined, undefined],
  ],
  [
    'method',
    step({ method: 'GET', params: { a: 'b' } }),
    (r: Recorded) => [r.method, r.url, r.body],
    ['GET', '/step?a=b', ''],
  ],
  [
    'body json',
    step({ body: 'json', params: { a: 'b' } }),
    (r: Recorded) => [JSON.parse(r.body), r.headers['content-type']],
    [{ a: 'b' }, 'application/json'],
  ],
  [
    'body query',
    step({ body: 'query', params: { a: 'b' } }),
    (r: Recorded) => [r.url, r.body],
    ['/step?a=b', ''],
  ],
  [
    'headers',
    step({ headers: { authorization: 'Bearer {access_token}' } }),
    (r: Recorded) => r.headers['authorization'],
    'Bearer a-1',
  ],
  [
    'a capture of the token reply',
    { token: { capture: { shard: 'scope' }, steps: [{ url: `${PROVIDER_URL}/{shard}/step` }] } },
    (r: Recorded) => r.path,
    '/s/step',
  ],
  [
    'a capture of the step before',
    {
      token: {
        steps: [
          { url: `${PROVIDER_URL}/one`, capture: { sid: 'token_type' } },
          { url: `${PROVIDER_URL}/two`, params: { sid: '{sid}' } },
        ],
      },
    },
    (r: Recorded) => [r.path, formOf(r).get('sid')],
    ['/two', 'Bearer'],
  ],
]

test('step: each manifest field changes its request, and templates can use earlier values', async (t) => {
  const p = await providerWithResponses(t)
  for (const [what, change, look, expected] of STEP_CASES) {
    const { request } = await p.exchange(change)
    assert.deepEqual([what, look(request)], [what, expected])
  }
})

test('step: its response supplies the token that is used, and the expiry', async (t) => {
  const p = await providerWithResponses(t)
  const long: Answer = { json: { access_token: 'long', expires_in: 5_000_000 } }
  const session: Answer = { json: { data: { sid: 's-1', ttl: 60_000 } } }
  const read = async (step: object, answer: Answer, reply?: Answer) => {
    const { credentials, expiresAt } = await p.exchange(
      { token: { steps: [{ url: `${p.url}/step`, ...step }] } },
      { '/step': answer, ...(reply ? { '/token': reply } : {}) },
    )
    return [
      credentials['access_token'],
      credentials['refresh_token'],
      credentials['sid'] ?? null,
      expiresAt,
      credentials['lifetime_seconds'],
    ]
  }
  assert.deepEqual(await read({}, long), ['long', 'r-1', null, NOW + 5_000_000_000, 5_000_000])
  assert.deepEqual(await read({}, { json: { access_token: 'for ever' } }), [
    'for ever',
    'r-1',
    null,
    null,
    null,
  ])
  assert.deepEqual(await read({ lifetime_seconds: 100 }, { json: { access_token: 'long' } }), [
    'long',
    'r-1',
    null,
    NOW + 100_000,
    100,
  ])
  assert.deepEqual(await read({ map: { access_token: 'data.sid' } }, session), [
    's-1',
    'r-1',
    null,
    null,
    null,
  ])
  assert.deepEqual(await read({ capture: { sid: 'data.sid' } }, session), ['a-1', 'r-1', 's-1', HOUR, 3600])
  assert.deepEqual(
    await read(
      { capture: { sid: 'data.sid' }, map: { expires_in: 'data.ttl' }, expiry_unit: 'milliseconds' },
      session,
    ),
    ['a-1', 'r-1', 's-1', NOW + 60_000, 60],
  )
  assert.deepEqual(
    await read({ capture: { sid: 'data.sid' } }, { json: { data: { sid: 's' }, access_token: 'not this' } }),
    ['a-1', 'r-1', 's', HOUR, 3600],
  )
})

test('step: its failure is a failure of the whole token request', async (t) => {
  const p = await providerWithResponses(t)
  for (const [what, step, answer, name, message] of [
    ['500', {}, { status: 500 }, 'ProviderUnavailable', /step 1 returned status 500/],
    ['not what success_statuses says', { success_statuses: [201] }, OK, 'ProviderUnavailable', /status 200/],
    [
      'not what success_when says',
      { success_when: { body: { path: 'ok', equals: true } } },
      OK,
      'ProviderUnavailable',
      /status 200/,
    ],
    ['200 with an error', {}, { json: { error: 'nope', access_token: 'x' } }, 'ProviderUnavailable', /nope/],
    [
      'an invalid grant',
      {},
      { status: 400, json: { error: 'invalid_grant' } },
      'GrantRejected',
      /invalid_grant/,
    ],
    ['no token', {}, { json: {} }, 'ProviderUnavailable', /step 1 contains no access_token/],
    [
      'a token that is no text',
      {},
      { json: { access_token: { a: 1 } } },
      'ProviderUnavailable',
      /is not a text/,
    ],
    ['no session', { capture: { sid: 'sid' } }, OK, 'ProviderUnavailable', /contains no sid/],
    [
      'HTML',
      {},
      { text: '<html>', headers: { 'content-type': 'text/html' } },
      'ProviderUnavailable',
      /contains no access_token/,
    ],
    ['2 MB', {}, { text: 'x'.repeat(2_000_000) }, 'ProviderUnavailable', /./],
    ['a redirect', {}, { status: 302, headers: { location: '/token' } }, 'ProviderUnavailable', /status 302/],
    [
      'a private address',
      { url: 'http://169.254.169.254/latest' },
      OK,
      'ProviderUnavailable',
      /169\.254|address/,
    ],
    ['a line break in a header', { headers: { a: '{client_secret}\n' } }, OK, 'ProviderUnavailable', /./],
  ] as [string, object, Answer, string, RegExp][]) {
    await assert.rejects(
      p.exchange({ token: { steps: [{ url: `${p.url}/step`, ...step }] } }, { '/step': answer }),
      (error: Error) => {
        assert.deepEqual([what, error.name], [what, name])
        assert.match(error.message, message)
        return true
      },
    )
  }
})

test('step: a token refresh uses the steps of `refresh`, a new client token request those of `token`', async (t) => {
  const p = await providerWithResponses(t)
  const paths = async (refresh: Record<string, unknown>) => {
    const before = p.stub.requests.length
    await p.refresh({ token: { steps: [{ url: `${p.url}/first` }] }, refresh })
    return p.stub.requests.slice(before).map(({ path }) => path)
  }
  assert.deepEqual(await paths({}), ['/token'])
  assert.deepEqual(await paths({ steps: [{ url: `${p.url}/again` }] }), ['/token', '/again'])
  assert.deepEqual(await paths({ with: 'client' }), ['/token', '/first'])
  assert.deepEqual(await paths({ with: 'client', steps: [{ url: `${p.url}/again` }] }), ['/token', '/again'])
})

test('refresh token: a new one is saved before each following request, an unchanged one is not', async (t) => {
  const p = await providerWithResponses(t)
  const steps = [{ url: `${p.url}/one` }, { url: `${p.url}/two` }]
  const savedBy = async (one: Answer, token: Answer = OK) => {
    await p
      .refresh({ refresh: { steps } }, { '/token': token, '/one': one, '/two': { status: 500 } })
      .catch(() => {})
    return p.saved
  }
  assert.deepEqual(await savedBy({ json: { access_token: 'x' } }), [{ refresh_token: 'r-1' }])
  assert.deepEqual(await savedBy({ json: { access_token: 'x', refresh_token: 'r-2' } }), [
    { refresh_token: 'r-1' },
    { refresh_token: 'r-2' },
  ])
  assert.deepEqual(await savedBy({ json: { access_token: 'x' } }, { json: { access_token: 'a' } }), [])
  assert.deepEqual(
    await savedBy({ json: { access_token: 'x' } }, { json: { access_token: 'a', refresh_token: 'r-0' } }),
    [],
  )
})

test('introspection: supplies the expiry if the token response has none', async (t) => {
  const p = await providerWithResponses(t)
  const change = (more: object = {}, rest: Change = {}): Change => ({
    ...rest,
    token: { introspect: { url: `${p.url}/introspect`, ...more }, ...rest.token },
  })
  const silent: Answer = { json: { access_token: 'a-1', refresh_token: 'r-1' } }
  const active: Answer = { json: { active: true, exp: NOW / 1_000 + 90 } }
  const { expiresAt, credentials, request } = await p.exchange(change(), {
    '/token': silent,
    '/introspect': active,
  })
  assert.deepEqual(
    [expiresAt, credentials['lifetime_seconds'], request.path, Object.fromEntries(formOf(request))],
    [
      NOW + 90_000,
      90,
      '/introspect',
      { token: 'a-1', token_type_hint: 'access_token', client_id: 'id 1', client_secret: 'secret+1' },
    ],
  )
  assert.equal(p.refreshMarginMs({ credentials }), 45_000)
  assert.equal(
    (await p.refresh(change(), { '/token': silent, '/introspect': active })).expiresAt,
    NOW + 90_000,
  )
  assert.equal(
    (await p.exchange(change({ client_auth: 'basic' }), { '/token': silent, '/introspect': active })).request
      .headers['authorization'],
    `Basic ${Buffer.from('id+1:secret%2B1').toString('base64')}`,
  )
  assert.equal(
    (await p.exchange(change())).request.path,
    '/token',
    'a response with an expiry needs no introspection',
  )
})

test('introspection: after a failure the lifetime of the manifest applies, and the failure is logged', async (t) => {
  const p = await providerWithResponses(t)
  const silent: Answer = { json: { access_token: 'a-1', refresh_token: 'r-1' } }
  for (const [what, answer] of Object.entries({
    down: { status: 503 },
    'not found': { status: 404 },
    'no JSON': { text: '<html>' },
    'a list': { json: [] },
    'active as a text': { json: { active: 'true' } },
    'an expiry in the past': { json: { active: true, exp: 5 } },
    'an invalid expiry': { json: { active: true, exp: 'soon' } },
    'an expiry that is an object': { json: { active: true, exp: {} } },
    'a redirect': { status: 302, headers: { location: '/token' } },
    big: { text: 'x'.repeat(2_000_000) },
  } satisfies Responses)) {
    const grant = await p.refresh(
      { token: { introspect: { url: `${p.url}/introspect` }, lifetime_seconds: 100 } },
      { '/token': silent, '/introspect': answer },
    )
    assert.deepEqual(
      [what, grant.expiresAt, grant.credentials['access_token'], grant.credentials['refresh_token']],
      [what, NOW + 100_000, 'a-1', 'r-1'],
    )
    assert.deepEqual(
      p.logEntries.map(({ followUp, error: failed }) => [followUp ?? false, failed?.name ?? null]),
      [
        [false, null],
        [true, 'ProviderUnavailable'],
      ],
    )
  }
  const unknown = await p.refresh(
    { token: { introspect: { url: `${p.url}/introspect` } } },
    { '/token': silent, '/introspect': { status: 503 } },
  )
  assert.deepEqual([unknown.expiresAt, unknown.credentials['lifetime_seconds']], [null, null])
  assert.equal(
    (
      await p.refresh(
        { token: { introspect: { url: `${p.url}/introspect` } } },
        { '/token': silent, '/introspect': { json: { active: true } } },
      )
    ).expiresAt,
    null,
  )
  await assert.rejects(
    p.refresh(
      { token: { introspect: { url: `${p.url}/introspect` } } },
      { '/token': silent, '/introspect': { json: { active: false } } },
    ),
    { name: 'ProviderUnavailable', message: /not active/ },
  )
  assert.deepEqual(p.saved, [{ refresh_token: 'r-1' }])
})

test('derived tokens: requested with the refresh token and only their own parameters', async (t) => {
  const p = await providerWithResponses(t)
  const more = {
    derived_tokens: [
      { name: 'mail_token', params: { scope: 'mail', keep: 'no' }, omit: ['resource', 'client_secret'] },
    ],
    resource: 'https://main.example',
  }
  const { credentials, request, expiresAt } = await p.exchange(
    { more, refresh: { params: { keep: 'yes' } } },
    {},
  )
  assert.deepEqual(Object.fromEntries(formOf(request)), {
    grant_type: 'refresh_token',
    refresh_token: 'r-1',
    client_id: 'id 1',
    keep: 'no',
    scope: 'mail',
  })
  assert.deepEqual([credentials['mail_token'], credentials['refresh_token'], expiresAt], ['a-1', 'r-1', HOUR])
  const alone = await p.exchange({ more }, { '/token': { json: { access_token: 'only' } } })
  assert.deepEqual([alone.credentials['access_token'], alone.credentials['mail_token']], ['only', null])
})
