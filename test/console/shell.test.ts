import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from '../../src/platform/db/sql.ts'
import type { Page } from 'playwright-core'
import { assertAccessible, startConsole, type TestConsole, VIEWPORTS } from './console.ts'
import { testInterruptions } from './interruptions.ts'

test('console: sign-in with a key, the shell, and an expired session', async (t) => {
  const console = await startConsole(t)
  const page = await console.open('/settings/project', { key: null })
  await testSignIn(t, console, page)
  await testShell(t, console, page)
  await testFailures(t, console, page)
  await testInterruptions(t, console)
})

async function testSignIn(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test('a wrong key is rejected with a next step, and the form is accessible', async () => {
    assert.equal(await page.title(), 'Sign in – Patchbay')
    await page.getByRole('tab', { name: 'API key' }).click()
    await page.getByRole('textbox', { name: 'API key' }).fill('ak_wrong')
    await page.keyboard.press('Enter')
    await page.getByText('This API key is not valid.').waitFor()
    await assertAccessible(page, 'sign-in')
    await console.browser.saveScreenshot(page, 'console-sign-in')
  })

  await t.test('the right key leads to the page that was opened', async () => {
    await page.getByRole('textbox', { name: 'API key' }).fill(console.keys.projectApiKey)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Project', level: 1 }).waitFor()
    await page.getByLabel('Display name').waitFor()
    await assertAccessible(page, 'project settings')
    await console.browser.saveScreenshot(page, 'console-project')
  })

  await t.test(
    'the key is in no storage of the browser, and the cookie cannot be read by scripts',
    async () => {
      const stored = await page.evaluate<string>(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
      )
      assert.ok(!stored.includes(console.keys.projectApiKey))
      const [cookie] = await page.context().cookies()
      assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, 'Strict'])
      const signIns = sql`
        select entry::json->'actor'->>'type' as actor from audit_log where action = 'console.signIn'`
      assert.deepEqual(await console.app.db.rows(signIns), [{ actor: 'api_key' }])
    },
  )
}

async function testShell(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test('a phone shows the navigation in a drawer, and nothing is wider than the screen', async () => {
    await page.setViewportSize(VIEWPORTS.phone)
    await assertAccessible(page, 'project settings on a phone')
    await page.getByRole('button', { name: 'Open the navigation' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Project' }).waitFor()
    await console.browser.saveScreenshot(page, 'console-phone')
    await page.keyboard.press('Escape')
    await page.setViewportSize(VIEWPORTS.desktop)
  })

  await t.test('the command palette opens by keyboard, and finds pages and themes', async () => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('theme dark')
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
  })

  await t.test('"Show as code" has the request of the screen, without a key', async () => {
    await page.getByRole('button', { name: 'Show as code' }).click()
    const code = page.getByRole('region', { name: 'curl' })
    await code.waitFor()
    assert.equal(
      await code.textContent(),
      `curl -s '${console.url}/api/v3.1/org/project/config' \\\n  -H "x-api-key: $API_KEY"`,
    )
    await assertAccessible(page, 'show as code')
    await page.keyboard.press('Escape')
  })
}

async function testFailures(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test('an expired session asks for a sign-in, keeps the input, and then saves it', async () => {
    await page.getByLabel('Display name').fill('Billing')
    await console.app.db.run(sql`delete from console_sessions`)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Your session has expired').waitFor()
    await assertAccessible(page, 'expired session')
    await page.getByRole('tab', { name: 'API key' }).click()
    await page.getByRole('textbox', { name: 'API key' }).fill(console.keys.projectApiKey)
    await page.keyboard.press('Enter')
    await page.getByText('Settings saved').first().waitFor()
    assert.equal(await page.getByLabel('Display name').inputValue(), 'Billing')
  })

  await t.test('a page whose code no longer exists offers to load the new version', async () => {
    const code = /\/console\/assets\/chunk-/
    await page.route(code, (route) => route.fulfill({ status: 404 }))
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
    await page.getByRole('heading', { name: 'The console was updated' }).waitFor()
    await assertAccessible(page, 'page of an old version')
    await page.unroute(code)
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
  })

  await t.test('a URL without a page says so', async () => {
    await page.goto(`${console.url}/console/nothing-here`)
    await page.getByRole('heading', { name: 'This page does not exist' }).waitFor()
    await assertAccessible(page, 'missing page')
  })
}
