import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { linkConnectedAccount } from '../../src/contract/connected-accounts/index.ts'
import { createApprovalLink, createPolicy } from '../../src/contract/policies/index.ts'
import { executeTool } from '../../src/contract/tools/index.ts'
import { type Platform, startPlatform } from '../e2e/platform.ts'
import { startBrowser } from '../fixtures/browser.ts'

const TOOLKITS = join(import.meta.dirname, '../../toolkits')
const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt']
const SCREENS = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const
const OF_EACH = 3
const SCREENSHOTS = process.env['BROWSER_SCREENSHOTS'] ?? join(tmpdir(), 'patchbay-screenshots')

interface Scheme {
  scheme: string
  fields?: { connected_account_initiation?: unknown[] }
  scopes?: { default?: unknown[] }
}
interface Connection {
  toolkit: string
  scheme: string
  credentials: Record<string, string>
}

/** The toolkits whose users fill in the most fields, and those that ask for the most scopes, from the manifests. */
function largestToolkits(): Connection[] {
  const schemes = globSync('*/toolkit.json', { cwd: TOOLKITS }).flatMap((file) => {
    const { slug, auth = [] } = JSON.parse(readFileSync(join(TOOLKITS, file), 'utf8')) as {
      slug: string
      auth?: Scheme[]
    }
    return auth.map((one) => ({
      toolkit: slug,
      scheme: one.scheme,
      fields: one.fields?.connected_account_initiation?.length ?? 0,
      scopes: one.scopes?.default?.length ?? 0,
    }))
  })
  const largest = (of: 'fields' | 'scopes') =>
    schemes.toSorted((one, other) => other[of] - one[of]).slice(0, OF_EACH)
  return [...largest('fields'), ...largest('scopes')].map(({ toolkit, scheme }) => ({
    toolkit,
    scheme,
    credentials: (scheme === 'OAUTH2' ? { client_id: 'c', client_secret: 's' } : {}) as Record<
      string,
      string
    >,
  }))
}

/** Returns where the page has its primary button too low, with the pixels that are missing, in both themes. */
async function lowButtons(page: Page, url: string, name: string): Promise<string[]> {
  const faults: string[] = []
  for (const language of LANGUAGES)
    for (const [screen, size] of Object.entries(SCREENS)) {
      await page.setViewportSize(size)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.goto(`${url}${url.includes('?') ? '&' : '?'}lang=${language}`)
        assert.equal(await page.locator('html').getAttribute('lang'), language, name)
        const box = await page.locator('button:not(.quiet), a.action:not(.quiet)').first().boundingBox()
        assert.ok(box, `${name} has a primary button`)
        const missing = Math.ceil(box.y + box.height - size.height)
        if (missing > 0)
          faults.push(`${name}, ${language}, ${screen}, ${colorScheme}: ${missing} pixels below`)
      }
    }
  return faults
}

/** Saves what people see before they scroll, which screenshots of whole pages do not show. */
async function saveFirstScreens(page: Page, url: string, name: string): Promise<void> {
  for (const [screen, size] of Object.entries(SCREENS)) {
    await page.setViewportSize(size)
    await page.goto(`${url}${url.includes('?') ? '&' : '?'}lang=de`)
    await page.screenshot({ path: join(SCREENSHOTS, `first-screen-${name}-${screen}.png`) })
  }
}

/** A link to the approval of a call with nine arguments. */
async function approvalUrl({ call }: Platform): Promise<string> {
  const tool = 'UTILITIES_ADD_TO_DATE'
  const policy = await call(createPolicy, {
    body: { name: 'Ask about dates', outcome: 'ask', when: { tools: [tool] } } as never,
  })
  assert.equal(policy.status, 201, JSON.stringify(policy.body))
  const units = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds']
  const { body } = await call(executeTool, {
    params: { tool_slug: tool },
    body: {
      user_id: 'ada',
      arguments: {
        date: '2026-02-03T09:12:44Z',
        timezone: 'America/Argentina/Buenos_Aires',
        ...Object.fromEntries(units.map((unit) => [unit, 1])),
      },
    },
  })
  const { approval } = (body as { data: { approval: { id: string } } }).data
  return (await call(createApprovalLink, { params: { approval_id: approval.id } })).body.url
}

test('hosted pages: the primary button is on the first screen, in each language and theme', async (t: TestContext) => {
  const platform = await startPlatform(t)
  const browser = await startBrowser(t)
  const page = await browser.page()
  for (const { toolkit, scheme, credentials } of largestToolkits())
    await t.test(`connect page of ${toolkit} (${scheme})`, async () => {
      const config = await platform.authConfig(toolkit, scheme as 'OAUTH2', credentials)
      const { body } = await platform.call(linkConnectedAccount, {
        body: { auth_config_id: config, user_id: 'ada' },
      })
      const faults = await lowButtons(page, body.redirect_url, toolkit)
      await saveFirstScreens(page, body.redirect_url, toolkit)
      assert.deepEqual(faults, [])
    })

  await t.test('approval of a call with nine arguments', async () => {
    const url = await approvalUrl(platform)
    const faults = await lowButtons(page, url, 'approval')
    await saveFirstScreens(page, url, 'approval')
    assert.deepEqual(faults, [])
  })
})
