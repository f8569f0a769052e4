import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { build, stop } from 'esbuild'
import type { Page } from 'playwright-core'
import { catalogFromSources } from '../../src/catalog/index.ts'
import { linkConnectedAccount } from '../../src/contract/connected-accounts/index.ts'
import { type Platform, startPlatform } from '../e2e/platform.ts'
import { startBrowser } from '../fixtures/browser.ts'
import { sampleSource } from '../fixtures/sample-toolkits.ts'
import { upstream } from '../fixtures/upstream.ts'

const EXAMPLE = join(import.meta.dirname, '../../examples/connect-react')

/** The React example as one script, with a page around it. */
async function bundleExample(): Promise<string> {
  const contents = `
    import { createRoot } from 'react-dom/client'
    import { createElement } from 'react'
    import { ConnectButton } from './connect-button.tsx'
    const createLink = () => fetch('/link', { method: 'POST' }).then((reply) => reply.json())
    const onConnected = (id) => { document.title = 'connected ' + id }
    createRoot(document.getElementById('root'))
      .render(createElement(ConnectButton, { name: 'Shop', createLink, onConnected }))`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: EXAMPLE, loader: 'js' },
    bundle: true,
    write: false,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  // Its service is a process of its own.
  await stop()
  return outputFiles[0]!.text
}

interface Application {
  url: string
  /** The response of its backend to a request for a link. */
  link: unknown
}

/** An application of its own origin: a page with the React button, a callback page, and a backend that makes links. */
async function startApplication(t: TestContext, patchbayUrl: string): Promise<Application> {
  const script = await bundleExample()
  const head =
    '<!doctype html><html lang="en"><title>App</title><link rel="icon" href="data:,">' +
    `<script src="${patchbayUrl}/connect.js"></script>`
  const files: Record<string, [type: string, body: () => string]> = {
    '/': ['text/html', () => `${head}<div id="root"></div><script src="/example.js"></script>`],
    '/connected': ['text/html', () => `${head}<p>Done.</p><script>Patchbay.finishConnect()</script>`],
    '/example.js': ['text/javascript', () => script],
    '/link': ['application/json', () => JSON.stringify(application.link)],
  }
  const server = createServer(({ url = '/' }, reply) => {
    const [type, body] = files[url.split('?', 1)[0] as string] ?? ['text/plain', () => '']
    reply.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, 'localhost', resolve)
  })
  t.after(() => server.close())
  const application = { url: `http://localhost:${(server.address() as AddressInfo).port}`, link: {} }
  return application
}

interface Stage {
  platform: Platform
  application: Application
  page: Page
  /** Creates the link that the backend of the application returns next; returns the id of its account. */
  newLink(): Promise<string>
  openPopup(): Promise<Page>
}

async function setUp(t: TestContext): Promise<Stage> {
  const shop = await upstream(t, () => ({ json: { id: 'p-7' } }))
  const auth = [{ scheme: 'API_KEY', apply: { headers: { 'x-key': '{generic_api_key}' } } }]
  const catalog = catalogFromSources([sampleSource({ base_url: shop.url, auth })])
  const platform = await startPlatform(t, { catalog })
  const application = await startApplication(t, platform.url)
  const config = await platform.authConfig('shop', 'API_KEY')
  const page = await (await startBrowser(t)).page()
  return {
    platform,
    application,
    page,
    async newLink() {
      const body = { auth_config_id: config, user_id: 'ada', callback_url: `${application.url}/connected` }
      const link = await platform.call(linkConnectedAccount, { body })
      application.link = link.body
      return link.body.connected_account_id
    },
    async openPopup() {
      const button = page.getByRole('button', { name: 'Connect Shop' })
      const [popup] = await Promise.all([page.waitForEvent('popup'), button.click()])
      return popup
    },
  }
}

test('/connect.js: the React example connects an account in a popup', async (t) => {
  const stage = await setUp(t)
  await testResults(t, stage)
  await testRejections(t, stage)
})

async function testResults(t: TestContext, { platform, application, page, newLink, openPopup }: Stage) {
  await t.test('the page receives the account, the popup closes, and has no access to the page', async () => {
    const account = await newLink()
    await page.goto(application.url)
    const popup = await openPopup()
    await popup.getByLabel('API key').fill('key-123456')
    assert.equal(await popup.evaluate('window.opener'), null)
    await Promise.all([popup.waitForEvent('close'), popup.keyboard.press('Enter')])
    await page.waitForFunction(`document.title === 'connected ${account}'`)
    assert.equal((await platform.account(account)).status, 'ACTIVE')
  })

  await t.test('Cancel returns to the page, and the link still works', async () => {
    const account = await newLink()
    await page.goto(application.url)
    const popup = await openPopup()
    const closed = popup.waitForEvent('close')
    await popup.getByRole('link', { name: 'Cancel' }).click()
    await closed
    await page.getByText('The account was not connected. Try again.').waitFor()
    assert.notEqual((await platform.account(account)).status, 'ACTIVE')
    const again = await openPopup()
    await again.getByLabel('API key').fill('key-123456')
    await again.keyboard.press('Enter')
    await page.waitForFunction(`document.title === 'connected ${account}'`)
  })
}

async function testRejections(t: TestContext, { platform, application, page, newLink, openPopup }: Stage) {
  await t.test('the result of another account is not used for this one', async () => {
    await newLink()
    await page.goto(application.url)
    const popup = await openPopup()
    await popup.getByLabel('API key').waitFor()
    const stranger = await page.context().newPage()
    await stranger.goto(`${application.url}/connected?status=success&connected_account_id=ca_000000000000`)
    await stranger.close()
    assert.equal(await page.title(), 'App')
    await popup.close()
    await page.bringToFront()
    await page.getByText('The window was closed. Nothing was connected.').waitFor()
  })

  await t.test('a link that is none is rejected, and its popup is closed', async () => {
    for (const link of [{}, { redirect_url: 'javascript:alert(1)' }, { redirect_url: 7 }])
      await assertRejected(page, application, link)
  })

  await t.test('the script is cached, and may be loaded by isolated pages', async () => {
    const first = await fetch(`${platform.url}/connect.js`)
    assert.match(first.headers.get('content-type') ?? '', /^text\/javascript/)
    assert.equal(first.headers.get('cross-origin-resource-policy'), 'cross-origin')
    await first.text()
    const etag = first.headers.get('etag') ?? ''
    const again = await fetch(`${platform.url}/connect.js`, { headers: { 'if-none-match': etag } })
    assert.equal(again.status, 304)
  })
}

async function assertRejected(page: Page, application: Application, link: unknown): Promise<void> {
  application.link = link
  await page.goto(application.url)
  await page.getByRole('button', { name: 'Connect Shop' }).click()
  await page.getByText('The account was not connected. Try again.').waitFor()
  assert.equal(page.context().pages().length, 1, 'the popup is closed')
}
