import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { executeMeta, updateSession, uploadToMount } from '../../src/contract/sessions/index.ts'
import { assertAccessible, type TestConsole, VIEWPORTS } from './console.ts'

/** Saves a file, a note and 22 versions of the configuration, as an application and its agent do. */
async function fillSession({ call }: TestConsole, session: string): Promise<void> {
  const params = { session_id: session }
  const { body } = await call(uploadToMount, {
    params: { ...params, mount: 'files' },
    body: { mount_relative_path: 'out/report.csv', mimetype: 'text/csv' },
  })
  const stored = await fetch(body.upload_url, {
    method: 'PUT',
    body: 'a,b\r\n1,2\r\n',
    headers: { 'content-type': 'text/csv' },
  })
  assert.ok(stored.ok, `the file was stored: ${stored.status}`)
  await call(executeMeta, {
    params,
    body: {
      slug: 'SERVICE_MULTI_EXECUTE_TOOL',
      arguments: {
        sync_response_to_workbench: false,
        tools: [{ tool_slug: 'UTILITIES_GET_CURRENT_TIME', arguments: { timezone: 'UTC' } }],
        memory: { utilities: ['The user is in Lisbon.'] },
      },
    } as never,
  })
  for (let version = 3; version <= 22; version++)
    await call(updateSession, {
      params,
      body: { toolkits: { enable: version % 2 ? ['utilities'] : ['utilities', 'hackernews'] } },
    })
}

/** Tests of the page of a session that has two versions of its configuration. */
export async function testSessionPage(
  t: TestContext,
  console: TestConsole,
  page: Page,
  session: string,
): Promise<void> {
  await fillSession(console, session)
  const open = async (tab: string) => {
    await page.goto(`${console.url}/console/sessions/${session}`)
    await page.getByRole('tab', { name: tab }).click()
  }
  await t.test('sessions: calls, versions page by page, and the notes about the user', async () => {
    await open('Calls')
    await page.getByRole('link', { name: 'UTILITIES_GET_CURRENT_TIME' }).waitFor()
    await page.getByRole('tab', { name: 'Configuration' }).click()
    const panel = page.getByRole('tabpanel')
    await panel.getByText(/^Version 22/).waitFor()
    assert.equal(await panel.getByText(/^Version 3 /).count(), 0, 'what changed in it is on the next page')
    await panel.getByRole('button', { name: 'Show more' }).click()
    await panel.getByText(/^Version 1 /).waitFor()
    await page.getByRole('tab', { name: 'Notes' }).click()
    await page.getByText('The user is in Lisbon.').waitFor()
    await assertAccessible(page, 'notes of a session')
  })

  await t.test('sessions: a file is downloaded and deleted', async () => {
    await open('Files')
    await assertAccessible(page, 'files of a session')
    await console.browser.saveScreenshot(page, 'console-session-files')
    const waiting = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download out/report.csv' }).click()
    const download = await waiting
    assert.deepEqual(
      [download.suggestedFilename(), await readFile(await download.path(), 'utf8')],
      ['report.csv', 'a,b\r\n1,2\r\n'],
    )
    await page.setViewportSize(VIEWPORTS.phone)
    await assertAccessible(page, 'files of a session on a phone')
    await page.setViewportSize(VIEWPORTS.desktop)
    await page.getByRole('button', { name: 'Delete out/report.csv' }).click()
    await page.getByRole('button', { name: 'Delete file' }).click()
    await page.getByText('The session has no files.').waitFor()
  })
}
