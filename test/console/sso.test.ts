import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { findFreePort } from '../../src/platform/free-port.ts'
import { type OidcProviderPeer, startOidcProvider } from '../fixtures/real-applications/oidc-provider.ts'
import { until } from '../fixtures/until.ts'
import { assertAccessible, startConsole, type TestConsole, VIEWPORTS } from './console.ts'
import { createOwner } from './owner.ts'

interface Stage {
  t: TestContext
  console: TestConsole
  provider: OidcProviderPeer
  page: Page
}

test('console: an owner sets single sign-on, and makes it the only way, by clicks only', async (t) => {
  const port = await findFreePort()
  const provider = await startOidcProvider({
    redirectUris: [
      `http://localhost:${port}/console/auth/oidc/callback`,
      `http://localhost:${port}/oauth/openid/callback`,
    ],
  })
  t.after(() => provider.stop())
  const console = await startConsole(t, { host: 'localhost', port })
  const page = await createOwner(console)
  const stage = { t, console, provider, page }
  await testProvider(stage)
  await testSecondTab(stage)
  await testOnlyWay(stage)
  await testProjectProvider(stage)
})

const cardOf = (page: Page, title: string) =>
  page.locator('section.card').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

async function testProvider({ t, console, provider, page }: Stage): Promise<void> {
  const card = cardOf(page, 'Sign-in of members')
  await t.test('a wrong secret is found by the test, and is not saved', async () => {
    await page.getByRole('link', { name: 'Single sign-on' }).click()
    await card.getByLabel('Issuer').fill(provider.issuer)
    await card.getByLabel('Client ID').fill(provider.clientId)
    await card.getByLabel('Client secret').fill('wrong')
    await card.getByLabel('Name of the provider').fill('Example SSO')
    await card.getByRole('button', { name: 'Test' }).click()
    await card.getByText('the client ID or the client secret is wrong').waitFor()
    await assertAccessible(page, 'single sign-on, failed test')
    await console.browser.saveScreenshot(page, 'console-sso-failed')
    await card.getByRole('button', { name: 'Save' }).click()
    await card.getByRole('alert').getByText('the client ID or the client secret is wrong').waitFor()
    assert.equal(await card.getByLabel('Issuer').inputValue(), provider.issuer, 'no input is lost')
  })

  await t.test('the right one is saved with roles by group', async () => {
    await card.getByLabel('Client secret').fill(provider.clientSecret)
    await card.getByRole('button', { name: 'Add a group' }).click()
    await card.getByLabel('Group', { exact: true }).fill('owners')
    await card.getByRole('combobox', { name: 'Role', exact: true }).click()
    await page.getByRole('option', { name: 'Owner' }).click()
    await card.getByRole('button', { name: 'Test' }).click()
    await card.getByText('The provider can be used.').waitFor()
    await card.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Identity provider saved').first().waitFor()
    await card.getByText('A secret is stored').waitFor()
    // The message that the provider was saved covers a part of the page.
    await page.reload()
    await cardOf(page, 'Only this provider')
      .getByText('by an owner who has signed in at Example SSO')
      .waitFor()
    await assertAccessible(page, 'single sign-on')
    await console.browser.saveScreenshot(page, 'console-sso-settings')
  })
}

async function testOnlyWay({ t, console, page }: Stage): Promise<void> {
  const card = cardOf(page, 'Sign-in of members')
  const only = cardOf(page, 'Only this provider')
  await t.test('an owner who signed in there turns the other ways off, and on again', async () => {
    await page.getByRole('button', { name: 'Signed in: Ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Continue with Example SSO' }).click()
    await page.locator('input[name=login]').fill('ada+owners')
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
    await page.getByRole('button', { name: /continue/i }).click()
    await only.getByText('You have signed in at Example SSO').waitFor()
    await only.getByRole('button', { name: 'Allow no other way to sign in' }).click()
    await assertAccessible(page, 'confirmation of the only way')
    await page.getByRole('button', { name: 'Allow no other way', exact: true }).click()
    await only.getByText('Members sign in at this provider only').waitFor()
    const guest = await console.open('/home', { key: null, viewport: VIEWPORTS.phone })
    await guest.getByRole('link', { name: 'Continue with Example SSO' }).waitFor()
    assert.equal(await guest.getByLabel('Password').count(), 0)
    await card.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Identity provider saved').first().waitFor()
    await card.getByLabel('Domains of e-mail addresses').fill('other.example')
    await card.getByRole('button', { name: 'Save' }).click()
    await card.getByText('sign in at this identity provider only').waitFor()
    await only.getByRole('button', { name: 'Allow passwords and passkeys' }).click()
    await only.getByRole('button', { name: 'Allow no other way to sign in' }).waitFor()
    assert.equal(await card.getByLabel('Domains of e-mail addresses').inputValue(), 'other.example')
  })
}

async function testSecondTab({ t, console, page }: Stage): Promise<void> {
  await t.test('a change in another tab is shown, and what is entered here stays', async () => {
    const second = await page.context().newPage()
    await second.goto(`${console.url}/console/settings/sso`)
    const [here, there] = [page, second].map((tab) => cardOf(tab, 'Sign-in of members')) as [Locator, Locator]
    const name = (card: Locator) => card.getByLabel('Name of the provider')
    const saveThere = async (text: string) => {
      await name(there).fill(text)
      // Before the click: the response may be there before the click returns.
      const saved = second.waitForResponse((reply) => reply.request().method() === 'PUT' && reply.ok())
      await there.getByRole('button', { name: 'Save' }).click()
      await saved
    }
    await saveThere('Renamed SSO')
    await until('the change is shown', async () => (await name(here).inputValue()) === 'Renamed SSO')
    await name(here).fill('Entered here')
    await saveThere('Renamed again')
    await here.getByText('This was changed in another tab or by another person.').waitFor()
    await assertAccessible(page, 'a form that is outdated')
    assert.equal(await name(here).inputValue(), 'Entered here')
    await here.getByRole('button', { name: 'Show the changes' }).click()
    assert.equal(await name(here).inputValue(), 'Renamed again')
    await saveThere('Example SSO')
    await until('the name is shown', async () => (await name(here).inputValue()) === 'Example SSO')
    await second.close()
  })
}

async function testProjectProvider({ t, console, provider, page }: Stage): Promise<void> {
  await t.test('the provider of users of MCP clients is set and removed', async () => {
    const card = cardOf(page, 'Sign-in of users of MCP clients')
    await card.getByLabel('Issuer').fill(provider.issuer)
    await card.getByLabel('Client ID').fill(provider.clientId)
    await card.getByLabel('Client secret').fill(provider.clientSecret)
    await card.getByRole('button', { name: 'Test' }).click()
    await card.getByText('The provider can be used.').waitFor()
    await card.getByRole('button', { name: 'Save' }).click()
    await card.getByText('A secret is stored').waitFor()
    await page.setViewportSize(VIEWPORTS.phone)
    await page.reload()
    await card.getByText('A secret is stored').waitFor()
    await assertAccessible(page, 'single sign-on on a phone')
    await console.browser.saveScreenshot(page, 'console-sso-phone')
    await card.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove provider' }).click()
    await card.getByText('Leave it empty for a public client').waitFor()
    assert.equal(await card.getByLabel('Issuer').inputValue(), '')
  })
}
