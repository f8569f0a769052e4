import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { testApp } from '#fixtures/app.ts'
import { startMailServer } from '#fixtures/mail-server.ts'
import { upstream } from '#fixtures/upstream.ts'
import type { AppOptions } from '../../app/create-app.ts'
import {
  createAlertRule,
  deleteAlertRule,
  listAlertRules,
  testAlertRule,
  updateAlertRule,
} from '../../contract/alerts.ts'
import { sql, values } from '../../platform/db/sql.ts'

const RATE = { name: 'Errors', condition: 'error_rate', threshold: 50 } as const

async function startAlertApp(t: TestContext, options: Partial<AppOptions> = {}) {
  const s = await testApp(t, options)
  const receiver = await upstream(t)
  return {
    ...s,
    receiver,
    /** Runs the check as the schedule does. */
    check: async () => s.app.schedules.find(({ task }) => task === 'alerts.check')?.run(),
    rules: async () => (await s.call(listAlertRules, {})).body.items,
    async create(body: Record<string, unknown>) {
      const reply = await s.call(createAlertRule, { body: body as never })
      assert.equal(reply.status, 201, JSON.stringify(reply.body))
      return reply.body
    },
    async addExecutions(count: number, successful: boolean, minutesAgo = 0) {
      for (let n = 0; n < count; n++)
        await s.app.db.run(
          sql`insert into tool_executions ${values({
            id: `log_${successful ? 's' : 'f'}${minutesAgo}x${String(n).padStart(9, '0')}`,
            project_id: s.keys.projectId,
            tool_slug: 'SHOP_GET_ORDER',
            toolkit_slug: 'shop',
            version: '20260101_00',
            request_id: 'r',
            successful,
            created_at: new Date(Date.now() - 1_000 - minutesAgo * 60_000),
          })}`,
        )
    },
  }
}

test('alerts: a webhook receives a signed message when the error rate is reached, and one after it', async (t) => {
  const s = await startAlertApp(t)
  const rule = await s.create({ ...RATE, channel: 'webhook', webhook_url: `${s.receiver.url}/alerts` })
  await s.addExecutions(15, true)
  await s.check()
  await s.addExecutions(30, false)
  await s.check()
  await s.check()
  assert.equal(s.receiver.requests.length, 1)
  const [{ body, headers } = assert.fail()] = s.receiver.requests
  new Webhook(rule.secret!).verify(body, headers as Record<string, string>)
  const message = JSON.parse(body)
  assert.deepEqual([message.type, message.data.id, message.data.value], ['alert.firing', rule.id, 66.7])
  const [firing] = await s.rules()
  assert.deepEqual(
    [firing?.status, firing?.last_value, firing?.target],
    ['firing', 66.7, new URL(s.receiver.url).host],
  )
  await s.app.db.run(
    sql`update tool_executions set created_at = now() - interval '1 hour' where not successful`,
  )
  await s.check()
  await s.check()
  assert.deepEqual(
    s.receiver.requests.map((request) => JSON.parse(request.body).type),
    ['alert.firing', 'alert.resolved'],
  )
  assert.equal((await s.rules())[0]?.status, 'ok')
})

test('alerts: a notification that fails is repeated by the next check, and the rule shows why', async (t) => {
  const s = await startAlertApp(t)
  await s.create({ ...RATE, channel: 'webhook', webhook_url: s.receiver.url })
  await s.addExecutions(20, false)
  s.receiver.answer = () => ({ status: 500 })
  await s.check()
  const [failed] = await s.rules()
  assert.deepEqual([failed?.status, failed?.last_error], ['ok', 'The receiver responded with status 500.'])
  s.receiver.answer = () => ({ json: {} })
  await s.check()
  const [sent] = await s.rules()
  assert.deepEqual([sent?.status, sent?.last_error, s.receiver.requests.length], ['firing', null, 2])
})

test('alerts: Slack receives a text, and the URL is never returned', async (t) => {
  const s = await startAlertApp(t)
  const rule = await s.create({
    ...RATE,
    channel: 'slack',
    webhook_url: `${s.receiver.url}/services/T0/secret`,
  })
  assert.ok(!JSON.stringify([rule, await s.rules()]).includes('services/T0'))
  const { body } = await s.call(testAlertRule, { params: { id: rule.id } })
  assert.deepEqual(body, { sent: true, error: null })
  assert.match(JSON.parse(s.receiver.requests[0]!.body).text, /^\[Test\] Errors: 50 % of the executions/)
})

test('alerts: an expired account is reported by email', async (t) => {
  const mail = await startMailServer(t)
  const s = await startAlertApp(t, { mail: { url: mail.url, from: 'Patchbay <alerts@example.com>' } })
  const rule = await s.create({
    name: 'Accounts',
    condition: 'account_expired',
    channel: 'email',
    email_addresses: ['ops@example.com'],
  })
  const { body } = await s.call(testAlertRule, { params: { id: rule.id } })
  assert.deepEqual(body, { sent: true, error: null })
  assert.match(mail.messages[0]!, /^To: ops@example\.com$/m)
  assert.match(mail.messages[0]!, /Subject: \[Test\] Accounts: 1 connected accounts are expired/)
})

test('alerts: rules that cannot work are rejected with the field', async (t) => {
  const s = await startAlertApp(t)
  const reject = async (body: Record<string, unknown>) => {
    const reply = await s.call(createAlertRule, { body: { ...RATE, ...body } as never })
    const { error } = reply.body as unknown as { error: { slug: string; message: string } }
    return [reply.status, error.slug, error.message]
  }
  assert.deepEqual((await reject({ channel: 'email', email_addresses: ['a@example.com'] })).slice(0, 2), [
    409,
    'Alert_EmailNotConfigured',
  ])
  assert.match(
    String(await reject({ channel: 'slack' })),
    /400,Alert_InvalidTarget,.*payload\.webhook_url: is required/,
  )
  assert.match(
    String(await reject({ channel: 'webhook', webhook_url: 'http://10.0.0.1/' })),
    /400,Alert_InvalidTarget,.*payload\.webhook_url/,
  )
  assert.match(
    String(await reject({ threshold: 101, channel: 'slack', webhook_url: s.receiver.url })),
    /at most 100/,
  )
  assert.deepEqual(await s.rules(), [])
})

test('alerts: another project neither sees nor changes a rule; a disabled rule is not checked', async (t) => {
  const s = await startAlertApp(t)
  const { id } = await s.create({ ...RATE, channel: 'webhook', webhook_url: s.receiver.url })
  const other = await s.otherProject()
  assert.deepEqual((await other(listAlertRules, {})).body.items, [])
  for (const route of [updateAlertRule, deleteAlertRule, testAlertRule])
    assert.equal((await other(route as typeof deleteAlertRule, { params: { id } })).status, 404)
  const { body } = await s.call(updateAlertRule, {
    params: { id },
    body: { is_enabled: false, threshold: 60 },
  })
  assert.deepEqual([body.is_enabled, body.threshold, body.name], [false, 60, 'Errors'])
  await s.addExecutions(20, false)
  await s.check()
  assert.equal(s.receiver.requests.length, 0)
  assert.equal((await s.call(deleteAlertRule, { params: { id } })).status, 200)
  assert.deepEqual(await s.rules(), [])
})
