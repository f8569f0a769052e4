import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { readProjectConfig } from '../../src/contract/projects/index.ts'
import { assertAccessible, type TestConsole } from './console.ts'

const save = (page: Page) => page.getByRole('button', { name: 'Save changes' }).click()
const saved = (page: Page) => page.getByText('Settings saved').first().waitFor()
const PATH = '**/api/v3.1/org/project/config'

/** Loads the page again and waits for the form, which follows the response about the signed-in person. */
async function reload(page: Page): Promise<void> {
  await page.reload()
  await page.getByLabel('Display name').waitFor()
}

/** Signs in to the page that is open, which is the settings of the project. */
async function signInAgain(page: Page, key: string): Promise<void> {
  await page.getByRole('tab', { name: 'API key' }).click()
  await page.getByRole('textbox', { name: 'API key' }).fill(key)
  await page.keyboard.press('Enter')
}

/** What interrupts work on a form: it says what happened, and no input is lost. */
export async function testInterruptions(t: TestContext, console: TestConsole): Promise<void> {
  const page = await console.open('/settings/project')
  await page.getByLabel('Display name').waitFor()
  await testServer(t, console, page)
  await testInput(t, page)
  await testRole(t, console, page)
  await testProject(t, console, page)
  await testTabs(t, console, page)
}

async function testServer(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test('a server that restarts is reported, and the input can be saved afterwards', async () => {
    await page.getByLabel('Display name').fill('After the restart')
    await page.route(PATH, (route) => route.abort('connectionrefused'))
    await save(page)
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor()
    await assertAccessible(page, 'a server that cannot be reached')
    assert.equal(await page.getByLabel('Display name').inputValue(), 'After the restart')
    await page.unroute(PATH)
    await save(page)
    await saved(page)
  })

  await t.test(
    'a request that comes too early is sent again after the time that the server asks for',
    async () => {
      let requests = 0
      await page.route(PATH, (route) =>
        route.request().method() === 'PATCH' && ++requests === 1
          ? route.fulfill({
              status: 429,
              headers: { 'retry-after': '1' },
              json: { error: { message: 'Too many requests.' } },
            })
          : route.fallback(),
      )
      await page.getByLabel('Display name').fill('After the limit')
      await save(page)
      const reply = await page.waitForResponse(
        (one) => one.request().method() === 'PATCH' && one.status() === 200,
      )
      assert.match(await reply.text(), /After the limit/)
      await page.unroute(PATH)
      assert.equal(requests, 2)
    },
  )
}

/** Input of a form whose request is slow, or is rejected. */
async function testInput(t: TestContext, page: Page): Promise<void> {
  await t.test('what is entered while the form is saved stays, and can be saved next', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route(PATH, async (route) => {
      if (route.request().method() === 'PATCH') await released
      await route.fallback()
    })
    await page.getByLabel('Display name').fill('Saved first')
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await save(page)
    await sent
    await page.getByLabel('Support URL').fill('https://entered.example.com/')
    release()
    const first = await (await sent).response()
    assert.match((await first?.text()) ?? '', /Saved first/)
    await page.getByRole('button', { name: 'Save changes', disabled: false }).waitFor()
    assert.equal(await page.getByLabel('Support URL').inputValue(), 'https://entered.example.com/')
    const next = page.waitForResponse((one) => one.request().method() === 'PATCH')
    await save(page)
    assert.match(await (await next).text(), /entered\.example/)
    await page.unroute(PATH)
  })

  await t.test('a permission that was taken away is reported, and the input stays', async () => {
    const error = { message: 'The key lacks a permission.', suggested_fix: 'Ask an administrator.' }
    await page.route(PATH, (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 403, json: { error } })
        : route.fallback(),
    )
    await page.getByLabel('Display name').fill('Not allowed')
    await save(page)
    await page.getByRole('alert').getByText('Ask an administrator.').waitFor()
    assert.equal(await page.getByLabel('Display name').inputValue(), 'Not allowed')
    await page.unroute(PATH)
    await reload(page)
  })
}

/** A role that another person changes while a form is filled in. */
async function testRole(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test(
    'a role that was changed is noticed with the first rejected request, and the input stays',
    async () => {
      const error = { message: 'The role lacks a permission.', suggested_fix: 'Ask an administrator.' }
      const hidden = page.getByRole('link', { name: 'Webhooks', exact: true })
      await hidden.waitFor()
      await page.getByLabel('Display name').fill('Before the change')
      await page.route(PATH, (route) => route.fulfill({ status: 403, json: { error } }))
      await page.route('**/console/auth/me', async (route) => {
        const me = (await (await route.fetch()).json()) as { projects: object[] }
        const projects = me.projects.map((one) => ({ ...one, permissions: { connected_accounts: ['read'] } }))
        return route.fulfill({ json: { ...me, projects } })
      })
      await save(page)
      await page.getByText('Your permissions have changed.').waitFor()
      await hidden.waitFor({ state: 'detached' })
      assert.equal(await page.getByLabel('Display name').inputValue(), 'Before the change')
      await page.getByText('You do not have the permission to use this form any more.').waitFor()
      await assertAccessible(page, 'changed permissions')
      await console.browser.saveScreenshot(page, 'console-lost-permission')
      await assertReadOnly(page)
      await page.unroute(PATH)
      await page.unroute('**/console/auth/me')
      assert.equal((await console.call(readProjectConfig, {})).body.display_name, 'Saved first')
      await reload(page)
    },
  )

  await t.test('a person who signs in as another person in another tab reads the new name', async () => {
    await page.route('**/console/auth/me', async (route) => {
      const me = (await (await route.fetch()).json()) as object
      return route.fulfill({ json: { ...me, kind: 'member', name: 'Grace', email: 'grace@example.com' } })
    })
    const other = await page.context().newPage()
    await other.goto(`${console.url}/console/docs`)
    // It reports that a person is signed in as soon as it knows.
    await other.locator('.shell h1').first().waitFor()
    await other.evaluate("new BroadcastChannel('patchbay.console').postMessage({ type: 'signed_out' })")
    await page.getByText('You signed out in another tab').waitFor()
    await other.evaluate("new BroadcastChannel('patchbay.console').postMessage({ type: 'signed_in' })")
    await page.getByText('You are signed in as Grace now.').waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('You are signed in as Grace now.').waitFor({ state: 'detached' })
    await other.close()
    await page.unroute('**/console/auth/me')
    await reload(page)
  })
}

/** The form cannot be sent any more, and its input can be copied. */
async function assertReadOnly(page: Page): Promise<void> {
  assert.equal(await page.getByLabel('Display name').isEditable(), false)
  assert.equal(await page.getByRole('button', { name: 'Save changes' }).isDisabled(), true)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy the input' }).click()
  await page.getByText('Copied').first().waitFor()
  assert.match(
    (await page.evaluate('navigator.clipboard.readText()')) as string,
    /^Display name: Before the change$/m,
  )
}

/** A project that another person takes away while a form is filled in. */
async function testProject(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test(
    'a project that was taken away stays on the page with the input, until the person leaves it',
    async () => {
      const error = { message: 'The key is of another project.', suggested_fix: 'Choose another project.' }
      await page.getByLabel('Display name').fill('Before the loss')
      await page.route(PATH, (route) => route.fulfill({ status: 403, json: { error } }))
      await page.route('**/console/auth/me', async (route) => {
        const me = (await (await route.fetch()).json()) as object
        return route.fulfill({ json: { ...me, projects: [] } })
      })
      await save(page)
      await page.getByText(/You cannot use the project .* any more/).waitFor()
      assert.equal(await page.getByLabel('Display name').inputValue(), 'Before the loss')
      assert.equal(await page.getByLabel('Display name').isEditable(), false)
      await page.getByRole('link', { name: 'Home', exact: true }).click()
      await page.getByRole('heading', { name: 'You have no project' }).waitFor()
      await page.unroute(PATH)
      await page.unroute('**/console/auth/me')
      await page.goto(`${console.url}/console/settings/project`)
      await page.getByLabel('Display name').waitFor()
    },
  )
}

async function testTabs(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  const url = `${console.url}/console/settings/project`
  const second = await page.context().newPage()

  await t.test('two tabs that change different settings overwrite nothing of each other', async () => {
    for (const tab of [page, second]) {
      await tab.goto(url)
      await tab.getByLabel('Display name').waitFor()
    }
    await page.getByLabel('Display name').fill('First tab')
    await second.getByLabel('Support URL').fill('https://second.example.com/')
    await save(page)
    await saved(page)
    await save(second)
    await saved(second)
    const { body } = await console.call(readProjectConfig, {})
    assert.deepEqual([body.display_name, body.support_url], ['First tab', 'https://second.example.com/'])
  })

  await t.test('a sign-out in one tab asks in the other one, which keeps its input', async () => {
    await second.getByLabel('Display name').fill('Second tab')
    await page.getByRole('button', { name: /^Signed in/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    await second.getByText('You signed out in another tab').waitFor()
    assert.equal(await second.getByLabel('Display name').inputValue(), 'Second tab')
    const done = second.waitForResponse(
      (reply) => reply.request().method() === 'PATCH' && reply.status() === 200,
    )
    await signInAgain(second, console.keys.projectApiKey)
    await second.getByText('You signed out in another tab').waitFor({ state: 'hidden' })
    await save(second)
    const { display_name: name } = (await (await done).json()) as { display_name: string }
    assert.equal(name, 'Second tab')
    // The other tab showed the form for the sign-in.
    await page.getByLabel('Display name').waitFor()
  })
}
