import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { createAuthConfig } from '../../src/contract/auth-configs/index.ts'
import { createConnectedAccount } from '../../src/contract/connected-accounts/index.ts'
import { readApproval } from '../../src/contract/policies/index.ts'
import { createSession } from '../../src/contract/sessions/index.ts'
import { createWebhook } from '../../src/contract/webhooks/index.ts'
import { publishEvents } from '../../src/features/events/index.ts'
import { sql, values } from '../../src/platform/db/sql.ts'
import { until } from '../fixtures/until.ts'
import { testAlerts } from './alerts-page.ts'
import { assertAccessible, startConsole, type TestConsole, VIEWPORTS } from './console.ts'
import { testHostedPages } from './hosted-pages.ts'
import { testWebhooks } from './webhooks-page.ts'

const USER = 'ada@example.com'

interface Seeded {
  account: string
  authConfig: string
  webhook: string
}

test('console: pages about users and about what runs', async (t) => {
  const console = await startConsole(t)
  const seeded = await seed(console)
  const page = await console.open('/logs')
  await testStates(t, console, page, seeded)
  await testHostedPages(t, console, seeded.authConfig)
  await testLogs(t, console, page)
  await testApprovals(t, console, page)
  await testWebhooks(t, console, page, seeded.webhook)
  await testAlerts(t, console, page)
  await testUsers(t, console, page)
  await testFailures(t, console, page)
})

async function testStates(t: TestContext, console: TestConsole, page: Page, { account, webhook }: Seeded) {
  // every-page.test.ts checks the lists with axe.
  const pages: readonly [name: string, path: string, text: string][] = [
    ['logs', '/logs', 'UTILITIES_GET_CURRENT_TIME'],
    ['users', '/users', USER],
    ['user', `/users/${encodeURIComponent(USER)}`, 'This user has no sessions.'],
    ['accounts', '/accounts', 'nodered'],
    ['account', `/accounts/${account}`, 'Changed by the user.'],
    ['approvals', '/approvals', 'SHOP_REFUND'],
    ['triggers', '/triggers', 'No triggers yet'],
    ['webhooks', '/webhooks', 'https://app.example.com/hooks'],
    ['webhook', `/webhooks/${webhook}`, 'Dead letter'],
    ['events', '/events', 'trigger.message'],
    ['alerts', '/alerts', 'No rules yet'],
  ]
  for (const [name, path, text] of pages)
    await t.test(`${name}: shows its data, and fits a phone`, async () => {
      await page.goto(`${console.url}/console${path}`)
      await page.getByText(text).first().waitFor()
      // Pages of one object have more here than with demo data: a status history, a dead letter.
      if (path.split('/').length > 2) await assertAccessible(page, name)
      await page.setViewportSize(VIEWPORTS.phone)
      assert.ok(await fitsScreen(page), `${name} is wider than a phone`)
      await page.setViewportSize(VIEWPORTS.desktop)
    })
}

const fitsScreen = (page: Page) =>
  page.evaluate<boolean>('document.documentElement.scrollWidth <= document.documentElement.clientWidth')

async function testLogs(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test('logs: filters are in the URL, rows open by keyboard, and new executions appear', async () => {
    await page.goto(`${console.url}/console/logs?status=failed`)
    await page.getByText('The application returned 500').first().waitFor()
    assert.equal(await page.getByText('UTILITIES_GET_CURRENT_TIME').count(), 0)
    await page.locator('tr.opens').first().focus()
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog')
    await drawer.getByText('Application status').waitFor()
    await drawer.getByRole('region', { name: 'Durations' }).waitFor()
    await assertAccessible(page, 'an execution')
    await console.browser.saveScreenshot(page, 'console-log')
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    await execution(console, { tool_slug: 'SHOP_NEW', successful: false, error: 'A new failure' })
    await page.getByText('A new failure').waitFor()
    assert.match(page.url(), /status=failed/)
  })

  await t.test('logs: a long list has few rows in the page, and older ones load at its end', async () => {
    await page.goto(`${console.url}/console/logs`)
    await page.getByText('200 executions so far').waitFor()
    const rows = await page.locator('tbody tr.opens').count()
    assert.ok(rows < 60, `${rows} rows in the page`)
    await page.locator('.table-box').evaluate((box: { scrollTop: number }) => {
      box.scrollTop = 1_000_000
    })
    await page.getByText(/30\d executions$/).waitFor()
  })

  await t.test('logs: the executions that the filters find are saved as a file', async () => {
    await page.goto(`${console.url}/console/logs?status=failed`)
    await page.getByText('A new failure').waitFor()
    await page.getByRole('button', { name: 'Export' }).click()
    const waiting = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'CSV' }).click()
    const download = await waiting
    assert.equal(download.suggestedFilename(), 'executions.csv')
    const text = await readFile(await download.path(), 'utf8')
    assert.match(text, /^timestamp,id,status,/)
    assert.match(text, /,A new failure\r\n/)
    assert.doesNotMatch(text, /UTILITIES_GET_CURRENT_TIME/)
  })
}

async function testApprovals(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test('approvals: the exact arguments are shown, and a decision leaves the inbox', async () => {
    await page.goto(`${console.url}/console/approvals`)
    await page.getByText('SHOP_REFUND').click()
    const drawer = page.getByRole('dialog')
    await drawer.getByText('amount').waitFor()
    await drawer.getByText('500').waitFor()
    await assertAccessible(page, 'an approval')
    await console.browser.saveScreenshot(page, 'console-approval')
    await drawer.getByRole('button', { name: 'Allow once' }).click()
    await page.getByText('Nothing to decide').waitFor()
    const { body } = await console.call(readApproval, { params: { approval_id: 'apr_1' } })
    assert.equal(body.status, 'approved')
  })

  await t.test('events: one that is published appears without a reload', async () => {
    await page.goto(`${console.url}/console/events`)
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
    await console.app.db.begin((tx) =>
      publishEvents(tx, console.keys.projectId, [
        { type: 'webhook.disabled', data: { id: 'ws_live' } } as never,
      ]),
    )
    await page.getByText('webhook.disabled').waitFor()
    await page.getByText('webhook.disabled').click()
    await page.getByRole('dialog').getByText('ws_live').waitFor()
    await assertAccessible(page, 'an event')
  })
}

async function testUsers(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test('user: the notes of agents are shown, and deleted after a confirmation', async () => {
    await page.goto(`${console.url}/console/users/${encodeURIComponent(USER)}`)
    await page.getByText('Prefers short answers.').waitFor()
    await assertAccessible(page, 'the notes about a user')
    await page.getByRole('button', { name: 'Delete the notes about slack' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete notes' }).click()
    await page.getByText('No agent has noted anything').waitFor()
  })

  await t.test('users: search finds a user, and the deletion asks for the id', async () => {
    await page.goto(`${console.url}/console/users`)
    await page.getByRole('searchbox').fill('GRACE')
    await page.keyboard.press('Enter')
    await page.getByText('grace').first().click()
    await page.getByRole('button', { name: 'Delete user' }).click()
    const dialog = page.getByRole('dialog')
    const button = dialog.getByRole('button', { name: 'Delete user' })
    assert.equal(await button.isDisabled(), true)
    await dialog.getByRole('textbox').fill('grace')
    await assertAccessible(page, 'the deletion of a user')
    await button.click()
    await page.getByText('The server revokes and removes').waitFor()
    await until('the deletion was requested', async () =>
      Boolean(await console.app.db.one(sql`select 1 from user_deletions where user_id = 'grace'`)),
    )
  })
}

async function testFailures(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test('a server that fails is shown with a next step, and the page recovers', async () => {
    const body = { error: { message: 'The database is not available.', suggested_fix: 'Try again later.' } }
    await page.route('**/api/v3.1/users*', (route) => route.fulfill({ status: 500, json: body }))
    await page.goto(`${console.url}/console/users`)
    await page.getByRole('alert').getByText('The database is not available.').waitFor()
    await assertAccessible(page, 'an error')
    await page.unroute('**/api/v3.1/users*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(USER).waitFor()
  })

  await t.test('a project without data shows the first step on each page', async () => {
    const { key } = await newProject(console)
    const empty = await console.open('/logs', { key })
    for (const [path, text] of [
      ['/logs', 'No executions match'],
      ['/users', 'No users yet'],
      ['/accounts', 'No accounts yet'],
      ['/approvals', 'Nothing to decide'],
      ['/webhooks', 'No endpoints yet'],
      ['/events', 'No events yet'],
    ]) {
      await empty.goto(`${console.url}/console${path}`)
      await empty.getByText(text as string).waitFor()
    }
    await assertAccessible(empty, 'a page without data')
  })
}

async function newProject({ app, keys }: TestConsole): Promise<{ key: string }> {
  const reply = await app.http.inject({
    method: 'POST',
    url: '/api/v3/org/owner/project/new',
    headers: { 'x-org-api-key': keys.organizationApiKey },
    payload: { name: 'empty', should_create_api_key: true },
  })
  return { key: reply.json<{ api_key: string }>().api_key }
}

let executions = 0

const execution = ({ app, keys }: TestConsole, more: Record<string, unknown>) =>
  app.db.run(
    sql`insert into tool_executions ${values({
      id: `log_${String(++executions).padStart(12, '0')}`,
      project_id: keys.projectId,
      tool_slug: 'UTILITIES_GET_CURRENT_TIME',
      toolkit_slug: 'utilities',
      version: '20260101_00',
      user_id: USER,
      request_id: `request-${executions}`,
      successful: true,
      duration_ms: 120,
      timings: JSON.stringify({ account: 3, credentials: 2, application: 100 }),
      ...more,
    })}`,
  )

/** Something of everything that the pages show. */
async function seed(console: TestConsole): Promise<Seeded> {
  const { app, call, keys, encryptor } = console
  await app.db.run(sql`
    insert into tool_executions
      (id, project_id, tool_slug, toolkit_slug, version, user_id, request_id, successful, duration_ms, created_at)
    select 'log_old' || n, ${keys.projectId}, 'UTILITIES_GET_CURRENT_TIME', 'utilities', '20260101_00', ${USER},
      'r' || n, true, 20 + n, now() - make_interval(mins => n)
    from generate_series(1, 300) n`)
  const error = 'The application returned 500: it is being restarted.'
  await execution(console, { tool_slug: 'SHOP_FAIL', successful: false, status_code: 500, error })
  await call(createSession, { body: { user_id: 'grace' } })
  const config = await call(createAuthConfig, {
    body: {
      toolkit: { slug: 'nodered' },
      auth_config: { type: 'use_custom_auth', authScheme: 'BEARER_TOKEN', credentials: {} },
    },
  })
  const state = { authScheme: 'BEARER_TOKEN', val: { token: 'secret', server_url: 'http://127.0.0.1:9' } }
  const { body: account } = await call(createConnectedAccount, {
    body: { auth_config: { id: config.body.auth_config.id }, connection: { user_id: USER, state } },
  })
  await app.http.inject({
    method: 'PATCH',
    url: `/api/v3.1/connected_accounts/${account.id}/status`,
    headers: { 'x-api-key': keys.projectApiKey },
    payload: { enabled: false },
  })
  const { body: webhook } = await call(createWebhook, {
    body: { webhook_url: 'https://app.example.com/hooks', enabled_events: ['service.trigger.message'] },
  })
  await seedDelivery(console, webhook.id)
  await app.db.run(
    sql`insert into approvals ${values({
      id: 'apr_1',
      project_id: keys.projectId,
      user_id: USER,
      tool_slug: 'SHOP_REFUND',
      toolkit_slug: 'shop',
      version: '20261121_00',
      policy_ids: [],
      reason: 'Refunds above 100 need approval.',
      choices: ['allow_once', 'deny'],
      seconds: 600,
      log_id: 'log_1',
      binding: Buffer.from('1'),
      encrypted_payload: encryptor.encryptWithRing(
        { order: '7', amount: 500 },
        'approvals:apr_1:encrypted_payload',
      ),
      expires_at: sql`now() + interval '10 minutes'`,
    })}`,
  )
  await seedNotes(console)
  return { account: account.id, authConfig: config.body.auth_config.id, webhook: webhook.id }
}

async function seedNotes({ app, keys, encryptor }: TestConsole): Promise<void> {
  await app.db.run(
    sql`insert into user_memories ${values({
      id: 'mem_1',
      project_id: keys.projectId,
      user_id: USER,
      toolkit: 'slack',
      encrypted_payload: encryptor.encryptWithRing(
        ['Prefers short answers.'],
        'user_memories:mem_1:encrypted_payload',
      ),
    })}`,
  )
}

async function seedDelivery({ app, keys }: TestConsole, subscription: string): Promise<void> {
  const event = { id: 'evt_dead', project_id: keys.projectId, type: 'trigger.message', data: '{}' }
  await app.db.run(sql`insert into events ${values(event)}`)
  await app.db.run(sql`
    insert into webhook_deliveries
      (id, project_id, subscription_id, event_id, event_created_at, seq, status, attempts, finished_at)
    select 'dlv_1', project_id, ${subscription}, id, created_at, 1, 'dead', 1, now() from events where id = 'evt_dead'`)
  await app.db.run(sql`
    insert into webhook_attempts
      (delivery_id, event_created_at, project_id, number, status, latency_ms, response)
    select 'dlv_1', created_at, project_id, 1, 503, 12, 'down for maintenance' from events where id = 'evt_dead'`)
}
