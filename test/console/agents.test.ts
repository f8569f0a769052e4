import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { createMcpServer, listMcpServers } from '../../src/contract/mcp-servers/index.ts'
import { listPolicies } from '../../src/contract/policies/index.ts'
import { createSession, updateSession } from '../../src/contract/sessions/index.ts'
import { executeTool } from '../../src/contract/tools/index.ts'
import { testAuditLog } from './audit-log-page.ts'
import { assertAccessible, startConsole, type TestConsole, VIEWPORTS } from './console.ts'
import { testServerChanges } from './mcp-server-page.ts'
import { testSessionPage } from './session-page.ts'

const TIME = { user_id: 'ada', arguments: { timezone: 'Europe/Paris' } }

test('console: pages about agents', async (t) => {
  const console = await startConsole(t)
  const { call } = console
  const user = { user_id: 'ada', toolkits: { enable: ['utilities'] } }
  const { session_id: session } = (await call(createSession, { body: user })).body
  await call(updateSession, {
    params: { session_id: session },
    body: { toolkits: { enable: ['utilities', 'hackernews'] } },
  })
  const { id: server } = (
    await call(createMcpServer, {
      body: { name: 'Clock helper', auth_config_ids: [], no_auth_apps: ['utilities'] },
    })
  ).body
  await call(executeTool, { params: { tool_slug: 'UTILITIES_GET_CURRENT_TIME' }, body: TIME })
  const page = await console.open('/policies')
  await testPolicies(t, console, page)
  await testSessions(t, console, page, session)
  await testInspector(t, console, page, server)
  await testNewServer(t, console, page)
  await testServerChanges(t, console, page)
  await testAuditLog(t, console, page)
  // Last: it adds many entries to the audit log.
  await testSessionPage(t, console, page, session)
})

async function testNewServer(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test(
    'MCP servers: one is created from chosen applications, and its snippets are shown',
    async () => {
      await page.goto(`${console.url}/console/mcp`)
      await page.getByRole('button', { name: 'Create server' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('News helper')
      for (const [text, name] of [
        ['hacker', 'Hacker News'],
        ['util', 'Utilities'],
      ] as const) {
        await dialog.getByLabel('Add an application').fill(text)
        await page.getByRole('option', { name }).click()
      }
      await dialog.getByLabel('Add an application').click()
      await page.getByRole('option').nth(5).waitFor()
      await page.keyboard.press('Escape')
      await dialog.getByRole('button', { name: 'Remove utilities' }).click()
      await assertAccessible(page, 'the form of an MCP server')
      await console.browser.saveScreenshot(page, 'console-new-mcp-server')
      await dialog.getByRole('button', { name: 'Create server' }).click()
      await page.getByRole('heading', { name: 'News helper', level: 1 }).waitFor()
      await page.getByRole('tab', { name: 'Claude Code' }).waitFor()
      const { items } = (await console.call(listMcpServers, { query: { name: 'News helper' } })).body
      assert.deepEqual(items[0]?.toolkits, ['hackernews'])
    },
  )
}

async function testPolicies(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test('policies: the form creates one, and past calls show what it would have stopped', async () => {
    await page.getByText('No policies yet').waitFor()
    await page.getByRole('button', { name: 'Add policy' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByLabel('Name').fill('No clock in Paris')
    await drawer.getByLabel('Tools').fill('UTILITIES_GET_CURRENT_TIME')
    await drawer.getByLabel('Argument').fill('timezone')
    await drawer.getByLabel('Value').fill('Europe/Paris')
    await assertAccessible(page, 'the form of a policy')
    await console.browser.saveScreenshot(page, 'console-policy')
    await drawer.getByRole('button', { name: 'Save policy' }).click()
    await drawer.waitFor({ state: 'hidden' })
    const [policy] = (await console.call(listPolicies)).body.items
    assert.deepEqual(
      [policy?.outcome, policy?.when],
      [
        'ask',
        {
          tools: ['UTILITIES_GET_CURRENT_TIME'],
          arguments: [{ path: 'timezone', equals: 'Europe/Paris' }],
        },
      ],
    )
    await page.getByRole('button', { name: 'Test with past calls' }).click()
    await page.getByText('would have stopped 1 of the latest 1 calls').waitFor()
    await assertAccessible(page, 'the test of policies')
    await page.keyboard.press('Escape')
  })
}

async function testSessions(
  t: TestContext,
  console: TestConsole,
  page: Page,
  session: string,
): Promise<void> {
  await t.test('sessions: the list leads to the configurations, with what changed', async () => {
    await page.goto(`${console.url}/console/sessions`)
    await page.getByText(session).click()
    await page.getByText('No tool was called in this session yet.').waitFor()
    await page.getByRole('tab', { name: 'Configuration' }).click()
    await page.getByText(/^Version 2/).waitFor()
    await page.getByRole('heading', { name: 'toolkits' }).waitFor()
    await assertAccessible(page, 'a session')
    await console.browser.saveScreenshot(page, 'console-session')
    await page.setViewportSize(VIEWPORTS.phone)
    await assertAccessible(page, 'a session on a phone')
    await page.setViewportSize(VIEWPORTS.desktop)
  })
}

async function testInspector(
  t: TestContext,
  console: TestConsole,
  page: Page,
  server: string,
): Promise<void> {
  await t.test('MCP servers: the inspector lists the tools of the endpoint and calls one', async () => {
    await page.goto(`${console.url}/console/mcp`)
    await page.getByText('Clock helper').click()
    await page.getByRole('tab', { name: 'Claude Code' }).waitFor()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText(/Connected to .* tools\./).waitFor()
    await page.getByRole('combobox', { name: 'Tool' }).fill('CURRENT_TIME')
    await page.getByRole('option', { name: 'UTILITIES_GET_CURRENT_TIME' }).click()
    await page.getByLabel('Arguments').fill('{"timezone":')
    await page.getByRole('button', { name: 'Call the tool' }).click()
    await page.getByText('This is not valid JSON').waitFor()
    await page.getByLabel('Arguments').fill('{"timezone": "UTC"}')
    await page.getByRole('button', { name: 'Call the tool' }).click()
    await page.locator('summary', { hasText: 'tools/call' }).click()
    await page.getByText('"jsonrpc": "2.0"').first().waitFor()
    await assertAccessible(page, 'the inspector')
    await console.browser.saveScreenshot(page, 'console-inspector')
    assert.match(page.url(), new RegExp(server))
  })
}
