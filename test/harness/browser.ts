import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const INSTALL_TIMEOUT_MS = 300_000

/** A Chromium of this machine. Without one, root installs that of Debian; anybody else is told how to. */
function executable(): string {
  const found = PLACES.find((path) => existsSync(path))
  if (found) return found
  if (process.getuid?.() === 0) {
    console.error('no Chromium: installing the package chromium with apt-get')
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], {
      stdio: 'ignore',
      timeout: INSTALL_TIMEOUT_MS,
    })
    const installed = PLACES.find((path) => existsSync(path))
    if (installed) return installed
  }
  throw new Error(
    `These tests need a Chromium at one of ${PLACES.join(', ')}. On Debian and Ubuntu: apt-get install chromium`,
  )
}

export interface TestBrowser {
  /** A page of a user who was never here. What the console says about violated policies, and errors of the page, fail the test. */
  page(options?: BrowserContextOptions): Promise<Page>
  /** Keeps a picture of the page in a temporary folder. */
  picture(page: Page, name: string): Promise<void>
}

export async function startBrowser(t: TestContext): Promise<TestBrowser> {
  const browser = await chromium.launch({ executablePath: executable(), args: FLAGS, timeout: 60_000 })
  const wrong: string[] = []
  t.after(async () => {
    await browser.close()
    if (wrong.length) throw new Error(`the pages broke a rule: ${wrong.join('; ')}`)
  })
  const folder = join(process.env['BROWSER_PICTURES'] ?? join(tmpdir(), 'patchbay-pictures'))
  await mkdir(folder, { recursive: true })
  return {
    async page(options = {}) {
      const context = await browser.newContext({ viewport: { width: 1000, height: 900 }, ...options })
      context.setDefaultTimeout(20_000)
      const page = await context.newPage()
      page.on('console', (message) => {
        if (/content security policy|refused to/i.test(message.text())) wrong.push(message.text())
      })
      page.on('pageerror', (error) => wrong.push(error.message))
      return page
    },
    async picture(page, name) {
      await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
    },
  }
}
