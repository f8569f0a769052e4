import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Page, Response } from 'playwright-core'
import { catalogFromSources } from '../../src/catalog/index.ts'
import { sampleSource, sampleTool } from '../fixtures/sample-toolkits.ts'
import { linkConnectedAccount, refreshConnectedAccount } from '../../src/contract/connected-accounts/index.ts'
import { updateProjectConfig } from '../../src/contract/projects/index.ts'
import { PROVIDER_ERRORS } from '../../src/features/connected-accounts/pages/wording/provider-errors.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { startPlatform } from '../e2e/platform.ts'
import { assertAccessible, tabOrder } from '../fixtures/accessible.ts'
import { startBrowser, type TestBrowser } from '../fixtures/browser.ts'
import { openPageFaults } from '../fixtures/first-screen.ts'
import { upstream } from '../fixtures/upstream.ts'
import { ICON, SHOP_FIELDS } from './shop.ts'

const FIELDS = [
  ...SHOP_FIELDS,
  {
    name: 'certificate',
    display_name: 'Certificate',
    description: 'The file that you downloaded with the key.',
    multiline: true,
    required: false,
    example: '-----BEGIN CERTIFICATE-----',
  },
  {
    name: 'sandbox',
    display_name: 'This is a test shop',
    description: 'Orders are not carried out there.',
    type: 'boolean',
    required: false,
  },
]
const LOOKS = {
  light: { viewport: { width: 1000, height: 800 }, colorScheme: 'light' },
  'small-dark': { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
} as const

/** A server with one toolkit, of which accounts are connected with a key or through a provider that is a stub. */
async function shop(
  t: TestContext,
  {
    toolkit = {},
    icon = ICON,
    displayName = 'Lantern Support',
  }: { toolkit?: Record<string, unknown>; icon?: string; displayName?: string } = {},
) {
  const stub = await upstream(t, ({ path, headers }) =>
    path === '/token'
      ? { json: { access_token: 'at-secret-1' } }
      : path === '/me' && headers['x-key'] !== 'right-key'
        ? { status: 401, json: { message: 'This key is not known.' } }
        : { json: { id: '7' } },
  )
  const catalog = catalogFromSources([
    {
      ...sampleSource(
        {
          base_url: stub.url,
          ...toolkit,
          auth: [
            {
              scheme: 'API_KEY',
              apply: { headers: { 'x-key': '{generic_api_key}' } },
              validate: { path: '/me' },
              hint_url: 'https://docs.shop.example/keys',
              fields: { connected_account_initiation: FIELDS },
            },
            {
              scheme: 'OAUTH2',
              authorize: { url: `${stub.url}/authorize` },
              token: { url: `${stub.url}/token` },
              refresh: { rotates: 'sometimes' },
              scopes: { default: ['orders:read', 'orders:write', 'email', 'offline_access'] },
            },
          ],
        },
        [sampleTool({ scopes: { all_of: ['orders:read'] } })],
      ),
      icon,
    },
  ])
  const platform = await startPlatform(t, { catalog })
  await platform.call(updateProjectConfig, {
    body: { display_name: displayName, logo_url: `${platform.url}/logos/shop.svg` },
  })
  const [key, oauth] = [
    await platform.authConfig('shop', 'API_KEY'),
    await platform.authConfig('shop', 'OAUTH2', { client_id: 'c', client_secret: 'client-secret-1' }),
  ]
  const link = async (config: string, more: Record<string, unknown> = {}) =>
    (
      await platform.call(linkConnectedAccount, {
        body: { auth_config_id: config, user_id: 'ada', ...more } as never,
      })
    ).body
  return { platform, stub, link, key, oauth, callback: `${platform.url}/api/v3/toolkits/auth/callback` }
}
type Shop = Awaited<ReturnType<typeof shop>>

/** Rules for every page: what no browser may do with it, and what it must not contain. */
async function assertSound(page: Page, response: Response | null, name: string): Promise<void> {
  const headers = (await response?.allHeaders()) ?? {}
  assert.match(
    headers['content-security-policy'] ?? '',
    /^default-src 'none'; style-src 'sha256-[^']+'; img-src [^;]+; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    name,
  )
  assert.deepEqual(
    [headers['cache-control'], headers['referrer-policy'], headers['x-content-type-options']],
    ['no-store', 'no-referrer', 'nosniff'],
    name,
  )
  assert.doesNotMatch(
    `${page.url()} ${await page.content()}`,
    /at-secret|client-secret|right-key|code_verifier/,
    name,
  )
  await assertAccessible(page, name)
}

/** From a link to the provider; answers the state that it was given. */
async function toProvider(page: Page, { link, oauth, stub }: Shop): Promise<string> {
  await page.goto((await link(oauth)).redirect_url)
  await page.getByRole('button', { name: /^Continue to/ }).click()
  await page.waitForURL(`${stub.url}/authorize**`)
  return new URL(page.url()).searchParams.get('state') as string
}

/** Every page that a user can meet, by name: how to get there. */
const PAGES: Record<string, (page: Page, shop: Shop) => Promise<Response | null>> = {
  form: async (page, { link, key }) => page.goto((await link(key)).redirect_url),
  'form-errors': async (page, { link, key }) => {
    await page.goto((await link(key)).redirect_url)
    await page.getByLabel('Subdomain').fill('Not Right!')
    return submit(page, 'Connect')
  },
  'form-refused': async (page, { link, key }) => {
    await page.goto(
      (await link(key, { connection_data: { subdomain: 'acme', region: 'Europe' } })).redirect_url,
    )
    await page.getByLabel('API key').fill('wrong')
    return submit(page, 'Connect')
  },
  consent: async (page, { link, oauth }) => page.goto((await link(oauth)).redirect_url),
  connected: async (page, shop) => page.goto(`${shop.callback}?code=c&state=${await toProvider(page, shop)}`),
  'reconnect-key': async (page, { platform, link, key }) => {
    const { connected_account_id: id } = await link(key, {
      connection_data: { subdomain: 'acme', region: 'Europe', generic_api_key: 'k' },
    })
    await platform.app.db.run(sql`update connected_accounts set status = 'EXPIRED' where id = ${id}`)
    return page.goto((await link(key, { connected_account_id: id })).redirect_url)
  },
  'reconnect-oauth': async (page, { platform, oauth }) => {
    const id = await platform.connect(oauth, 'OAUTH2', 'ada', {
      status: 'ACTIVE',
      access_token: 'at-secret-0',
    })
    return page.goto(
      (await platform.call(refreshConnectedAccount, { params: { nanoid: id } })).body.redirect_url as string,
    )
  },
  expired: async (page, { platform, link, key }) => {
    const { redirect_url: url, connected_account_id: id } = await link(key)
    await platform.app.db.run(
      sql`update connect_links set expires_at = now() - interval '1 second' where connected_account_id = ${id}`,
    )
    return page.goto(url)
  },
  used: async (page, shop) => {
    const back = `${shop.callback}?code=c&state=${await toProvider(page, shop)}`
    await page.goto(back)
    return page.goto(back)
  },
  unknown: (page, { platform }) => page.goto(`${platform.url}/link/lk_${'A'.repeat(32)}`),
  'other-browser': async (page, shop) => {
    const state = await toProvider(page, shop)
    await page.context().clearCookies()
    return page.goto(`${shop.callback}?code=c&state=${state}`)
  },
  'no-state': (page, { callback }) => page.goto(`${callback}?code=c`),
  'no-cookie': async (page, { link, key }) => {
    await page.goto((await link(key)).redirect_url)
    await page.context().clearCookies()
    return submit(page, 'Connect')
  },
  'too-large': async (page, { link, key }) => {
    await page.goto((await link(key)).redirect_url)
    await page.getByLabel('Certificate').fill('x'.repeat(70_000))
    return submit(page, 'Connect')
  },
  'nothing-here': (page, { platform }) => page.goto(`${platform.url}/link/a/b`),
}

async function submit(page: Page, name: string): Promise<Response> {
  const [response] = await Promise.all([
    page.waitForResponse((one) => one.request().method() === 'POST'),
    page.getByRole('button', { name }).click(),
  ])
  await page.waitForLoadState()
  return response
}

test('every page is sound and accessible, light and dark, on a large screen and a small one', async (t) => {
  const it = await shop(t)
  const browser = await startBrowser(t)
  for (const [look, options] of Object.entries(LOOKS)) {
    for (const [name, reach] of Object.entries(PAGES)) {
      const page = await browser.page(options)
      await assertSound(page, await reach(page, it), `${name} ${look}`)
      await browser.saveScreenshot(page, `${name}-${look}`)
      if (look === 'light') assert.deepEqual(await openPageFaults(page, name), [])
      await page.context().close()
    }
  }
})

test('every error of a provider is explained on the first screen of a page', async (t) => {
  const it = await shop(t)
  const browser = await startBrowser(t)
  // German has the longest texts.
  for (const locale of ['en-US', 'de-DE']) await checkProviderErrors(it, browser, locale)
})

async function checkProviderErrors(it: Shop, browser: TestBrowser, locale: string): Promise<void> {
  const page = await browser.page({ ...LOOKS.light, locale })
  const titles = new Set<string>()
  for (const error of [...Object.keys(PROVIDER_ERRORS), 'something_else']) {
    await page.goto(
      String((await it.platform.tryConnect(it.oauth, 'OAUTH2', 'ada', {})).body['redirect_url']),
    )
    const state = new URL(page.url()).searchParams.get('state') as string
    await assertSound(
      page,
      await page.goto(
        `${it.callback}?${new URLSearchParams({ error, error_description: 'Said <b>by</b> the provider.', state })}`,
      ),
      error,
    )
    const title = await page.getByRole('heading', { level: 1 }).innerText()
    assert.doesNotMatch(await page.locator('main').innerText(), /\{\w+\}|undefined/, error)
    if (!titles.has(title)) await browser.saveScreenshot(page, `failure-${error}-${locale}`)
    assert.deepEqual(await openPageFaults(page, `${error}, ${locale}`), [])
    titles.add(title)
  }
  assert.ok(titles.size > 10)
}

test('long and foreign names, and pictures that are missing, break nothing', async (t) => {
  const browser = await startBrowser(t)
  const cases = {
    long: {
      toolkit: { name: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft' },
      displayName: 'A'.repeat(60),
    },
    rtl: { toolkit: { name: 'متجر الزهور' }, displayName: 'שירות לקוחות (2024)' },
  }
  for (const [name, options] of Object.entries(cases)) {
    const it = await shop(t, options)
    await it.platform.call(updateProjectConfig, { body: { logo_url: `${it.platform.url}/nowhere.png` } })
    for (const [kind, config] of [
      ['form', it.key],
      ['consent', it.oauth],
    ] as const) {
      const page = await browser.page({ ...LOOKS['small-dark'], colorScheme: 'light' })
      await assertSound(page, await page.goto((await it.link(config)).redirect_url), `${name} ${kind}`)
      await browser.saveScreenshot(page, `${name}-${kind}`)
    }
  }
})

test('the Tab key leads through a form in its order, and everything shows the focus', async (t) => {
  const it = await shop(t)
  const browser = await startBrowser(t)
  const page = await browser.page(LOOKS.light)
  await PAGES['form']?.(page, it)
  assert.deepEqual(await tabOrder(page), [
    'f-subdomain',
    'f-region',
    'f-generic_api_key',
    'f-certificate',
    'f-sandbox',
    'Where do I find this at Shop?',
    'Connect',
  ])
  await PAGES['form-errors']?.(page, it)
  assert.deepEqual((await tabOrder(page)).slice(0, 3), [
    'Subdomain does not have the right format',
    'Choose a value for Region.',
    'Enter a value for API key.',
  ])
  await browser.saveScreenshot(page, 'focus')
  await PAGES['reconnect-oauth']?.(page, it)
  assert.deepEqual(await tabOrder(page), ['Continue to Shop'])
})
