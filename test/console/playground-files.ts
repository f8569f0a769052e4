import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { TestContext } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { assertAccessible, type TestConsole, VIEWPORTS } from './console.ts'

const CONTENT = 'Buy bread.'
const NOTE = { name: 'shopping list.txt', mimeType: 'text/plain', buffer: Buffer.from(CONTENT) }
const UPLOADS = '**/files/put/**'
const TOO_LARGE = { error: { message: 'The file is too large.', suggested_fix: 'Choose a smaller file.' } }

/** Tests of the playground with tools that take and return files, in the demo project. */
export async function testFileArguments(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await testUpload(t, console, page)
  await testCall(t, console, page)
  await testRemoval(t, console, page)
  await testDownload(t, console, page)
}

const argumentsCard = (page: Page) =>
  page.locator('.card').filter({ has: page.getByRole('heading', { name: 'Arguments' }) })

async function testUpload(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  const card = argumentsCard(page)
  await t.test('playground: a file is uploaded with its progress, and Run waits for it', async () => {
    await page.goto(`${console.url}/console/playground?tool=SLACK_UPLOAD_FILE#user=ada`)
    await page
      .getByRole('combobox', { name: 'Account' })
      .getByText('The latest account of the user')
      .waitFor()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await card.getByText('is required').waitFor()
    const sent = Promise.withResolvers<Route>()
    await page.route(UPLOADS, sent.resolve)
    await card.getByLabel('File', { exact: false }).setInputFiles(NOTE)
    const route = await sent.promise
    await card.getByRole('progressbar', { name: 'Upload of shopping list.txt' }).waitFor()
    await assertAccessible(page, 'the upload of a file')
    assert.equal(await page.getByRole('button', { name: 'Run' }).getAttribute('aria-busy'), 'true')
    await route.fulfill({ status: 413, json: TOO_LARGE })
    await card.getByRole('alert').getByText('The file is too large.').waitFor()
    await card.getByText('Choose a smaller file.').waitFor()
    await assertAccessible(page, 'an upload that failed')
    await page.unroute(UPLOADS)
    await interruptUpload(page)
    await card.getByRole('button', { name: 'Try again' }).click()
    await card
      .getByRole('group', { name: /: shopping list.txt/ })
      .getByText('10 bytes')
      .waitFor()
    await card.getByRole('progressbar').waitFor({ state: 'detached' })
  })
}

/** The server disappears during an upload, and is there again. The page says both. */
async function interruptUpload(page: Page): Promise<void> {
  const notice = page.locator('.interruption').getByText('The server cannot be reached.')
  const paths = [UPLOADS, '**/healthz']
  for (const path of paths) await page.route(path, (route) => route.abort('connectionrefused'))
  await argumentsCard(page).getByRole('button', { name: 'Try again' }).click()
  await argumentsCard(page).getByRole('alert').getByText('The upload was interrupted.').waitFor()
  await notice.waitFor()
  for (const path of paths) await page.unroute(path)
  await notice.waitFor({ state: 'detached' })
}

async function testCall(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test('playground: the tool gets the file, and the code has the upload', async () => {
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('Success', { exact: true }).waitFor()
    const code = (await page.getByRole('region', { name: 'curl' }).allTextContents()).join('\n')
    assert.ok(code.includes(createHash('md5').update(CONTENT).digest('hex')))
    assert.match(code, /"s3key":"projects\//)
    await page
      .getByRole('region', { name: 'Content of shopping list.txt' })
      .getByText('--data-binary')
      .waitFor()
    await console.browser.saveScreenshot(page, 'console-file-argument')
    await page.setViewportSize(VIEWPORTS.phone)
    await assertAccessible(page, 'a file argument on a phone')
    await console.browser.saveScreenshot(page, 'console-file-argument-phone')
    await page.setViewportSize(VIEWPORTS.desktop)
    await page.getByRole('button', { name: 'Show as code' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('heading', { name: 'POST /files/upload/request' }).waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
  })
}

async function testRemoval(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  const card = argumentsCard(page)
  await t.test('playground: a file that is removed leaves the arguments', async () => {
    await card.getByRole('button', { name: 'Remove shopping list.txt' }).click()
    await card.getByLabel('File', { exact: false }).waitFor()
    assert.doesNotMatch(page.url(), /s3key/)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await card.getByText('is required').waitFor()
  })

  await t.test('playground: a list of files takes each of them', async () => {
    await page.goto(`${console.url}/console/playground?tool=GMAIL_SEND_EMAIL#user=linus`)
    for (const name of ['one.txt', 'two.txt']) {
      await card
        .getByRole('group', { name: /attachments/i })
        .getByRole('button', { name: 'Add' })
        .click()
      if (name === 'one.txt') {
        await page.getByRole('button', { name: 'Run', exact: true }).click()
        await card.getByText('Choose a file.').waitFor()
      }
      await card.locator('input[type=file]').setInputFiles({ ...NOTE, name })
      await card.getByRole('group', { name: new RegExp(`: ${name}`) }).waitFor()
      // The URL has what the form holds.
      await page.waitForURL(name === 'one.txt' ? /one\.txt/ : /one\.txt.*two\.txt/)
    }
  })
}

async function testDownload(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test('playground: the files of a result can be downloaded', async () => {
    const args = { message_id: '18c1f2a7b3d4e5f6', attachment_id: 'ANGjdJ8', file_name: 'greeting.txt' }
    const fragment = new URLSearchParams({ user: 'linus', args: JSON.stringify(args) })
    await page.goto(`${console.url}/console/playground?tool=GMAIL_GET_ATTACHMENT#${fragment}`)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('list', { name: 'Files of the result' }).getByText('5 bytes').waitFor()
    await assertAccessible(page, 'the files of a result')
    const waiting = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download greeting.txt' }).click()
    const download = await waiting
    assert.equal(download.suggestedFilename(), 'greeting.txt')
    assert.equal(await readFile(await download.path(), 'utf8'), 'Hello')
  })
}
