import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { createLog } from '../../src/platform/log.ts'
import { createConsoleAssets } from '../../src/server/console/assets.ts'
import { startPlatform, type Platform } from '../e2e/platform.ts'
import { axeViolations, horizontalOverflow, setTheme } from '../fixtures/axe.ts'
import { startBrowser, type TestBrowser } from '../fixtures/browser.ts'

// Shared by all test files: the console is built once for each state of its sources.
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/console')

export const VIEWPORTS = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const

export interface TestConsole extends Platform {
  browser: TestBrowser
  /** Opens a page of the console, signed in with the key of the first project, or `key`; `null`: not signed in. */
  open(path: string, options?: OpenOptions): Promise<Page>
}

export interface OpenOptions extends BrowserContextOptions {
  key?: string | null
}

/**
 * The real application with its console on a port of its own, and a browser. Violations of the content security policy
 * and script errors fail the test (fixtures/browser.ts).
 */
export async function startConsole(
  t: TestContext,
  options: Parameters<typeof startPlatform>[1] = {},
): Promise<TestConsole> {
  const assets = createConsoleAssets({ folder: CACHE, log: createLog('silent') })
  const platform = await startPlatform(t, { console: assets, ...options })
  await assets.get()
  const browser = await startBrowser(t)
  return {
    ...platform,
    browser,
    async open(path, { key = platform.keys.projectApiKey, ...context } = {}) {
      const page = await browser.page({ viewport: VIEWPORTS.desktop, ...context })
      if (key !== null) await signIn(page, platform.url, key)
      await page.goto(`${platform.url}/console${path}`)
      await page.locator('h1').first().waitFor()
      return page
    },
  }
}

/** Signs the browser of a page in with an API key, without the form. */
export async function signIn(page: Page, url: string, key: string): Promise<void> {
  const reply = await page.request.post(`${url}/console/auth/key`, {
    data: { key },
    headers: { 'x-patchbay-console': '1', origin: url },
  })
  assert.equal(reply.status(), 204, await reply.text())
}

/** Checks a page in both themes with axe (WCAG 2.2 A and AA), and that it is not wider than the screen. */
export async function assertAccessible(page: Page, name: string): Promise<void> {
  // At another place, the header covers a part of what is below it, and axe takes targets there for too small.
  await page.evaluate('scrollTo(0, 0)')
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme)
    assert.deepEqual(await axeViolations(page), [], `${name}, ${theme}`)
  }
  const excess = await horizontalOverflow(page)
  assert.ok(excess <= 0, `${name} is wider than the screen by ${excess} pixels`)
}

/** Checks a page in both sizes and themes, and saves screenshots for people. */
export async function checkBothSizes({ browser }: TestConsole, page: Page, name: string): Promise<void> {
  await assertAccessible(page, name)
  await browser.saveScreenshot(page, `console-${name}`)
  await page.setViewportSize(VIEWPORTS.phone)
  await assertAccessible(page, `${name} on a phone`)
  await browser.saveScreenshot(page, `console-${name}-phone`)
  await page.setViewportSize(VIEWPORTS.desktop)
}
