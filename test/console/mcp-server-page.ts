import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { listAuditLog } from '../../src/contract/audit-log.ts'
import { createMcpServer, listMcpServers } from '../../src/contract/mcp-servers/index.ts'
import { assertAccessible, type TestConsole } from './console.ts'

/** Tests of the page of an MCP server, which shows `News helper`. `Clock helper` exists too. */
export async function testServerChanges(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test('MCP servers: the form changes applications and tools, and nothing else', async () => {
    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Add a tool').fill('front page')
    await page
      .getByRole('option', { name: /HACKERNEWS_/ })
      .first()
      .click()
    await dialog
      .getByRole('list', { name: 'Chosen tools' })
      .getByText(/^HACKERNEWS_/)
      .waitFor()
    await assertAccessible(page, 'the form that edits an MCP server')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page
      .locator('.facts')
      .getByText(/^HACKERNEWS_/)
      .waitFor()
    const { items } = (await console.call(listMcpServers, { query: { name: 'News helper' } })).body
    const [entry] = (await console.call(listAuditLog, { query: { action: 'mcp.update' } })).body.items
    assert.deepEqual(entry?.after, { allowed_tools: items[0]?.allowed_tools })
  })

  await t.test('MCP servers: one is deleted after a confirmation, and the others stay', async () => {
    const { id } = (
      await console.call(createMcpServer, {
        body: { name: 'Short lived', auth_config_ids: [], no_auth_apps: ['utilities'] },
      })
    ).body
    await page.goto(`${console.url}/console/mcp/${id}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByText('Its URLs stop working at once').waitFor()
    await assertAccessible(page, 'the confirmation of a deletion')
    await page.getByRole('button', { name: 'Delete server' }).click()
    await page.getByRole('heading', { name: 'MCP servers', level: 1 }).waitFor()
    await page.getByText('News helper').waitFor()
    await page.getByText('Short lived').waitFor({ state: 'detached' })
    const { items } = (await console.call(listMcpServers, { query: {} })).body
    assert.deepEqual(items.map(({ name }) => name).toSorted(), ['Clock helper', 'News helper'])
  })
}
