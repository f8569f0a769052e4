import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { listAuditLog } from '../../src/contract/audit-log.ts'
import { createAuthConfig } from '../../src/contract/auth-configs/index.ts'
import { listMcpClientGrants } from '../../src/contract/mcp-authorization/index.ts'
import { createMcpServer, listMcpServers, readMcpServer } from '../../src/contract/mcp-servers/index.ts'
import { sql, values } from '../../src/platform/db/sql.ts'
import { assertAccessible, type TestConsole, VIEWPORTS } from './console.ts'

/** Tests of the page of an MCP server, which shows `News helper`. `Clock helper` exists too. */
export async function testServerChanges(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await testForm(t, console, page)
  await testAuthConfigs(t, console, page)
  await testClients(t, console, page)
  await testDeletion(t, console, page)
}

async function testForm(t: TestContext, console: TestConsole, page: Page): Promise<void> {
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
}

async function testDeletion(t: TestContext, console: TestConsole, page: Page): Promise<void> {
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
    assert.deepEqual(items.map(({ name }) => name).toSorted(), [
      'Clock helper',
      'Code helper 2',
      'News helper',
    ])
  })
}

const newAuthConfig = async ({ call }: TestConsole, slug: string, name: string): Promise<string> =>
  (
    await call(createAuthConfig, {
      body: {
        toolkit: { slug },
        auth_config: { type: 'use_custom_auth', authScheme: 'BEARER_TOKEN', credentials: {}, name },
      },
    })
  ).body.auth_config.id

async function testAuthConfigs(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  const [github, second, gitlab] = [
    await newAuthConfig(console, 'github', 'GitHub of the team'),
    await newAuthConfig(console, 'github', 'GitHub of guests'),
    await newAuthConfig(console, 'gitlab', 'GitLab'),
  ]
  const { id } = (
    await console.call(createMcpServer, { body: { name: 'Code helper', auth_config_ids: [github, gitlab] } })
  ).body
  const stored = async () => (await console.call(readMcpServer, { params: { id } })).body
  const dialog = page.getByRole('dialog', { name: 'Edit MCP server' })
  const edit = () => page.getByRole('button', { name: 'Edit' }).click()
  const save = async () => {
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await dialog.waitFor({ state: 'hidden' })
  }

  await t.test('MCP servers: the auth configs are shown, and an edit of the name keeps them', async () => {
    await page.goto(`${console.url}/console/mcp/${id}`)
    await page.getByRole('link', { name: 'github: GitHub of the team' }).waitFor()
    await edit()
    await dialog.getByRole('checkbox', { name: 'GitLab' }).waitFor()
    await dialog.getByLabel('Name').fill('Code helper 2')
    await save()
    assert.deepEqual((await stored()).auth_config_ids, [github, gitlab])
  })

  await t.test(
    'MCP servers: an application uses the chosen auth configs, and stays without any',
    async () => {
      await edit()
      const ofGithub = dialog.getByRole('group', { name: 'Auth configs of github' })
      await ofGithub.getByLabel('GitHub of guests').check()
      await ofGithub.getByLabel('GitHub of the team').uncheck()
      await assertAccessible(page, 'the auth configs of an MCP server')
      await console.browser.saveScreenshot(page, 'console-mcp-auth-configs')
      await save()
      assert.deepEqual((await stored()).auth_config_ids, [gitlab, second])
      await edit()
      await ofGithub.getByLabel('GitHub of guests').uncheck()
      await save()
      assert.deepEqual((await stored()).auth_config_ids, [gitlab])
      assert.deepEqual((await stored()).toolkits, ['github', 'gitlab'], 'the application was not removed')
    },
  )

  await t.test('MCP servers: an application is removed with its auth configs', async () => {
    await edit()
    await dialog.getByRole('button', { name: 'Remove gitlab' }).click()
    await dialog.getByRole('group', { name: 'Auth configs of github' }).waitFor()
    await save()
    const { auth_config_ids: ids, toolkits } = await stored()
    assert.deepEqual([ids, toolkits], [[], ['github']])
  })
}

/** Stores what a sign-in at the authorization page stores. */
const addGrant = ({ app, keys }: TestConsole, id: string, server: string, user: string, client: string) =>
  app.db.run(
    sql`insert into mcp_grants ${values({
      id,
      project_id: keys.projectId,
      resource_kind: 'mcp_server',
      resource_id: server,
      user_id: user,
      client_id: `mcc_${client}`,
      client_name: client,
    })}`,
  )

async function testClients(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  const { items } = (await console.call(listMcpServers, { query: { name: 'Clock helper' } })).body
  const server = items[0]?.id ?? ''
  await addGrant(console, 'mcg_1', server, 'ada', 'Claude Code')
  await addGrant(console, 'mcg_2', server, 'grace', 'Cursor')
  const rows = page.getByRole('table', { name: 'Connected clients' }).locator('tbody tr')

  await t.test('MCP servers: connected clients are shown, and the filter by user is in the URL', async () => {
    await page.goto(`${console.url}/console/mcp/${server}`)
    await rows.nth(1).waitFor()
    await assertAccessible(page, 'the connected clients of an MCP server')
    await console.browser.saveScreenshot(page, 'console-mcp-clients')
    await page.setViewportSize(VIEWPORTS.phone)
    await assertAccessible(page, 'the connected clients of an MCP server on a phone')
    await page.setViewportSize(VIEWPORTS.desktop)
    await page.getByLabel('User of the client').fill('ada')
    await page.keyboard.press('Enter')
    await page.waitForURL(/client_user=ada/)
    await rows.nth(1).waitFor({ state: 'detached' })
    assert.match((await rows.first().textContent()) ?? '', /Claude Code.*ada/)
  })

  await t.test('MCP servers: the access of a client is revoked after a confirmation', async () => {
    await page.getByRole('button', { name: 'Revoke Claude Code of ada' }).click()
    const dialog = page.getByRole('dialog', { name: 'Revoke the access of Claude Code?' })
    await assertAccessible(page, 'the confirmation of a revocation')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Revoke Claude Code of ada' }).click()
    await dialog.getByRole('button', { name: 'Revoke access' }).click()
    await page.getByText('This user has no client here').waitFor()
    const { body } = await console.call(listMcpClientGrants, { query: { mcp_server_id: server } })
    assert.deepEqual(
      body.items.map(({ user_id: user }) => user),
      ['grace'],
    )
  })
}
