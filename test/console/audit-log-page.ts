import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, type TestConsole, VIEWPORTS } from './console.ts'

/** Tests of the audit log. An MCP server `News helper` was created with the console, another one with the API. */
export async function testAuditLog(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await testEntries(t, console, page)
  await testFilters(t, console, page)
  await testExport(t, page)
}

const rowsOf = (page: Page) => page.locator('tbody tr.opens')

async function testEntries(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await t.test('audit log: the creation of the server has an entry, and the log is verified', async () => {
    await page.goto(`${console.url}/console/settings/audit-log`)
    await page.getByText('Create an MCP server from several toolkits').first().click()
    await dialog.getByRole('region', { name: 'After' }).getByText('News helper').waitFor()
    await assertAccessible(page, 'an entry of the audit log')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Verify' }).click()
    await dialog.getByText('Complete and unchanged').waitFor()
    await assertAccessible(page, 'the verification of the audit log')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })
}

async function testFilters(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  const rows = rowsOf(page)
  await t.test(
    'audit log: an entry leads to those with the same operation, and filters are in the URL',
    async () => {
      const dialog = page.getByRole('dialog')
      const count = await rows.count()
      await page.getByRole('cell', { name: 'Change a session', exact: true }).click()
      await dialog.getByRole('button', { name: 'Same operation' }).click()
      await dialog.waitFor({ state: 'hidden' })
      await page.waitForURL(/\?action=sessions\.update$/)
      await rows.nth(1).waitFor({ state: 'detached' })
      // While the filtered entries load, there is no row at all.
      await rows.first().waitFor()
      assert.equal(await rows.count(), 1)
      await page.getByRole('combobox', { name: 'Operation' }).getByText('Change a session').waitFor()
      await assertAccessible(page, 'the filters of the audit log')
      await page.setViewportSize(VIEWPORTS.phone)
      await assertAccessible(page, 'the filters of the audit log on a phone')
      await console.browser.saveScreenshot(page, 'console-audit-log-phone')
      await page.setViewportSize(VIEWPORTS.desktop)
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await rows.nth(count - 1).waitFor()
      await console.browser.saveScreenshot(page, 'console-audit-log')
    },
  )

  await t.test(
    'audit log: a day before the first entry finds nothing, and the page says what to do',
    async () => {
      await page.getByLabel('Until').fill('2020-01-31')
      await page.getByText('No entry matches').waitFor()
      await page.getByText('Change or clear the filters.').waitFor()
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await rows.first().waitFor()
      assert.doesNotMatch(page.url(), /until/)
    },
  )
}

async function testExport(t: TestContext, page: Page): Promise<void> {
  await t.test('audit log: the entries that the filters find are saved as a file, each once', async () => {
    await page.getByText('More filters').click()
    await page.getByRole('combobox', { name: 'Kind of object' }).click()
    await page.getByRole('option', { name: 'Session', exact: true }).click()
    await page.waitForURL(/kind=session/)
    await page.getByRole('button', { name: 'Export' }).click()
    const waiting = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'CSV' }).click()
    const download = await waiting
    assert.equal(download.suggestedFilename(), 'audit-log.csv')
    const [header, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    assert.match(header ?? '', /^time,id,organization_id,/)
    assert.deepEqual(
      lines.map((line) => /,(sessions\.\w+),session,/.exec(line)?.[1]),
      ['sessions.update', 'sessions.create'],
    )
  })
}
