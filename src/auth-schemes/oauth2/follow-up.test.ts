import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, Recorded } from '#fixtures/upstream.ts'
import type { ExchangeNote, Values } from '../index.ts'
import { type Change, formOf, NOW, OK, provider } from '#fixtures/oauth2-provider.ts'

type Answers = Record<string, Answer>
const HOUR = NOW + 3_600_000

/** A provider that answers each path by itself; the token endpoint as usual. */
async function following(t: Parameters<typeof provider>[0]) {
  const p = await provider(t)
  const notes: ExchangeNote[] = []
  const kept: Values[] = []
  const url = p.stub.url
  const answering =
    (answers: Answers) =>
    ({ path }: Recorded): Answer =>
      answers[path] ?? OK
  const renew = (change: Change, answers: Answers = {}) => {
    notes.length = kept.length = 0
    return p.renewNoting({ ...change, reply: answering(answers) }, notes, kept)
  }
  return {
    ...p,
    url,
    notes,
    kept,
    renew,
    exchange: (change: Change, answers: Answers = {}) => p.exchange({ ...change, reply: answering(answers) }),
  }
}

test('each field of a step changes its request, and templates see what came before', async (t) => {
  const p = await following(t)
  const step = (more: object) => ({ token: { steps: [{ url: `${p.url}/step`, ...more }] } })
  for (const [what, change, look, expected] of [
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
      { token: { capture: { shard: 'scope' }, steps: [{ url: `${p.url}/{shard}/step` }] } },
      (r: Recorded) => r.path,
      '/s/step',
    ],
    [
      'a capture of the step before',
      {
        token: {
          steps: [
            { url: `${p.url}/one`, capture: { sid: 'token_type' } },
            { url: `${p.url}/two`, params: { sid: '{sid}' } },
          ],
        },
      },
      (r: Recorded) => [r.path, formOf(r).get('sid')],
      ['/two', 'Bearer'],
    ],
  ] as [string, Change, (r: Recorded) => unknown, unknown][]) {
    const { request } = await p.exchange(change)
    assert.deepEqual([what, look(request)], [what, expected])
  }
})

test('the reply of a step gives what is used, and when it ends', async (t) => {
  const p = await following(t)
  const long: Answer = { json: { access_token: 'long', expires_in: 5_000_000 } }
  const session: Answer = { json: { data: { sid: 's-1', ttl: 60_000 } } }
  const read = async (step: object, answer: Answer, reply?: Answer) => {
    const { val, expiresAt } = await p.exchange(
      { token: { steps: [{ url: `${p.url}/step`, ...step }] } },
      { '/step': answer, ...(reply ? { '/token': reply } : {}) },
    )
    return [val['access_token'], val['refresh_token'], val['sid'] ?? null, expiresAt, val['lifetime_seconds']]
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

test('a step that fails is a failure of the exchange, whatever it answers', async (t) => {
  const p = await following(t)
  for (const [what, step, answer, name, message] of [
    ['500', {}, { status: 500 }, 'ProviderTrouble', /step 1 answered with status 500/],
    ['not what success_statuses says', { success_statuses: [201] }, OK, 'ProviderTrouble', /status 200/],
    [
      'not what success_when says',
      { success_when: { body: { path: 'ok', equals: true } } },
      OK,
      'ProviderTrouble',
      /status 200/,
    ],
    ['200 with an error', {}, { json: { error: 'nope', access_token: 'x' } }, 'ProviderTrouble', /nope/],
    ['a dead grant', {}, { status: 400, json: { error: 'invalid_grant' } }, 'GrantRefused', /invalid_grant/],
    ['no token', {}, { json: {} }, 'ProviderTrouble', /step 1 holds no access_token/],
    ['a token that is no text', {}, { json: { access_token: { a: 1 } } }, 'ProviderTrouble', /no text/],
    ['no session', { capture: { sid: 'sid' } }, OK, 'ProviderTrouble', /holds no sid/],
    [
      'HTML',
      {},
      { text: '<html>', headers: { 'content-type': 'text/html' } },
      'ProviderTrouble',
      /holds no access_token/,
    ],
    ['2 MB', {}, { text: 'x'.repeat(2_000_000) }, 'ProviderTrouble', /./],
    ['a redirect', {}, { status: 302, headers: { location: '/token' } }, 'ProviderTrouble', /status 302/],
    [
      'a private address',
      { url: 'http://169.254.169.254/latest' },
      OK,
      'ProviderTrouble',
      /169\.254|address/,
    ],
    ['a line break in a header', { headers: { a: '{client_secret}\n' } }, OK, 'ProviderTrouble', /./],
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

test('a renewal takes the steps of refresh, a client that asks anew those of token', async (t) => {
  const p = await following(t)
  const paths = async (refresh: Record<string, unknown>) => {
    const before = p.stub.requests.length
    await p.renew({ token: { steps: [{ url: `${p.url}/first` }] }, refresh })
    return p.stub.requests.slice(before).map(({ path }) => path)
  }
  assert.deepEqual(await paths({}), ['/token'])
  assert.deepEqual(await paths({ steps: [{ url: `${p.url}/again` }] }), ['/token', '/again'])
  assert.deepEqual(await paths({ with: 'client' }), ['/token', '/first'])
  assert.deepEqual(await paths({ with: 'client', steps: [{ url: `${p.url}/again` }] }), ['/token', '/again'])
})

test('a refresh token is handed over before each request that follows it, and only when it is new', async (t) => {
  const p = await following(t)
  const steps = [{ url: `${p.url}/one` }, { url: `${p.url}/two` }]
  const keptBy = async (one: Answer, token: Answer = OK) => {
    await p
      .renew({ refresh: { steps } }, { '/token': token, '/one': one, '/two': { status: 500 } })
      .catch(() => {})
    return p.kept
  }
  assert.deepEqual(await keptBy({ json: { access_token: 'x' } }), [{ refresh_token: 'r-1' }])
  assert.deepEqual(await keptBy({ json: { access_token: 'x', refresh_token: 'r-2' } }), [
    { refresh_token: 'r-1' },
    { refresh_token: 'r-2' },
  ])
  assert.deepEqual(await keptBy({ json: { access_token: 'x' } }, { json: { access_token: 'a' } }), [])
  assert.deepEqual(
    await keptBy({ json: { access_token: 'x' } }, { json: { access_token: 'a', refresh_token: 'r-0' } }),
    [],
  )
})

test('introspection tells the end of a token whose reply does not', async (t) => {
  const p = await following(t)
  const change = (more: object = {}, rest: Change = {}): Change => ({
    ...rest,
    token: { introspect: { url: `${p.url}/introspect`, ...more }, ...rest.token },
  })
  const silent: Answer = { json: { access_token: 'a-1', refresh_token: 'r-1' } }
  const told: Answer = { json: { active: true, exp: NOW / 1_000 + 90 } }
  const { expiresAt, val, request } = await p.exchange(change(), { '/token': silent, '/introspect': told })
  assert.deepEqual(
    [expiresAt, val['lifetime_seconds'], request.path, Object.fromEntries(formOf(request))],
    [
      NOW + 90_000,
      90,
      '/introspect',
      { token: 'a-1', token_type_hint: 'access_token', client_id: 'id 1', client_secret: 'secret+1' },
    ],
  )
  assert.equal(p.margin({ val }), 45_000)
  assert.equal((await p.renew(change(), { '/token': silent, '/introspect': told })).expiresAt, NOW + 90_000)
  assert.equal(
    (await p.exchange(change({ client_auth: 'basic' }), { '/token': silent, '/introspect': told })).request
      .headers['authorization'],
    `Basic ${Buffer.from('id+1:secret%2B1').toString('base64')}`,
  )
  assert.equal(
    (await p.exchange(change())).request.path,
    '/token',
    'a reply that tells the end needs no second question',
  )
})

test('an introspection that says nothing costs nothing: the lifetime of the manifest holds, and the trouble is noted', async (t) => {
  const p = await following(t)
  const silent: Answer = { json: { access_token: 'a-1', refresh_token: 'r-1' } }
  for (const [what, answer] of Object.entries({
    down: { status: 503 },
    'not found': { status: 404 },
    'no JSON': { text: '<html>' },
    'a list': { json: [] },
    'active as a text': { json: { active: 'true' } },
    'an end that has passed': { json: { active: true, exp: 5 } },
    'an end that is none': { json: { active: true, exp: 'soon' } },
    'an end that is an object': { json: { active: true, exp: {} } },
    'a redirect': { status: 302, headers: { location: '/token' } },
    big: { text: 'x'.repeat(2_000_000) },
  } satisfies Answers)) {
    const grant = await p.renew(
      { token: { introspect: { url: `${p.url}/introspect` }, lifetime_seconds: 100 } },
      { '/token': silent, '/introspect': answer },
    )
    assert.deepEqual(
      [what, grant.expiresAt, grant.val['access_token'], grant.val['refresh_token']],
      [what, NOW + 100_000, 'a-1', 'r-1'],
    )
    assert.deepEqual(
      p.notes.map(({ followUp, failed }) => [followUp ?? false, failed?.name ?? null]),
      [
        [false, null],
        [true, 'ProviderTrouble'],
      ],
    )
  }
  const unknown = await p.renew(
    { token: { introspect: { url: `${p.url}/introspect` } } },
    { '/token': silent, '/introspect': { status: 503 } },
  )
  assert.deepEqual([unknown.expiresAt, unknown.val['lifetime_seconds']], [null, null])
  assert.equal(
    (
      await p.renew(
        { token: { introspect: { url: `${p.url}/introspect` } } },
        { '/token': silent, '/introspect': { json: { active: true } } },
      )
    ).expiresAt,
    null,
  )
  await assert.rejects(
    p.renew(
      { token: { introspect: { url: `${p.url}/introspect` } } },
      { '/token': silent, '/introspect': { json: { active: false } } },
    ),
    { name: 'ProviderTrouble', message: /not active/ },
  )
  assert.deepEqual(p.kept, [{ refresh_token: 'r-1' }])
})

test('derived tokens are asked for with the refresh token, their parameters, and no others', async (t) => {
  const p = await following(t)
  const more = {
    derived_tokens: [
      { name: 'mail_token', params: { scope: 'mail', keep: 'no' }, omit: ['resource', 'client_secret'] },
    ],
    resource: 'https://main.example',
  }
  const { val, request, expiresAt } = await p.exchange({ more, refresh: { params: { keep: 'yes' } } }, {})
  assert.deepEqual(Object.fromEntries(formOf(request)), {
    grant_type: 'refresh_token',
    refresh_token: 'r-1',
    client_id: 'id 1',
    keep: 'no',
    scope: 'mail',
  })
  assert.deepEqual([val['mail_token'], val['refresh_token'], expiresAt], ['a-1', 'r-1', HOUR])
  const alone = await p.exchange({ more }, { '/token': { json: { access_token: 'only' } } })
  assert.deepEqual([alone.val['access_token'], alone.val['mail_token']], ['only', null])
})
