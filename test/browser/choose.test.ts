import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { catalogFromSources } from '../../src/catalog/index.ts'
import { sampleSource } from '../fixtures/sample-toolkits.ts'
import { linkConnectedAccount, readConnectedAccount } from '../../src/contract/connected-accounts/index.ts'
import { updateProjectConfig } from '../../src/contract/projects/index.ts'
import { startPlatform } from '../e2e/platform.ts'
import { startBrowser } from '../fixtures/browser.ts'
import { firstScreenFaults, saveFirstScreens } from '../fixtures/first-screen.ts'
import { upstream } from '../fixtures/upstream.ts'
import { ICON } from './shop.ts'

const SITES = [
  { id: 's-1', name: 'Acme' },
  { id: 's-2', name: 'Bell and Sons, of a very long name that someone chose in a good mood'.repeat(2) },
  { id: 's-3', name: 's-3' },
]
const STEP = {
  request: { path: '/sites' },
  items: 'sites',
  value: 'id',
  label: 'name',
  what: 'site',
  select: 'ask',
  save: { site: 'id' },
}

/** A shop with several sites and one key, and a browser at a link to it. */
async function atLink(t: TestContext, body: Record<string, unknown> = {}, sites = SITES) {
  const shop = await upstream(t, ({ path }) =>
    path === '/sites' ? { json: { sites } } : { json: { id: 'p-7', name: 'Ada' } },
  )
  const catalog = catalogFromSources([
    {
      ...sampleSource({
        base_url: shop.url,
        auth: [
          {
            scheme: 'API_KEY',
            apply: { headers: { 'x-key': '{generic_api_key}', 'x-site': '{site}' } },
            post_connect: [STEP],
          },
        ],
        identity: { path: '/me', id: 'id', name: 'name', tenant: '{site}' },
      }),
      icon: ICON,
    },
  ])
  const platform = await startPlatform(t, { catalog })
  await platform.call(updateProjectConfig, { body: { display_name: 'Lantern Support' } })
  const link = await platform.call(linkConnectedAccount, {
    body: { auth_config_id: await platform.authConfig('shop', 'API_KEY'), user_id: 'ada', ...body } as never,
  })
  return {
    platform,
    url: link.body.redirect_url,
    account: link.body.connected_account_id,
    browser: await startBrowser(t),
  }
}

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const focused = (page: Page) =>
  page.evaluate<string>(
    'document.activeElement.id || document.activeElement.className || document.activeElement.tagName',
  )

test('a site is chosen with the keyboard alone, and the end says as whom one is connected', async (t) => {
  const { platform, url, account, browser } = await atLink(t)
  const page = await browser.page()
  await page.goto(url)
  await page.getByLabel('API key').fill('key-123456')
  await press(page, 'Enter')
  await page.waitForSelector('h1:has-text("Choose the site")')
  assert.match(page.url(), /\/choose\/cw_[A-Za-z0-9]{12}$/)
  await browser.saveScreenshot(page, 'choose')
  await press(page, 'Tab', 'Tab', 'Enter')
  await page.waitForSelector('.errors')
  assert.deepEqual([await focused(page), await page.title()], ['errors', 'Error: Choose the site'])
  await browser.saveScreenshot(page, 'choose-errors')
  await page.locator('.errors a').focus()
  await press(page, 'Enter')
  assert.equal(await focused(page), 'c-0', 'the summary leads to the list')
  await press(page, 'Space', 'ArrowDown')
  assert.equal(
    await page.getByRole('group', { name: 'Shop' }).getByRole('radio', { checked: true }).getAttribute('id'),
    'c-1',
  )
  await browser.saveScreenshot(page, 'choose-chosen')
  await press(page, 'Enter')
  await page.waitForSelector('text=Shop is connected')
  await page.waitForSelector('text=You are connected as Ada, s-2.')
  await browser.saveScreenshot(page, 'choose-connected')
  assert.equal((await platform.account(account)).val['site'], 's-2')
})

test('the page fits a small dark screen without a script, and leads back to the application', async (t) => {
  const done = await upstream(t, () => ({ text: 'home' }))
  const { platform, url, account, browser } = await atLink(t, { callback_url: `${done.url}/done` })
  const page = await browser.page({
    viewport: { width: 320, height: 640 },
    colorScheme: 'dark',
    javaScriptEnabled: false,
  })
  await page.goto(url)
  await page.getByLabel('API key').fill('key-123456')
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.waitForSelector('h1:has-text("Choose the site")')
  await browser.saveScreenshot(page, 'choose-small-dark')
  const seeing = await page.locator('main').boundingBox()
  assert.ok(seeing && seeing.x >= 0 && seeing.x + seeing.width <= 320, 'nothing stands outside')
  await page.getByText('Acme').click()
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.waitForURL(`${done.url}/done?status=success&connected_account_id=${account}`)
  assert.equal((await platform.account(account)).status, 'ACTIVE')
})

test('connect page: the way to sign in is chosen with the keyboard on a phone, without a script', async (t) => {
  const shop = await upstream(t, () => ({ json: { id: 'p-7', name: 'Ada' } }))
  const auth = [
    { scheme: 'API_KEY', apply: { headers: { 'x-key': '{generic_api_key}' } } },
    { scheme: 'BEARER_TOKEN', apply: { headers: { authorization: 'Bearer {token}' } } },
  ]
  const platform = await startPlatform(t, {
    catalog: catalogFromSources([{ ...sampleSource({ base_url: shop.url, auth }), icon: ICON }]),
  })
  const token = await platform.authConfig('shop', 'BEARER_TOKEN')
  const link = await platform.call(linkConnectedAccount, {
    body: {
      auth_config_id: await platform.authConfig('shop', 'API_KEY'),
      user_id: 'ada',
      alternative_auth_config_ids: [token],
    },
  })
  const browser = await startBrowser(t)
  const page = await browser.page({
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    javaScriptEnabled: false,
  })
  await page.goto(link.body.redirect_url)
  const methods = page.getByRole('navigation', { name: 'How do you want to sign in?' })
  assert.deepEqual(await methods.getByRole('link').allTextContents(), [
    'Enter an API key',
    'Enter an access token',
  ])
  await press(page, 'Tab', 'Tab', 'Enter')
  await page.getByLabel('Token').waitFor()
  assert.equal(await methods.getByRole('link', { name: 'access token' }).getAttribute('aria-current'), 'true')
  await browser.saveScreenshot(page, 'sign-in-choice')
  await page.getByLabel('Token').fill('token-123456')
  await press(page, 'Enter')
  await page.waitForSelector('text=Shop is connected')
  const account = await platform.call(readConnectedAccount, {
    params: { nanoid: link.body.connected_account_id },
  })
  assert.deepEqual([account.body.status, account.body.auth_config.id], ['ACTIVE', token])
  const accessible = await browser.page({ viewport: { width: 320, height: 640 } })
  const again = await platform.call(linkConnectedAccount, {
    body: { auth_config_id: token, user_id: 'bob', alternative_auth_config_ids: [] },
  })
  await accessible.goto(again.body.redirect_url)
  assert.equal(await accessible.getByRole('navigation').count(), 0, 'one way needs no choice')
})

test('a choice of thirty sites has its button on the first screen, in each language and theme', async (t) => {
  const sites = Array.from({ length: 30 }, (_, number) => ({ id: `s-${number}`, name: `Site ${number}` }))
  const { url, browser } = await atLink(t, {}, sites)
  const page = await browser.page()
  await page.goto(url)
  await page.getByLabel('API key').fill('key-123456')
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.waitForURL(/\/choose\/cw_/)
  const choice = page.url()
  assert.deepEqual(await firstScreenFaults(page, choice, 'choice'), [])
  await saveFirstScreens(page, choice, 'choice')
  await page.goto(`${choice}?lang=en`)
  await page.getByLabel('Site 29').check()
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.waitForSelector('text=You are connected as Ada, s-29.')
})
