import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, type TestConsole } from './console.ts'

/** The page of an endpoint with one dead letter (`evt_dead`) that the receiver answered with 503. */
export async function testWebhooks(
  t: TestContext,
  console: TestConsole,
  page: Page,
  webhook: string,
): Promise<void> {
  const url = `${console.url}/console/webhooks/${webhook}`

  await t.test('webhooks: deliveries are filtered by status, and each attempt has its response', async () => {
    await page.goto(`${url}?status=delivered`)
    await page.getByText('No delivery has succeeded yet').waitFor()
    await page.goto(`${url}?status=dead`)
    await page.getByText('Status 503').waitFor()
    await page.locator('tr.opens').first().focus()
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog')
    await drawer.getByText('Attempt 1: 503').waitFor()
    await drawer.getByText('down for maintenance').waitFor()
    assert.equal(await drawer.locator('.timeline > li.bad').count(), 1, 'a status of 503 is a failure')
    await assertAccessible(page, 'the attempts of a delivery')
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    assert.match(page.url(), /status=dead$/)
  })

  await t.test('webhooks: a list that cannot be read says so, and recovers', async () => {
    const body = { error: { message: 'The database is not available.' } }
    await page.route('**/deliveries*', (route) => route.fulfill({ status: 500, json: body }))
    await page.goto(url)
    await page.getByRole('alert').getByText('The database is not available.').waitFor()
    await page.unroute('**/deliveries*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Status 503').waitFor()
  })

  await testActions(t, page, url)
}

async function testActions(t: TestContext, page: Page, url: string): Promise<void> {
  await t.test('webhooks: a test event shows why it was not delivered', async () => {
    await page.getByRole('button', { name: 'Send test event' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Not delivered').waitFor()
    await assertAccessible(page, 'the result of a test event')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })

  await t.test('webhooks: the chosen deliveries are delivered again', async () => {
    await page.goto(`${url}?status=dead`)
    const again = page.getByRole('button', { name: 'Deliver chosen again' })
    await again.waitFor()
    assert.equal(await again.isDisabled(), true)
    await page.getByRole('checkbox', { name: /evt_dead/ }).check()
    await page.getByRole('button', { name: 'Deliver 1 again' }).click()
    await page.getByText('One delivery starts now').first().waitFor()
    await page.getByText('No dead letters').waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Deliver all dead letters again…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Deliver again' }).click()
    await page
      .getByText(/Nothing to deliver/)
      .first()
      .waitFor()
  })
}
