import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { catalogFromSources } from '../../src/catalog/index.ts'
import { sampleSource, sampleTool } from '../fixtures/sample-toolkits.ts'
import { linkConnectedAccount } from '../../src/contract/connected-accounts/index.ts'
import { updateProjectConfig } from '../../src/contract/projects/index.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { issuerCatalog, clientOf } from '../e2e/issuer.ts'
import { type Platform, startPlatform } from '../e2e/platform.ts'
import { startBrowser } from '../fixtures/browser.ts'
import { upstream } from '../fixtures/upstream.ts'
import { startOidcProvider } from '../fixtures/real-applications/oidc-provider.ts'
import { ICON, SHOP_FIELDS } from './shop.ts'

const FIELDS = [
  ...SHOP_FIELDS,
  {
    name: 'note',
    display_name: 'Note',
    description: 'Anything that helps you to recognise this connection.',
    required: false,
  },
]

/** A shop that takes one key, and a browser at a link to it. */
async function atLink(t: TestContext, body: Record<string, unknown> = {}) {
  const shop = await upstream(t, ({ headers }) =>
    headers['x-key'] === 'right-key'
      ? { json: { id: '7' } }
      : { status: 401, json: { message: 'This key is not known.' } },
  )
  const tools = [
    sampleTool(),
    sampleTool({
      slug: 'SHOP_CREATE_ORDER',
      name: 'Create order',
      effect: 'create',
      request: { method: 'POST', path: '/orders' },
      input: { type: 'object', properties: {} },
    }),
  ]
  const catalog = catalogFromSources([
    {
      ...sampleSource(
        {
          base_url: shop.url,
          auth: [
            {
              scheme: 'API_KEY',
              apply: { headers: { 'x-key': '{generic_api_key}' } },
              validate: { path: '/me' },
              hint_url: 'https://docs.shop.example/keys',
              fields: { connected_account_initiation: FIELDS },
            },
          ],
        },
        tools,
      ),
      icon: ICON,
    },
  ])
  const platform = await startPlatform(t, { catalog })
  await platform.call(updateProjectConfig, {
    body: { display_name: 'Lantern Support', logo_url: `${platform.url}/logos/shop.svg` },
  })
  const config = await platform.authConfig('shop', 'API_KEY')
  return { platform, ...(await newLink(platform, config, body)), browser: await startBrowser(t) }
}

async function newLink(platform: Platform, config: string, body: Record<string, unknown> = {}) {
  const reply = await platform.call(linkConnectedAccount, {
    body: { auth_config_id: config, user_id: 'ada', ...body } as never,
  })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return { url: reply.body.redirect_url, account: reply.body.connected_account_id }
}

const type = (page: Page, text: string) => page.keyboard.type(text)
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const focused = (page: Page) =>
  page.evaluate<string>(
    'document.activeElement.id || document.activeElement.className || document.activeElement.tagName',
  )
const widerThanScreen = (page: Page) =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth')

test(
  'connect page: a key is connected with the keyboard alone; an error is next to its field and is announced to a ' +
    'screen reader',
  async (t) => {
    const { platform, url, account, browser } = await atLink(t)
    const page = await browser.page()
    await page.goto(url)
    await browser.saveScreenshot(page, 'form')
    await press(page, 'Tab')
    assert.equal(await focused(page), 'f-subdomain')
    await type(page, 'Not Right!')
    await press(page, 'Enter')
    await page.waitForSelector('.errors')
    assert.equal(await focused(page), 'errors', 'the summary of errors has the focus')
    await browser.saveScreenshot(page, 'form-errors')
    const field = page.getByLabel('Subdomain')
    assert.equal(await field.inputValue(), 'Not Right!')
    assert.equal(await field.getAttribute('aria-invalid'), 'true')
    const about = await page.evaluate<string>(
      "document.getElementById('f-subdomain').getAttribute('aria-describedby').split(' ').map((id) => " +
        "document.getElementById(id).textContent).join(' ')",
    )
    assert.match(about, /first part of the address.*does not have the right format.*acme/)
    assert.equal(await page.title(), 'Error: Connect Shop')
    await page.locator('.errors a').first().focus()
    await press(page, 'Enter')
    assert.equal(await focused(page), 'f-subdomain', 'the summary leads to the field')
    await press(page, 'Control+A')
    await type(page, 'acme')
    await press(page, 'Tab')
    await type(page, 'Eur')
    await press(page, 'Tab')
    await type(page, 'wrong-key')
    await press(page, 'Enter')
    await page.waitForSelector('text=This key is not known.')
    assert.equal(await focused(page), 'errors', 'and has it again')
    await browser.saveScreenshot(page, 'form-refused')
    assert.deepEqual(
      [
        await page.getByLabel('Subdomain').inputValue(),
        await page.getByLabel('Region').inputValue(),
        await page.getByLabel('API key').inputValue(),
      ],
      ['acme', 'Europe', ''],
    )
    await page.getByLabel('API key').focus()
    await type(page, 'right-key')
    await press(page, 'Enter')
    await page.waitForSelector('text=Shop is connected')
    await browser.saveScreenshot(page, 'connected')
    assert.equal((await platform.account(account)).status, 'ACTIVE')
    await page.goto(url)
    await page.waitForSelector('text=This link has expired')
    await browser.saveScreenshot(page, 'expired')
  },
)

test('the page fits a small screen, dark or light, without a script, and leads back to the application', async (t) => {
  const done = await upstream(t, () => ({ text: 'home' }))
  const { platform, url, account, browser } = await atLink(t, {
    callback_url: `${done.url}/done?tab=2`,
    connection_data: { subdomain: 'a-very-long-name-of-a-shop-that-somebody-chose-in-a-good-mood' },
  })
  const page = await browser.page({
    viewport: { width: 360, height: 740 },
    colorScheme: 'dark',
    javaScriptEnabled: false,
  })
  await page.goto(url)
  await browser.saveScreenshot(page, 'small-dark')
  const seeing = await browser.page({ viewport: { width: 320, height: 640 } })
  await seeing.goto(url)
  assert.equal(await widerThanScreen(seeing), false)
  await browser.saveScreenshot(seeing, 'small-light')
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.waitForSelector('.errors')
  await browser.saveScreenshot(page, 'small-dark-errors')
  await page.getByLabel('Region').selectOption('Europe')
  await page.getByLabel('API key').fill('right-key')
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.waitForURL(`${done.url}/done?tab=2&status=success&connected_account_id=${account}`)
  assert.equal((await platform.account(account)).status, 'ACTIVE')
})

test('connect page: an OAuth flow succeeds, a declined flow is explained, and an expired link says so', async (t) => {
  const platform = await startPlatform(t, { catalog: issuerCatalog() })
  const provider = await startOidcProvider({
    redirectUris: [`${platform.url}/api/v3/toolkits/auth/callback`],
  })
  t.after(() => provider.stop())
  const config = await platform.authConfig('issuer', 'OAUTH2', clientOf(provider))
  const browser = await startBrowser(t)
  const page = await browser.page()

  const granted = await newLink(platform, config)
  await page.goto(granted.url)
  await browser.saveScreenshot(page, 'oauth')
  await page.getByRole('button', { name: 'Continue to Issuer' }).click()
  await page.waitForSelector('input[type=password]')
  await page.locator('input[name=login]').fill('ada')
  await page.locator('input[type=password]').fill('any password')
  await page.locator('[type=submit]').first().click()
  await page.locator('[type=submit]:has-text("Continue"), button:has-text("Continue")').first().click()
  await page.waitForSelector('text=Issuer is connected')
  assert.equal((await platform.account(granted.account)).status, 'ACTIVE')

  const denied = await newLink(platform, config)
  const other = await browser.page()
  await other.goto(denied.url)
  await other.getByRole('button', { name: 'Continue to Issuer' }).click()
  await other.locator('input[name=login]').fill('ben')
  await other.locator('input[type=password]').fill('any password')
  await other.locator('[type=submit]').first().click()
  await other.locator('a:has-text("Cancel")').click()
  await other.waitForSelector('text=You did not give access')
  await browser.saveScreenshot(other, 'denied')
  assert.equal((await platform.account(denied.account)).status, 'FAILED')

  const late = await newLink(platform, config)
  await platform.app.db.run(sql`update connect_links set expires_at = now() - interval '1 second'`)
  await page.goto(late.url)
  await page.waitForSelector('text=This link has expired')
})
