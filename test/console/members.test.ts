import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { TOTP } from 'otpauth'
import { createSession } from '../../src/contract/sessions/index.ts'
import { createSetupLink } from '../../src/features/members/index.ts'
import { assertAccessible, checkBothSizes, startConsole, type TestConsole, VIEWPORTS } from './console.ts'

const PASSWORD = 'correct horse battery'

test('console: from the set-up link to an invited viewer, by clicks only', async (t) => {
  const console = await startConsole(t)
  const link = (await createSetupLink(console.app.db, console.url, console.clock.now())) as string
  const page = await console.open(link.slice(`${console.url}/console`.length), { key: null })
  await testSetUp(t, console, page)
  await console.call(createSession, { body: { user_id: 'ada' } })
  await testOrganizationAuditLog(t, console, page)
  await testKeys(t, console, page)
})

async function testSetUp(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test('the link creates the owner, and its token leaves the URL', async () => {
    await page.getByLabel('Your name').fill('Ada')
    assert.ok(!page.url().includes('#'))
    await page.getByLabel('E-mail address').fill('ada@example.com')
    await page.getByLabel('New password').fill(PASSWORD)
    await assertAccessible(page, 'set-up')
    await console.browser.saveScreenshot(page, 'console-setup')
    await page.keyboard.press('Enter')
    await page.locator('.shell h1').waitFor()
  })

  await t.test('an invitation shows its link once', async () => {
    await page.goto(`${console.url}/console/settings/members`)
    await page.getByText('ada@example.com').waitFor()
    await assertAccessible(page, 'members')
    await page.getByRole('button', { name: 'Invite a member' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail address').fill('grace@example.com')
    await dialog.getByLabel('Name').fill('Grace')
    await dialog.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: 'Viewer' }).click()
    await dialog.getByRole('button', { name: 'Create invitation' }).click()
    const url = await page.getByRole('region', { name: 'One-time link' }).textContent()
    await console.browser.saveScreenshot(page, 'console-members')
    const guest = await console.open((url as string).slice(`${console.url}/console`.length), {
      key: null,
      viewport: VIEWPORTS.phone,
    })
    await guest.getByLabel('New password').fill(PASSWORD)
    await guest.keyboard.press('Enter')
    await guest.locator('.shell h1').waitFor()
    await guest.goto(`${console.url}/console/settings/members`)
    await guest.getByText('You do not have permission to see this').waitFor()
    await assertAccessible(guest, 'no permission, on a phone')
  })
}

async function testOrganizationAuditLog(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test('the audit log of the organization has what belongs to no project', async () => {
    // The dialog with the link of the invitation is open.
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Organization log' }).click()
    const row = page.locator('tbody tr.opens').filter({ hasText: 'Invite a member' })
    assert.match((await row.textContent()) ?? '', /Member Ada/)
    assert.equal(
      await page.getByRole('cell', { name: 'Create a session' }).count(),
      0,
      'no entries of a project',
    )
    await row.click()
    await page.getByRole('dialog').getByText('grace@example.com').waitFor()
    await assertAccessible(page, 'audit log of the organization')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByRole('dialog').getByText('Complete and unchanged').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Operation' }).click()
    await page.getByRole('option', { name: 'Invite a member', exact: true }).click()
    await page.waitForURL(/action=members\.invite/)
    await page.getByRole('button', { name: 'Export' }).click()
    const waiting = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'CSV' }).click()
    const download = await waiting
    assert.equal(download.suggestedFilename(), 'organization-audit-log.csv')
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    assert.equal(lines.length, 2, 'the header and the entry that the filter finds')
    await console.browser.saveScreenshot(page, 'console-organization-audit-log')
  })
}

async function testKeys(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test('a key is created with permissions, shown once, and revoked', async () => {
    await page.goto(`${console.url}/console/settings/api-keys`)
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel('Name').fill('agent')
    await page.getByLabel('Restrict what the key may do').check()
    await page.getByLabel('sessions: write').check()
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    const key = await page.getByRole('region', { name: 'API key', exact: true }).textContent()
    assert.match(key ?? '', /^ak_\w{32}$/)
    await page.keyboard.press('Escape')
    await page.getByText('sessions: write').waitFor()
    await assertAccessible(page, 'API keys')
    await page.getByRole('button', { name: 'Rotate agent' }).click()
    await page.getByRole('button', { name: 'Create new key' }).click()
    await page.getByText('Copy the new key').waitFor()
    const next = await page.getByRole('region', { name: 'API key', exact: true }).textContent()
    assert.match(next ?? '', /^ak_\w{32}$/)
    assert.notEqual(next, key)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Rotate agent' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Rotate agent' }).count(), 1, 'one key is replaced')
    await page.getByRole('button', { name: 'Revoke agent' }).last().click()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('Key revoked').first().waitFor()
  })

  await testSettings(t, console, page)
  await testSecondFactor(t, console, page)
}

async function testSettings(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test('a key of the organization is created with permissions, and revoked', async () => {
    await page.goto(`${console.url}/console/settings/organization-keys`)
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel('Name').fill('report')
    await page.getByLabel('Restrict what the key may do').check()
    await page.getByLabel('usage: read').check()
    await assertAccessible(page, 'a new key of the organization')
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('region', { name: 'API key', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('usage: read').waitFor()
    await assertAccessible(page, 'organization keys')
    await console.browser.saveScreenshot(page, 'console-organization-keys')
    await page.getByRole('button', { name: 'Revoke report' }).click()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('usage: read').waitFor({ state: 'hidden' })
  })

  await t.test('System and Branding are accessible in both themes and on a phone', async () => {
    for (const [name, path, text] of [
      ['system', '/system', 'Size of the database'],
      ['branding', '/settings/project', 'Connect GitHub'],
    ] as const) {
      await page.goto(`${console.url}/console${path}`)
      await page.getByText(text).first().waitFor()
      await checkBothSizes(console, page, name)
    }
    await page.goto(`${console.url}/console/settings/project`)
    await page.getByLabel('Accent colour').fill('teal')
    await page.getByText('Enter six hexadecimal digits').waitFor()
    await page.getByLabel('Accent colour').fill('#0f766e')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Settings saved').first().waitFor()
  })
}

async function testSecondFactor(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test('a second factor is set up, and asked for at the next sign-in', async () => {
    await page.goto(`${console.url}/console/settings/profile`)
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    const secret = (await page.locator('form code').textContent()) as string
    const code = () => new TOTP({ secret }).generate({ timestamp: console.clock.now() })
    await page.getByLabel('Code').fill(code())
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('Store these recovery codes.').waitFor()
    await assertAccessible(page, 'profile')
    await console.browser.saveScreenshot(page, 'console-profile')
    await page.getByRole('button', { name: 'Signed in: Ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('E-mail address').fill('ada@example.com')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByLabel('Code').waitFor()
    console.clock.advance(30_000)
    await page.getByLabel('Code').fill(code())
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Profile' }).waitFor()
  })
}
