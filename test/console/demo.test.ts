import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { simulateApplications } from '../../src/server/simulated-applications.ts'
import { assertAccessible, checkBothSizes, startConsole, type TestConsole } from './console.ts'
import { testFileArguments } from './playground-files.ts'

// As a newcomer: demo data is loaded, looked at, used, and removed. It has something for every page below.
test('console: demo data, triggers and incidents', async (t) => {
  const console = await startConsole(t, { simulateApplications })
  const page = await console.open('/home', { key: console.keys.organizationApiKey })
  await testLoad(t, console, page)
  await testTriggers(t, console, page)
  await testFileArguments(t, console, page)
  await testIncidents(t, console, page)
  await testRemoval(t, console, page)
})

async function testLoad(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test('demo data is loaded with one click, and the pages are full', async () => {
    await page.getByRole('button', { name: 'Load demo data' }).click()
    await page.getByRole('heading', { name: 'This is a demo project' }).waitFor()
    await page.getByText('Pending approvals').waitFor()
    await checkBothSizes(console, page, 'demo')
    await page.goto(`${console.url}/console/logs`)
    await page.getByText('STRIPE_LIST_INVOICES').first().waitFor()
    await page.goto(`${console.url}/console/approvals`)
    await page.getByText('STRIPE_CREATE_REFUND').waitFor()
  })
}

async function testTriggers(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test('a trigger is created from its schema, and its fields are checked', async () => {
    await page.goto(`${console.url}/console/triggers`)
    await page.getByText('GITHUB_ISSUE_ADDED_EVENT').waitFor()
    await page.getByRole('link', { name: 'New trigger' }).click()
    await page.getByLabel('Event').fill('GITHUB_ISSUE_ADDED')
    await page.getByRole('option', { name: 'GITHUB_ISSUE_ADDED_EVENT' }).click()
    await page.getByLabel('Account to watch').waitFor()
    await page.getByRole('button', { name: 'Create trigger' }).click()
    await page.getByRole('alert').first().waitFor()
    await checkBothSizes(console, page, 'new-trigger')
    await page.getByLabel('Owner').fill('octocat')
    await page.getByLabel('Repository').fill('hello-world')
    await page.getByLabel('Labels').fill('bug')
    await page.getByRole('button', { name: 'Create trigger' }).click()
    await page.getByRole('dialog').getByText('GITHUB_ISSUE_ADDED_EVENT').waitFor()
  })

  await t.test('its test event is shown, and is in its log', async () => {
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: 'Send test event' }).click()
    await drawer.getByRole('region', { name: 'Data of the test event' }).waitFor()
    await drawer.getByRole('listitem').filter({ hasText: 'Event' }).first().waitFor()
    await assertAccessible(page, 'a trigger')
  })

  await t.test('without an account, the next step is to connect one', async () => {
    await page.goto(`${console.url}/console/triggers/new?type=NOTION_PAGE_ADDED_TO_DATABASE`)
    await page.getByRole('link', { name: 'Connect an account' }).waitFor()
  })
}

async function testIncidents(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test('accounts are frozen after a typed confirmation, and the incident is listed', async () => {
    await page.goto(`${console.url}/console/incidents`)
    await page.getByText('No incidents').waitFor()
    await page.getByRole('button', { name: 'Freeze accounts' }).click()
    const dialog = page.getByRole('dialog')
    const freeze = dialog.getByRole('button', { name: 'Freeze accounts' })
    await dialog.getByLabel('Type freeze to confirm').fill('freeze')
    assert.equal(await freeze.isDisabled(), true, 'nothing is chosen yet')
    await dialog.getByLabel('User id').fill('linus')
    await dialog.getByLabel('Reason').fill('A laptop was stolen.')
    await checkBothSizes(console, page, 'freeze')
    await freeze.click()
    await page.getByRole('heading', { name: 'Incident' }).waitFor()
    await page.getByText('gmail of linus').waitFor()
    await assertAccessible(page, 'an incident')
    await page.keyboard.press('Escape')
    await page.getByText('A laptop was stolen.').waitFor()
    await checkBothSizes(console, page, 'incidents')
  })
}

async function testRemoval(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  await t.test('demo data is removed, and the console shows another project', async () => {
    await page.goto(`${console.url}/console/home`)
    await page.getByRole('button', { name: 'Remove demo data' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove demo data' }).click()
    await page.getByRole('button', { name: 'Load demo data' }).waitFor()
    await page.getByRole('button', { name: 'Project: default' }).waitFor()
  })
}
