import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { linkConnectedAccount } from '../../src/contract/connected-accounts/index.ts'
import { createApprovalLink, createPolicy } from '../../src/contract/policies/index.ts'
import { executeTool } from '../../src/contract/tools/index.ts'
import { type Platform, startPlatform } from '../e2e/platform.ts'
import { startBrowser } from '../fixtures/browser.ts'
import { firstScreenFaults, inLanguage, saveFirstScreens, SCREENS } from '../fixtures/first-screen.ts'

const TOOLKITS = join(import.meta.dirname, '../../toolkits')
const OF_EACH = 3

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

/** A link to the approval of a call with nine arguments. */
async function approvalUrl({ call }: Platform, user = 'ada'): Promise<string> {
  const tool = 'UTILITIES_ADD_TO_DATE'
  const policy = await call(createPolicy, {
    body: { name: 'Ask about dates', outcome: 'ask', when: { tools: [tool] } } as never,
  })
  assert.equal(policy.status, 201, JSON.stringify(policy.body))
  const units = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds']
  const { body } = await call(executeTool, {
    params: { tool_slug: tool },
    body: {
      user_id: user,
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
      const faults = await firstScreenFaults(page, body.redirect_url, toolkit)
      await saveFirstScreens(page, body.redirect_url, toolkit)
      assert.deepEqual(faults, [])
    })

  await t.test('approval of a call with nine arguments', async () => {
    const url = await approvalUrl(platform)
    const faults = await firstScreenFaults(page, url, 'approval')
    await saveFirstScreens(page, url, 'approval')
    assert.deepEqual(faults, [])
  })

  await t.test('an approval is allowed after its last argument was seen, and denied at once', () =>
    checkReading(page, platform),
  )

  await t.test('an approval without scripts has its buttons after the last argument', async () => {
    const plain = await browser.page({ viewport: SCREENS.phone, javaScriptEnabled: false })
    await plain.goto(await approvalUrl(platform, 'no-script'))
    const position = await plain.evaluate<string>(
      "getComputedStyle(document.querySelector('form.bar')).position",
    )
    assert.equal(position, 'static')
    await plain.getByRole('button', { name: 'Allow once' }).click()
    await plain.getByRole('heading', { name: 'Allowed' }).waitFor()
  })
})

/** Reads an approval that is longer than a phone with the button that scrolls on, and allows it. */
async function checkReading(page: Page, platform: Platform): Promise<void> {
  await page.setViewportSize(SCREENS.phone)
  await page.clock.install()
  await page.goto(inLanguage(await approvalUrl(platform, 'read-on'), 'en'))
  await page.clock.pauseAt(Date.now() + 60_000)
  const bar = page.locator('form.bar')
  const button = (name: string) => bar.getByRole('button', { name })
  const [further, allow] = [button('Continue reading'), button('Allow once')]
  assert.deepEqual([await allow.isDisabled(), await button('Deny').isEnabled()], [true, true])
  await further.focus()
  for (let presses = 0; await further.isVisible(); presses++) {
    assert.ok(presses < 20, 'each press scrolls on')
    const before = await page.evaluate<number>('scrollY')
    await page.keyboard.press('Enter')
    await page.waitForFunction(`scrollY > ${before} || document.querySelector('[data-continue][hidden]')`)
  }
  assert.equal(await allow.isDisabled(), true, 'the second click of a double click allows nothing')
  await page.clock.fastForward(1_000)
  assert.equal(await allow.isEnabled(), true)
  const last = await page.locator('.facts pre').last().boundingBox()
  const covering = await bar.boundingBox()
  assert.ok(last && covering && last.y + last.height <= covering.y, 'the last argument is above the buttons')
  await allow.click()
  await page.getByRole('heading', { name: 'Allowed' }).waitFor()
}
