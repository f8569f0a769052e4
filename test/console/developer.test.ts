import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { assertAccessible, checkBothSizes, startConsole, type TestConsole } from './console.ts'

test('console: first steps, applications, import and playground', async (t) => {
  const console = await startConsole(t)
  const page = await console.open('/', { key: console.keys.organizationApiKey })
  await testFirstRun(t, console, page)
  await testApplications(t, console, page)
  await testImport(t, console, page)
  await testPlayground(t, console, page)
  await testDescription(t, console, page)
})

async function testFirstRun(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test('the first tool runs, and its step and the numbers show it', async () => {
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Run UTILITIES_GET_CURRENT_TIME' }).click()
    await page.getByRole('region', { name: 'Result' }).getByText('"iso"').waitFor()
    await page.getByRole('heading', { name: 'Run a tool (done)' }).waitFor()
  })

  await t.test('a step turns green with the first call of the agent that uses the snippet', async () => {
    await page.getByRole('button', { name: 'Open a session' }).click()
    await page.getByRole('tab', { name: 'Cursor' }).click()
    const code = (await page.getByRole('region', { name: '~/.cursor/mcp.json' }).textContent()) ?? ''
    const { mcpServers } = JSON.parse(code) as { mcpServers: { patchbay: McpEntry } }
    const { url, headers } = mcpServers.patchbay
    await page.getByText('The first call of the agent appears here.').waitFor()
    await callAsAgent(console, new URL(url).pathname, headers['x-api-key'])
    await assertSessionsOnly(console, headers['x-api-key'])
    await page.getByText('The agent called').waitFor()
    await page.getByRole('heading', { name: 'Hand it to an agent (done)' }).waitFor()
    await checkBothSizes(console, page, 'home')
  })
}

interface McpEntry {
  url: string
  headers: { 'x-api-key': string }
}

/** The key of a snippet ends up in files of agents: it must not reach anything but sessions. */
async function assertSessionsOnly({ url }: TestConsole, key: string): Promise<void> {
  for (const path of ['/connected_accounts', '/auth_configs']) {
    const { status } = await fetch(`${url}/api/v3.1${path}`, { headers: { 'x-api-key': key } })
    assert.equal(status, 403, path)
  }
}

async function callAsAgent(console: TestConsole, path: string, key: string): Promise<void> {
  const tools = [{ tool_slug: 'UTILITIES_GET_CURRENT_TIME', arguments: {} }]
  const reply = await fetch(`${console.url}${path}`, {
    method: 'POST',
    headers: {
      'x-api-key': key,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'SERVICE_MULTI_EXECUTE_TOOL', arguments: { tools } },
    }),
  })
  assert.equal(reply.status, 200, await reply.text())
}

async function testApplications(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test('a search that finds no application has a next step', async () => {
    await page.goto(`${console.url}/console/applications`)
    await page.getByRole('link', { name: 'GitHub' }).first().waitFor()
    await checkBothSizes(console, page, 'applications')
    await page.getByRole('searchbox', { name: 'Search' }).fill('zzzzzz')
    await page.getByText('No application matches').waitFor()
    await assertAccessible(page, 'no applications')
  })

  await t.test('the wizard stores an OAuth app, and then reuses it', async () => {
    const wizard = `${console.url}/console/applications/linear?tab=connect`
    await page.goto(wizard)
    await page.getByText('Callback URLs: paste').waitFor()
    await checkBothSizes(console, page, 'wizard')
    await page.getByLabel('Client id').fill('client-1')
    await page.getByLabel('Client secret').fill('secret-1')
    await page.getByRole('button', { name: 'Continue' }).click()
    const link = page.getByRole('link', { name: 'Open the sign-in page' })
    assert.match((await link.getAttribute('href')) ?? '', /\/link\//)
    await page.goto(wizard)
    await page.getByText('is ready.').waitFor()
    await page.getByRole('tab', { name: 'Auth configs' }).click()
    await page.getByRole('cell', { name: 'OAuth 2.0' }).waitFor()
    await assertAccessible(page, 'auth configs')
  })
  await t.test('a link can offer the users another way to sign in', async () => {
    await page.goto(`${console.url}/console/applications/linear?tab=connect`)
    await page.getByRole('combobox', { name: 'How users sign in' }).click()
    await page.getByRole('option', { name: 'API key' }).click()
    await page.getByRole('group', { name: 'Users may choose another way' }).getByLabel('OAuth 2.0').check()
    await checkBothSizes(console, page, 'wizard-choice')
    await page.getByRole('button', { name: 'Continue' }).click()
    const link = await page.getByRole('link', { name: 'Open the sign-in page' }).getAttribute('href')
    await page.goto(link ?? '')
    await page.getByRole('link', { name: 'Sign in at Linear' }).waitFor()
    await console.browser.saveScreenshot(page, 'console-wizard-choice-link')
  })
}

async function testImport(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  const readFile = (name: string, text: string) =>
    page
      .getByLabel('Or a file')
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
  await t.test('a description is previewed, and imported after the confirmation', async () => {
    await page.goto(`${console.url}/console/applications/import`)
    const get = {
      operationId: 'listArticles',
      summary: 'Lists articles.',
      responses: { 200: { description: 'ok' } },
    }
    const document = {
      openapi: '3.0.3',
      info: { title: 'Inventory', version: '1' },
      servers: [{ url: 'https://inventory.example' }],
      paths: { '/articles': { get } },
    }
    await readFile('inventory.json', JSON.stringify(document))
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('heading', { name: 'Preview of Inventory' }).waitFor()
    await checkBothSizes(console, page, 'import')
    await page.getByRole('button', { name: 'Import 1 tools' }).click()
    await page.getByRole('link', { name: 'Connect Inventory' }).waitFor()
  })

  await t.test(
    'a description without a version is imported when faults are accepted, with a note',
    async () => {
      await page.goto(`${console.url}/console/applications/import`)
      const get = { operationId: 'listRooms', responses: { 200: { description: 'ok' } } }
      const document = {
        info: { title: 'Warehouse', version: '1' },
        servers: [{ url: 'https://warehouse.example' }],
        paths: { '/rooms': { get } },
      }
      await readFile('warehouse.json', JSON.stringify(document))
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByRole('alert').first().waitFor()
      await page.getByLabel('Import a document with faults').check()
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByRole('heading', { name: 'Preview of Warehouse' }).waitFor()
      await page.getByText('The document says no version. It was read as OpenAPI 3.1.').waitFor()
    },
  )

  await t.test('a file that is no description is rejected with the reason', async () => {
    await readFile('notes.txt', 'nothing')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('alert').first().waitFor()
    await assertAccessible(page, 'import error')
  })
}

async function testPlayground(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  const run = () => page.getByRole('button', { name: 'Run', exact: true }).click()
  const data = page.getByRole('region', { name: 'Data' })
  await t.test('a tool runs from the form and from JSON, and the code has the arguments', async () => {
    await page.goto(`${console.url}/console/playground?tool=UTILITIES_CALCULATE`)
    await page.getByLabel('Expression').fill('6*7')
    await run()
    await data.getByText('42').waitFor()
    assert.match(
      (await page.getByRole('region', { name: 'curl' }).textContent()) ?? '',
      /"expression":"6\*7"/,
    )
    await checkBothSizes(console, page, 'playground')
    await page.getByRole('tab', { name: 'JSON' }).first().click()
    await page.getByLabel('Arguments as JSON').fill('{"expression": ')
    await page.getByText('This is no JSON object.').waitFor()
    await page.getByLabel('Arguments as JSON').fill('{"expression": "2+3"}')
    await run()
    await data.getByText('5').waitFor()
  })

  await t.test('the search finds tools before one is chosen, and while one is', async () => {
    const field = page.getByRole('combobox', { name: 'Tool', exact: true })
    for (const path of ['/playground', '/playground?tool=UTILITIES_CALCULATE']) {
      await page.goto(`${console.url}/console${path}`)
      if (path.includes('?')) await page.getByLabel('Expression').waitFor()
      await field.click()
      await field.fill('')
      await field.pressSequentially('current time', { delay: 20 })
      await page.getByRole('option', { name: /^UTILITIES_GET_CURRENT_TIME/ }).waitFor()
      assert.equal(await field.inputValue(), 'current time')
    }
    await page.getByRole('option', { name: /^UTILITIES_GET_CURRENT_TIME/ }).click()
    await page.waitForURL(/tool=UTILITIES_GET_CURRENT_TIME/)
    assert.equal(await field.inputValue(), 'UTILITIES_GET_CURRENT_TIME')
  })

  await t.test('a search that waits or fails says so, instead of that nothing was found', async () => {
    await page.goto(`${console.url}/console/playground`)
    const waiting = Promise.withResolvers<Route>()
    const isSearch = (url: URL) => url.pathname.endsWith('/tools') && url.searchParams.has('search')
    await page.route(isSearch, waiting.resolve)
    await page.getByRole('combobox', { name: 'Tool', exact: true }).fill('qqqqqq')
    const route = await waiting.promise
    const popup = page.locator('.popup-empty')
    await popup.getByText('Searching…').waitFor()
    await route.fulfill({ status: 500, json: { error: { message: 'The index is not ready.' } } })
    await popup.getByText('The index is not ready.').waitFor()
    await page.unroute(isSearch)
  })

  await t.test('an unknown tool is reported', async () => {
    await page.goto(`${console.url}/console/playground?tool=UTILITIES_NOTHING`)
    await page.getByRole('alert').waitFor()
  })
}

async function testDescription(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test('code in the description of a tool is shown as code', async () => {
    await page.goto(`${console.url}/console/playground?tool=HACKERNEWS_GET_ITEM`)
    await page.locator('code', { hasText: 'kids' }).first().waitFor()
  })
}
