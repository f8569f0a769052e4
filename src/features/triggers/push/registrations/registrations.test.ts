import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { deleteAuthConfig } from '../../../../contract/auth-configs/index.ts'
import {
  deleteConnectedAccount,
  readConnectedAccount,
} from '../../../../contract/connected-accounts/index.ts'
import { deleteTrigger, setTriggerStatus } from '../../../../contract/triggers/index.ts'
import { sql } from '../../../../platform/db/sql.ts'
import { requestsTo } from '#fixtures/connected-accounts.ts'
import { setAccountStatus } from '#fixtures/triggers.ts'
import { startPushTriggerApp, sign } from '#fixtures/push-triggers.ts'

const dead =
  'http://localhost:3900/api/v3.1/webhook_ingress/shop/wi_00000000000000000000000000000000/trigger_event'

async function startRegistrations(t: TestContext) {
  const s = await startPushTriggerApp(t)
  const account = await s.connect()
  const switched = (id: string, status: 'enable' | 'disable') =>
    s.call(setTriggerStatus, { params: { trigger_id: id }, body: { status } })
  const make = async (slug: string, config: object = {}) => {
    const reply = await s.upsert(slug, { connected_account_id: account, trigger_config: config })
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body.trigger_id
  }
  const end = async (id: string) => {
    await s.call(deleteTrigger, { params: { trigger_id: id } })
    await s.work()
  }
  return { make, s, account, end, switched }
}

type Registrations = Awaited<ReturnType<typeof startRegistrations>>

test('webhook triggers: registrations of instances', async (t) => {
  const fixture = await startRegistrations(t)

  await t.test(
    'the application receives URL, secret and topic, and its deliveries become one event each, in their order',
    () => checkDeliveredEvents(fixture),
  )

  await t.test('deliveries that cannot be verified have the same response and change nothing', () =>
    checkUnverifiedDeliveries(fixture),
  )

  await t.test('a rejection of the application is reported with its message and leaves no registration', () =>
    checkRejectedRegistration(fixture),
  )

  await t.test(
    'disabled and deleted triggers are removed at the application, enabled ones are registered again',
    () => checkDisabledTriggers(fixture),
  )

  await t.test('a missing registration is created, and a second one is removed', () =>
    checkMissingRegistration(fixture),
  )

  await t.test(
    'an application that calls the URL before it responds receives a response, and the values that it sends are stored once',
    () => checkEarlyCall(fixture),
  )

  await t.test(
    'an expiring registration is renewed, a lost one is created again, and a rejected one disables the trigger',
    () => checkExpiringRegistration(fixture),
  )

  await t.test('an account that expires and is ACTIVE again keeps its registrations', () =>
    checkExpiredAccount(fixture),
  )

  await t.test('a ping creates no event and polls the trigger at once', () => checkPing(fixture))

  await t.test('webhooks are removed at the application before their account is deleted', () =>
    checkAccountDeletion(fixture),
  )

  await t.test('webhooks of all accounts are removed before their auth config is deleted', () =>
    checkAuthConfigDeletion(fixture),
  )
})

async function checkDeliveredEvents({ make, s, account, end }: Registrations): Promise<void> {
  const id = await make('ORDER_SENT', { section: 'a' })
  const hook = s.hook()
  assert.match(
    hook.url,
    /^http:\/\/localhost:3900\/api\/v3\.1\/webhook_ingress\/shop\/wi_[A-Za-z0-9]{32}\/trigger_event$/,
  )
  assert.deepEqual(
    [hook.event, hook.secret.length, requestsTo(s, '/hooks')[0]!.headers['x-key']],
    ['orders', 43, 'key-1'],
  )
  assert.equal(
    (await s.upsert('ORDER_SENT', { connected_account_id: account, trigger_config: { section: 'a' } }))
      .status,
    200,
  )
  assert.equal(s.hooks.size, 1, 'the same trigger is registered once')
  const order = { section: 'a', n: 1 }
  const replies = await Promise.all(Array.from({ length: 5 }, () => s.send(hook, 'd-1', order)))
  assert.deepEqual(
    new Set(replies.map(({ status, text }) => `${status} ${text}`)),
    new Set(['200 {"success":true}']),
  )
  assert.equal(
    (await s.send(hook, 'd-2', { section: 'b', n: 2 })).status,
    200,
    'another section is none of ours',
  )
  for (const n of [3, 4]) await s.send(hook, `d-${n}`, { section: 'a', n })
  assert.deepEqual(await s.payloads(), [order, { section: 'a', n: 3 }, { section: 'a', n: 4 }])
  assert.deepEqual(await s.db.rows(sql`select distinct kind from trigger_logs where instance_id = ${id}`), [
    { kind: 'event' },
  ])
  await end(id)
}

async function checkUnverifiedDeliveries({ make, s, end }: Registrations): Promise<void> {
  const id = await make('ORDER_SENT')
  const { url, secret } = s.hook()
  const body = '{"n":1}'
  const before = (await s.payloads()).length
  const responseTo = async (
    at: string,
    headers: Record<string, string> = {},
    payload = body,
    method: 'POST' | 'GET' = 'POST',
  ) => {
    const reply = await s.deliver(at, payload, headers, method)
    return (
      `${reply.status} ${reply.text.replace(/"request_id":"[^"]+"/, '')} ` +
      `${reply.headers['content-security-policy']}`
    )
  }
  const known = await responseTo(dead)
  assert.match(known, /^401 .*"The delivery could not be verified\."/)
  const good = { 'x-sig': sign(secret, body) }
  for (const [what, one] of [
    ['no signature', responseTo(url)],
    ['another secret', responseTo(url, { 'x-sig': sign('other', body) })],
    ['another body', responseTo(url, good, '{"n":2}')],
    ['an empty body', responseTo(url, good, '')],
    ['GET', responseTo(url, good, '', 'GET')],
    ['another toolkit', responseTo(url.replace('/shop/', '/gmail/'), good)],
    ['no toolkit', responseTo(url.replace('/shop/', '/nothing/'), good)],
    ['a truncated URL', responseTo(url.replace(/..\/trigger_event/, '/trigger_event'), good)],
    ['a longer URL', responseTo(url.replace('/trigger_event', 'a/trigger_event'), good)],
    ['NUL', responseTo(dead.replace('wi_0', 'wi_%00'), good)],
    ['an endpoint that is none', responseTo(dead.replace(/wi_0+/, 'we_000000000000'))],
    ['a project', responseTo('/api/v3/trigger_instances/shop/proj_000000000000/handle')],
    ['another project', responseTo(`/api/v3/trigger_instances/shop/${s.keys.projectId}/handle`, good)],
    ['nothing', responseTo('/api/v3/trigger_instances/shop/x/handle')],
  ] as const)
    assert.equal(await one, known, what)
  assert.equal((await s.payloads()).length, before)
  assert.equal((await s.deliver(url, Buffer.alloc(5 * 1024 * 1024 + 1), good)).status, 413)
  for (const garbage of ['{', 'text', '['.repeat(1_000), ''])
    assert.equal(
      (await s.deliver(url, garbage, { 'x-sig': sign(secret, garbage) })).status,
      garbage === '' ? 200 : 400,
      garbage.slice(0, 9),
    )
  assert.equal((await s.payloads()).length, before)
  await end(id)
}

async function checkRejectedRegistration({ s, account }: Registrations): Promise<void> {
  for (const [answer, status, text] of [
    [
      { status: 422, json: { message: 'callback url is not reachable' } },
      422,
      /callback url is not reachable/,
    ],
    [{ status: 401, json: {} }, 422, /./],
    [{ status: 503, json: {} }, 503, /./],
    [{ json: { url: 'x' } }, 422, /its response has no hook_id/],
    [{ cut: true }, 503, /./],
  ] as const) {
    s.application.answer = ({ path }) => (path === '/hooks' ? answer : undefined)
    const reply = await s.upsert('ORDER_SENT', {
      connected_account_id: account,
      trigger_config: { section: 'rejected' },
    })
    assert.equal(reply.status, status, JSON.stringify(reply.body))
    assert.match(JSON.stringify(reply.body), text)
  }
  s.application.answer = undefined
  const unsigned = await s.upsert('ORDER_SIGNED', { connected_account_id: account })
  assert.deepEqual([unsigned.status, s.hooks.size], [422, 0])
  assert.match(JSON.stringify(unsigned.body), /with client_secret, which the connected account/)
  assert.deepEqual(
    [
      await s.registrations(),
      await s.db.rows(sql`select 1 from trigger_instances where config->>'section' = 'rejected'`),
    ],
    [[], []],
  )
}

async function checkDisabledTriggers({ make, s, switched }: Registrations): Promise<void> {
  const id = await make('ORDER_SENT')
  const first = s.hook()
  assert.equal((await switched(id, 'disable')).status, 200)
  assert.equal(
    (await s.send(first, 'd-1', {})).status,
    200,
    'later deliveries are verified and create no event',
  )
  await s.work()
  assert.equal(s.hooks.size, 0)
  assert.equal((await s.send(first, 'd-2', {})).status, 401)
  s.application.answer = () => ({ status: 422, json: { message: 'too many hooks' } })
  assert.equal((await switched(id, 'enable')).status, 422)
  assert.ok((await s.instance(id))['disabled_at'])
  s.application.answer = undefined
  assert.equal((await switched(id, 'enable')).status, 200)
  await s.work()
  assert.equal(s.hooks.size, 1)
  assert.notEqual(s.hook().url, first.url)
  const last = s.hook()
  s.application.answer = ({ method }) => (method === 'DELETE' ? { status: 500, json: {} } : undefined)
  await s.call(deleteTrigger, { params: { trigger_id: id } })
  await assert.rejects(s.work())
  await s.db.run(
    sql`select graphile_worker.add_job('triggers.register', json_build_object('project',
            ${s.keys.projectId}::text, 'id', ${id}::text))`,
  )
  await s.work(true)
  assert.equal((await s.send(last, 'd-3', {})).status, 410, 'a delivery to a deleted trigger returns 410')
  s.application.answer = undefined
  await s.db.run(sql`delete from trigger_registrations`)
  s.hooks.clear()
}

async function checkMissingRegistration({ make, s, account, end }: Registrations): Promise<void> {
  const id = await make('ORDER_SENT')
  const versioned = await s.upsert('ORDER_SENT', {
    connected_account_id: account,
    toolkit_versions: '20260115_00',
  })
  assert.deepEqual([versioned.status, versioned.body.trigger_id, s.hooks.size], [200, id, 2])
  await s.work()
  assert.deepEqual([s.hooks.size, (await s.registrations()).length], [1, 1])
  await s.send(s.hook(), 'v-1', { versioned: true })
  assert.deepEqual((await s.payloads()).at(-1), { versioned: true })
  await s.db.run(sql`delete from trigger_registrations`)
  s.hooks.clear()
  await s.schedule('triggers.healRegistrations')
  assert.equal(await s.work(), 0, 'one that was changed a moment ago is on its way')
  await s.db.run(
    sql`update trigger_instances set updated_at = now() - interval '11 minutes' where id = ${id}`,
  )
  await s.schedule('triggers.healRegistrations')
  await s.work()
  assert.deepEqual([s.hooks.size, (await s.registrations()).map((row) => row.instance_id)], [1, [id]])
  await end(id)
  assert.equal(s.hooks.size, 0)
}

async function checkEarlyCall({ s, make, end }: Registrations): Promise<void> {
  const shaken: unknown[] = []
  s.application.answer = async ({ path, method, body }) => {
    if (path !== '/hooks' || method !== 'POST') return undefined
    const { url } = JSON.parse(body) as { url: string }
    for (const secret of ['brought-1', 'brought-2']) {
      const { status, headers } = await s.deliver(url, '', { 'x-hook-secret': secret })
      shaken.push([status, headers['x-hook-secret']])
    }
    return undefined
  }
  const id = await make('ORDER_SHAKEN')
  s.application.answer = undefined
  assert.deepEqual(shaken, [
    [200, 'brought-1'],
    [401, undefined],
  ])
  const hook = { ...s.hook(), secret: 'brought-1' }
  assert.equal((await s.send(hook, 'd-1', { shaken: true })).status, 200)
  assert.deepEqual((await s.payloads()).at(-1), { shaken: true })
  assert.equal((await s.deliver(hook.url, '', { 'x-hook-secret': 'brought-3' })).status, 401)
  await end(id)
}

async function checkExpiringRegistration({ make, s, switched, end }: Registrations): Promise<void> {
  const id = await make('ORDER_LENT')
  const hook = s.hook()
  const nearlyOver = () =>
    s.db.run(
      sql`update trigger_registrations
              set registered_at = now() - interval '50 minutes', expires_at = now() + interval '5 minutes',
              renew_at = now()`,
    )
  const renew = async (isLast = false) => {
    await nearlyOver()
    await s.schedule('triggers.renewRegistrations')
    return s.work(isLast)
  }
  assert.match(String(hook.until), /^\d{4}-.*Z$/)
  await s.schedule('triggers.renewRegistrations')
  assert.equal(await s.work(), 0, 'nothing is renewed before its time')
  assert.equal(await renew(), 1)
  assert.deepEqual(
    s.stub.requests.slice(-1).map(({ method, path }) => [method, path]),
    [['PATCH', `/hooks/${[...s.hooks.keys()][0]}`]],
  )
  const later = await s.db.one<{ ok: boolean }>(
    sql`select expires_at > now() + interval '50 minutes'
            and renew_at > now() + interval '30 minutes' as ok from trigger_registrations`,
  )
  assert.equal(later?.ok, true)
  s.hooks.clear()
  await renew()
  assert.deepEqual([s.hooks.size, s.hook().url === hook.url, (await s.registrations()).length], [1, false, 1])
  s.application.answer = () => ({ status: 500, json: {} })
  await assert.rejects(renew())
  assert.equal((await s.instance(id))['disabled_at'], null, 'what may pass is tried again')
  s.application.answer = () => ({ status: 403, json: { message: 'not allowed' } })
  await renew()
  assert.equal((await s.instance(id))['disabled_reason'], 'subscription_refresh_failure')
  assert.equal(
    (
      await s.db.rows(
        sql`select 1 from events where type = 'trigger.disabled'
                and data->>'disabled_reason' = 'subscription_refresh_failure'`,
      )
    ).length,
    1,
  )
  s.application.answer = undefined
  const logged = await s.db.rows<{ kind: string; message: string }>(
    sql`select kind, message from trigger_logs where instance_id = ${id} order by created_at`,
  )
  assert.deepEqual(
    logged.map(({ kind }) => kind),
    ['gap', 'failure', 'disabled'],
  )
  assert.match(logged[0]!.message, /did not have the webhook any more\. It was registered again/)
  await s.work()
  assert.equal((await switched(id, 'enable')).status, 200)
  await s.work()
  await end(id)
}

async function checkExpiredAccount({ make, s, account }: Registrations): Promise<void> {
  const id = await make('ORDER_SENT')
  const before = (await s.payloads()).length
  await setAccountStatus(s.db, account, 'EXPIRED')
  await s.work()
  assert.deepEqual([(await s.instance(id))['disabled_reason'], s.hooks.size], ['connection_expired', 1])
  assert.equal((await s.send(s.hook(), 'd-8', {})).status, 200)
  await setAccountStatus(s.db, account, 'ACTIVE')
  await s.work()
  assert.deepEqual([(await s.instance(id))['disabled_at'], s.hooks.size], [null, 1])
  await s.send(s.hook(), 'd-9', { back: true })
  assert.deepEqual((await s.payloads()).slice(before), [{ back: true }])
}

async function checkPing({ make, s }: Registrations): Promise<void> {
  const id = await make('ORDER_PINGED')
  const due = async () =>
    (
      await s.db.one<{ due: boolean }>(
        sql`select next_run <= now() as due from trigger_polls where instance_id = ${id}`,
      )
    )?.due
  const ping = () => s.deliver(s.hook().url, '', { 'x-token': s.hook().secret })
  const before = (await s.payloads()).length
  assert.equal(await due(), false)
  assert.equal((await ping()).status, 200)
  assert.equal(await due(), true)
  await s.db.run(
    sql`update trigger_polls set next_run = now() + interval '30 seconds' where instance_id = ${id}`,
  )
  await ping()
  assert.equal(await due(), false, 'a poll that may be under way is not made twice')
  assert.equal(
    (
      await s.db.rows(
        sql`select 1 from graphile_worker.jobs where task_identifier = 'triggers.wake'
              and run_at > now() + interval '50 seconds'`,
      )
    ).length,
    1,
  )
  assert.equal((await s.payloads()).length, before)
}

async function checkAccountDeletion({ s, account }: Registrations): Promise<void> {
  assert.ok(s.hooks.size > 0)
  assert.equal((await s.call(deleteConnectedAccount, { params: { nanoid: account } })).status, 200)
  await s.work()
  assert.deepEqual([s.hooks.size, await s.registrations()], [0, []])
}

async function checkAuthConfigDeletion({ s }: Registrations): Promise<void> {
  const credentials = { generic_api_key: 'key-1', subdomain: 'acme' }
  const otherConfig = await s.addAuthConfig('API_KEY')
  const other = await s.addAccount(otherConfig, 'API_KEY', credentials, { user_id: 'u1' })
  const [first, second] = [await s.connect(), await s.connect()]
  const read = await s.call(readConnectedAccount, { params: { nanoid: first } })
  const authConfig = read.body.auth_config.id
  for (const id of [first, second, other]) await s.upsert('ORDER_SENT', { connected_account_id: id })
  const before = s.hooks.size
  assert.equal((await s.call(deleteAuthConfig, { params: { nanoid: authConfig } })).status, 200)
  assert.deepEqual(
    [
      before,
      s.hooks.size,
      await s.db.rows(sql`select connected_account_id as id from trigger_registrations`),
    ],
    [3, 1, [{ id: other }]],
    'another auth config keeps its webhooks',
  )
}
