import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { test, type TestContext } from 'node:test'
import { client } from '../../../test/harness/client.ts'
import type { Answer, Recorded } from '../../../test/harness/upstream.ts'
import { createApp } from '../../app.ts'
import { setAuthConfigStatus } from '../../contract/auth-configs.ts'
import { deleteConnectedAccount, setConnectedAccountStatus, updateConnectedAccount } from '../../contract/connected-accounts.ts'
import { executeTool } from '../../contract/tools.ts'
import { keyRingFrom, sealer } from '../../platform/crypto/index.ts'
import { createEgress, parseAllowRules } from '../../platform/egress/index.ts'
import { createLog } from '../../platform/log.ts'
import { sql } from '../../platform/db/sql.ts'
import { valContext } from './open.ts'
import { CLIENT, form, type Manifest, oauth, onStage, requestsTo, SIGN_IN, stage } from './testing.ts'

interface Provider { good: string, token(request: Recorded): Answer | Promise<Answer> }

/** An account whose token `access-1` ends in an hour, at a provider that takes only `provider.good`. */
async function renewable(t: TestContext, manifest: Manifest = {}, val: Record<string, unknown> = {}) {
  const seal = sealer(keyRingFrom(`test:${randomBytes(32).toString('base64')}`))
  const provider: Provider = { good: 'access-1', token: () => { provider.good = 'access-2'; return { json: { access_token: 'access-2', refresh_token: 'refresh-2', expires_in: 3600 } } } }
  const s = await stage(t, {
    auth: (url) => [oauth(url, manifest)], app: { sealer: seal },
    answer: (request) => request.path === '/token' ? provider.token(request) : request.headers['authorization'] === `Bearer ${provider.good}` ? { json: { id: '7' } } : { status: 401, json: { message: 'no' } },
  })
  const id = await s.account(await s.config('OAUTH2', CLIENT), 'OAUTH2', { status: 'ACTIVE', access_token: 'access-1', refresh_token: 'refresh-1', expires_in: 3600, ...val })
  const opened = async () => seal.open<Record<string, unknown>>((await s.row(id))['val'] as Buffer, valContext(id))
  /** As another process would. */
  const storeBehind = (next: Record<string, unknown>) => s.app.db.run(sql`
    update connected_accounts set val = ${seal.seal(next, valContext(id))}, val_version = val_version + 1, token_expires_at = now() + interval '1 hour' where id = ${id}`)
  return { ...s, seal, provider, id, opened, storeBehind, tokens: () => requestsTo(s, '/token'), calls: () => requestsTo(s, '/orders/7') }
}
const HOUR = 3_600_000

test('a token is renewed shortly before its end, not earlier, and the new one is used and kept', async (t) => {
  const s = await renewable(t)
  s.clock.advance(HOUR - 61_000)
  await s.run()
  assert.equal(s.tokens().length, 0)
  s.clock.advance(2_000)
  assert.equal((await s.run()).body.successful, true)
  assert.deepEqual(s.tokens().map(form), [{ grant_type: 'refresh_token', refresh_token: 'refresh-1', client_id: CLIENT.client_id, client_secret: CLIENT.client_secret }])
  assert.deepEqual(s.calls().map(({ headers }) => headers['authorization']), ['Bearer access-1', 'Bearer access-2'])
  const { access_token, refresh_token } = await s.opened()
  assert.deepEqual([access_token, refresh_token], ['access-2', 'refresh-2'])
  const row = await s.row(s.id)
  assert.ok(Math.abs((row['token_expires_at'] as Date).getTime() - s.clock.now() - HOUR) < 60_000)
  assert.deepEqual([row['refresh_lease'], row['refresh_lease_until'], row['status']], [null, null, 'ACTIVE'])
  await s.run()
  assert.equal(s.tokens().length, 1)
})

test('a token that lives shorter than the margin is not renewed at every call', async (t) => {
  const s = await renewable(t, {}, { expires_in: 40 })
  s.clock.advance(19_000)
  await s.run()
  assert.equal(s.tokens().length, 0)
  s.clock.advance(2_000)
  await s.run()
  assert.equal(s.tokens().length, 1)
})

test('a 401 renews once and repeats the call once', async (t) => {
  const s = await renewable(t)
  s.provider.good = 'access-2'
  assert.equal((await s.run()).body.successful, true)
  assert.deepEqual([s.tokens().length, s.calls().length], [1, 2])
  s.provider.good = 'nothing'
  const { status, body } = await s.run()
  assert.deepEqual([status, body.successful, body.data], [200, true, { id: '7' }])
})

test('what the reply leaves out, or leaves null or empty, stays', async (t) => {
  const s = await renewable(t, { token: { capture: { team: 'team' } } }, { id_token: 'id-1', team: 'T1' })
  for (const reply of [{ access_token: 'access-2' }, { access_token: 'access-3', refresh_token: null, id_token: null, team: null, scope: null }, { access_token: 'access-4', refresh_token: '' }]) {
    s.provider.good = reply.access_token
    s.provider.token = () => ({ json: reply })
    assert.equal((await s.run()).body.successful, true)
    const { access_token, refresh_token, id_token, team } = await s.opened()
    assert.deepEqual([access_token, refresh_token, id_token, team], [reply.access_token, 'refresh-1', 'id-1', 'T1'])
  }
})

test('twenty calls at once make one token request, and all of them succeed', async (t) => {
  const s = await renewable(t)
  s.clock.advance(HOUR)
  const replies = await Promise.all(Array.from({ length: 20 }, () => s.run()))
  assert.deepEqual(replies.map(({ body }) => body.successful), Array.from({ length: 20 }, () => true))
  assert.deepEqual([s.tokens().length, (await s.row(s.id))['val_version']], [1, 2])
})

test('two processes on one database make one token request between them', async (t) => {
  const s = await renewable(t)
  const second = await createApp({
    databaseUrl: s.databaseUrl, databasePoolMax: 4, publicUrl: 'http://localhost:3901', wireBrand: 'service', rateLimitPerMinute: 1_000_000, catalog: s.catalog, sealer: s.seal,
    egress: createEgress({ allow: parseAllowRules('127.0.0.0/8') }), clock: s.clock, log: createLog('silent'), version: '0.0.0-test',
  })
  t.after(() => second.close())
  const other = onStage(s, client(second.http, { 'x-api-key': s.keys.projectApiKey }))
  s.clock.advance(HOUR)
  const replies = await Promise.all(Array.from({ length: 10 }, (_, i) => i % 2 ? s.run() : other.run()))
  assert.deepEqual(replies.map(({ body }) => body.successful), Array.from({ length: 10 }, () => true))
  assert.equal(s.tokens().length, 1)
})

test('a lease that another process holds is waited for, 25 seconds at most; that of a dead process opens after its time', async (t) => {
  const s = await renewable(t)
  await s.app.db.run(sql`update connected_accounts set refresh_lease = 'dead', refresh_lease_until = now() + interval '1 minute'`)
  s.clock.advance(HOUR)
  let waited: Awaited<ReturnType<typeof s.run>> | undefined
  const waiting = s.run().then((reply) => { waited = reply })
  while (!waited) { s.clock.advance(26_000); await new Promise(setImmediate) }
  await waiting
  assert.deepEqual([waited.status, waited.body.error.code, s.tokens().length, s.calls().length], [504, 1842, 0, 0])
  await s.app.db.run(sql`update connected_accounts set refresh_lease_until = now() - interval '1 second'`)
  assert.equal((await s.run()).body.successful, true)
  assert.equal(s.tokens().length, 1)
})

test('a renewal that is refused for good expires the account: 410 / 1820 with the reason, and no further request', async (t) => {
  const s = await renewable(t)
  s.provider.token = () => ({ status: 400, json: { error: 'invalid_grant', error_description: 'Token refresh-1 was revoked' } })
  s.clock.advance(HOUR)
  const { status, body } = await s.run()
  assert.deepEqual([status, body.error.code], [410, 1820])
  assert.match(body.error.message, /EXPIRED state: The provider refused to renew the access for good: invalid_grant: Token \[secret\] was revoked$/)
  const { status_reason, status: state } = await s.read(s.id)
  assert.deepEqual([state, status_reason], ['EXPIRED', 'The provider refused to renew the access for good: invalid_grant: Token [secret] was revoked'])
  assert.equal((await s.run({ connected_account_id: s.id })).body.error.code, 1820)
  assert.equal((await s.run()).body.error.code, 1810)
  assert.deepEqual([s.tokens().length, s.calls().length], [1, 0])
})

test('a refusal does not expire credentials that another process stored meanwhile; they are used', async (t) => {
  const s = await renewable(t)
  s.provider.token = async () => {
    await s.storeBehind({ access_token: 'access-9', refresh_token: 'refresh-9' })
    s.provider.good = 'access-9'
    return { status: 400, json: { error: 'invalid_grant' } }
  }
  s.clock.advance(HOUR - 1_000)
  assert.equal((await s.run()).body.successful, true)
  assert.deepEqual([(await s.row(s.id))['status'], (await s.opened())['refresh_token']], ['ACTIVE', 'refresh-9'])
  assert.equal((await s.row(s.id))['refresh_lease'], null)
})

test('a renewal that ends later than another does not overwrite it', async (t) => {
  const s = await renewable(t)
  s.provider.token = async () => {
    await s.storeBehind({ access_token: 'access-9', refresh_token: 'refresh-9' })
    s.provider.good = 'access-9'
    return { json: { access_token: 'stale', refresh_token: 'stale' } }
  }
  s.clock.advance(HOUR - 1_000)
  assert.equal((await s.run()).body.successful, true)
  assert.equal((await s.opened())['access_token'], 'access-9')
})

test('trouble of the token endpoint keeps the account ACTIVE and uses the token while it is good; the endpoint gets a rest', async (t) => {
  const s = await renewable(t)
  s.provider.token = () => ({ status: 503, text: 'down' })
  s.clock.advance(HOUR - 30_000)
  for (let i = 0; i < 3; i++) assert.equal((await s.run()).body.successful, true)
  assert.deepEqual([s.tokens().length, (await s.row(s.id))['status'], (await s.row(s.id))['refresh_lease']], [1, 'ACTIVE', null])
  s.clock.advance(11_000)
  await s.run()
  assert.equal(s.tokens().length, 2)
})

test('a 401 while the token endpoint is in trouble is answered as it is and counts as no refusal', async (t) => {
  const s = await renewable(t)
  s.provider.good = 'nothing'
  s.provider.token = () => ({ status: 500 })
  for (let i = 0; i < 4; i++) {
    const { status, body } = await s.run()
    assert.deepEqual([status, body.successful, body.data['status_code' as never]], [200, false, 401])
  }
  const row = await s.row(s.id)
  assert.deepEqual([row['status'], row['auth_failures'], s.calls().length], ['ACTIVE', 0, 4])
})

test('with an ended token, trouble of the token endpoint is 502 and a silent one 504, and the account stays', async (t) => {
  const egress = createEgress({ allow: parseAllowRules('127.0.0.0/8') })
  const s = await stage(t, {
    auth: (url) => [oauth(url)], answer: ({ path }) => path === '/token' ? new Promise<Answer>(() => {}) : {},
    app: { egress: { ...egress, send: (request) => { assert.equal(request.timeoutMs, 15_000); return egress.send({ ...request, timeoutMs: 50 }) } } },
  })
  const id = await s.account(await s.config('OAUTH2', CLIENT), 'OAUTH2', { status: 'ACTIVE', access_token: 'access-1', refresh_token: 'refresh-1', expires_in: 60 })
  s.clock.advance(61_000)
  const silent = await s.run()
  assert.deepEqual([silent.status, silent.body.error.code], [504, 1842])
  s.stub.answer = () => ({ status: 500 })
  const broken = await s.run()
  assert.deepEqual([broken.status, broken.body.error.code], [502, 1840])
  assert.match(broken.body.error.message, /could not be renewed: The token endpoint answered with status 500/)
  assert.deepEqual([(await s.row(id))['status'], (await s.row(id))['refresh_lease']], ['ACTIVE', null])
  assert.equal(requestsTo(s, '/orders/7').length, 0)
})

test('three calls in a row that are refused with fresh credentials expire the account; one success begins anew', async (t) => {
  const s = await renewable(t)
  let n = 0
  s.provider.token = () => ({ json: { access_token: `fresh-${++n}`, refresh_token: `r-${n}` } })
  s.provider.good = 'nothing'
  await s.run()
  await s.run()
  assert.deepEqual([(await s.row(s.id))['auth_failures'], (await s.row(s.id))['status']], [2, 'ACTIVE'])
  s.provider.good = `fresh-${n}`
  assert.equal((await s.run()).body.successful, true)
  assert.equal((await s.row(s.id))['auth_failures'], 0)
  s.provider.good = 'nothing'
  for (let i = 0; i < 3; i++) assert.deepEqual([(await s.row(s.id))['status'], (await s.run()).body.successful], ['ACTIVE', false])
  assert.deepEqual([(await s.read(s.id)).status, (await s.read(s.id)).status_reason], ['EXPIRED', 'The provider refused the credentials several times in a row.'])
})

test('a provider that is down or busy neither counts as a refusal nor as a success', async (t) => {
  const s = await renewable(t)
  await s.app.db.run(sql`update connected_accounts set auth_failures = 2`)
  for (const status of [500, 503, 429]) {
    s.stub.answer = () => ({ status })
    await s.run()
    assert.equal((await s.row(s.id))['auth_failures'], 2)
  }
  s.stub.answer = () => ({ status: 404 })
  await s.run()
  assert.equal((await s.row(s.id))['auth_failures'], 0)
})

test('a token past its end that nothing can renew expires the account at the first refusal', async (t) => {
  const s = await renewable(t, { refresh: { with: 'never' } })
  s.provider.good = 'nothing'
  await s.run()
  assert.equal((await s.read(s.id)).status, 'ACTIVE')
  s.clock.advance(HOUR)
  await s.run()
  assert.deepEqual([(await s.read(s.id)).status, (await s.read(s.id)).status_reason], ['EXPIRED', 'The access has ended and the provider gave nothing to renew it with.'])
  assert.equal(s.tokens().length, 0)
})

test('a renewal under way neither revives an account that is deleted or switched off meanwhile, nor loses its rotated token', async (t) => {
  const s = await renewable(t)
  const events = new EventEmitter()
  s.provider.token = async () => {
    events.emit('asked')
    await once(events, 'answer')
    return { json: { access_token: 'access-2', refresh_token: 'refresh-2', expires_in: 3600 } }
  }
  s.clock.advance(HOUR)
  const asked = once(events, 'asked')
  const running = s.run()
  await asked
  await s.call(setConnectedAccountStatus, { params: { nanoid: s.id }, body: { enabled: false } })
  events.emit('answer')
  assert.equal((await running).body.error.code, 1821)
  assert.deepEqual([(await s.row(s.id))['status'], (await s.opened())['refresh_token'], s.calls().length], ['INACTIVE', 'refresh-2', 0])

  await s.call(setConnectedAccountStatus, { params: { nanoid: s.id }, body: { enabled: true } })
  s.clock.advance(HOUR)
  const askedAgain = once(events, 'asked')
  const late = s.run()
  await askedAgain
  await s.call(deleteConnectedAccount, { params: { nanoid: s.id } })
  events.emit('answer')
  assert.equal((await late).body.error.code, 606)
  assert.ok((await s.row(s.id))['deleted_at'])
  assert.deepEqual([await s.opened(), s.calls().length], [{}, 0])
})

test('an account whose auth config is switched off is not renewed', async (t) => {
  const s = await renewable(t)
  await s.call(setAuthConfigStatus, { params: { nanoid: (await s.read(s.id)).auth_config.id, status: 'DISABLED' } })
  s.clock.advance(HOUR)
  assert.equal((await s.run({ connected_account_id: s.id })).body.error.code, 1821)
  assert.equal(s.tokens().length, 0)
})

test('user name and password are traded for a session once, which is kept, renewed before its end and on a 401, and forgotten with the password', async (t) => {
  let sessions = 0
  let good = ''
  const s = await stage(t, { auth: [SIGN_IN], answer: ({ path, headers }) => {
    if (path === '/session') return { json: { token: good = `session-${++sessions}`, ttl: 600 } }
    return headers['authorization'] === `Session ${good}` ? { json: {} } : { status: 401 }
  } })
  const id = await s.account(await s.config('BASIC'), 'BASIC', { username: 'ann', password: 'pass-word-1' })
  for (let i = 0; i < 3; i++) assert.equal((await s.run()).body.successful, true)
  assert.deepEqual(requestsTo(s, '/session').map(form), [{ user: 'ann', pass: 'pass-word-1' }])
  s.clock.advance(545_000)
  await s.run()
  assert.equal(sessions, 2)
  good = 'ended early'
  assert.equal((await s.run()).body.successful, true)
  assert.equal(sessions, 3)
  await s.call(updateConnectedAccount, { params: { nanoid: id }, body: { connection: { state: { authScheme: 'BASIC', val: { password: 'pass-word-2' } } } } })
  await s.run()
  assert.deepEqual(form(requestsTo(s, '/session').at(-1)!), { user: 'ann', pass: 'pass-word-2' })
  s.stub.answer = () => ({ status: 401 })
  assert.equal((await s.run()).body.error.code, 1820)
})

test('too many sign-ins is no word about the password', async (t) => {
  const s = await stage(t, { auth: [SIGN_IN], answer: () => ({ status: 403, json: { message: 'Too many login attempts' } }) })
  const id = await s.account(await s.config('BASIC'), 'BASIC', { username: 'ann', password: 'pass-word-1' })
  assert.deepEqual([(await s.run()).status, (await s.read(id)).status], [502, 'ACTIVE'])
})

test('credentials of the call that need a session sign in for that call', async (t) => {
  const s = await stage(t, { auth: [SIGN_IN], answer: ({ path }) => ({ json: path === '/session' ? { token: 'session-1' } : {} }) })
  const reply = await s.call(executeTool, { params: { tool_slug: 'SHOP_GET_ORDER' }, body: { arguments: { id: '7' }, custom_connection_data: { authScheme: 'BASIC', toolkitSlug: 'shop', val: { username: 'a', password: 'b' } } } })
  assert.equal(reply.body.successful, true)
  assert.equal(requestsTo(s, '/orders/7')[0]?.headers['authorization'], 'Session session-1')
})
