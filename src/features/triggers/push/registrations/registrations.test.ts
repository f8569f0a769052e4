import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteTrigger } from '../../../../contract/triggers/index.ts'
import { sql } from '../../../../platform/db/sql.ts'
import { requestsTo } from '#fixtures/connected-accounts.ts'
import { sign } from '#fixtures/push-triggers.ts'
import { startRegistrations, type Registrations } from '#fixtures/registrations.ts'

const dead =
  'http://localhost:3900/api/v3.1/webhook_ingress/shop/wi_00000000000000000000000000000000/trigger_event'

test('webhook triggers: deliveries and registrations of instances', async (t) => {
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
