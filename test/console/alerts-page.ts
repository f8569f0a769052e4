import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { listAlertRules } from '../../src/contract/alerts.ts'
import { assertAccessible, type TestConsole } from './console.ts'

/** From an empty list to a rule that is changed, tested and deleted. */
export async function testAlerts(t: TestContext, console: TestConsole, page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')

  await t.test(
    'alerts: a rule is created for Slack, with what the server says about a wrong URL',
    async () => {
      await page.goto(`${console.url}/console/alerts`)
      await page.getByText('No rules yet').waitFor()
      await assertAccessible(page, 'alerts without a rule')
      await page.getByRole('button', { name: 'Create rule' }).click()
      await dialog.getByRole('combobox', { name: 'Condition' }).click()
      await page.getByRole('option', { name: /Error rate/ }).click()
      await dialog.getByLabel('Failed executions in percent').fill('25')
      await dialog.getByLabel('URL').fill('http://10.0.0.1/hooks')
      await dialog.getByRole('button', { name: 'Create rule' }).click()
      await dialog.getByRole('alert').first().waitFor()
      await assertAccessible(page, 'a rule with a wrong URL')
      await dialog.getByLabel('URL').fill('https://hooks.slack.example.com/services/secret')
      await dialog.getByRole('button', { name: 'Create rule' }).click()
      await page.getByText('Error rate ≥ 25 % in 15 minutes').waitFor()
      await assertAccessible(page, 'alerts')
      await console.browser.saveScreenshot(page, 'console-alerts')
      assert.doesNotMatch(await page.content(), /services\/secret/)
    },
  )

  await t.test('alerts: a rule is tested, changed, switched off and deleted', async () => {
    await page.locator('tr.opens').first().focus()
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Send a test notification' }).click()
    await dialog.getByText('Not sent', { exact: true }).waitFor()
    await dialog.getByLabel('Failed executions in percent').fill('30')
    await dialog.getByLabel('Check this rule').uncheck()
    await assertAccessible(page, 'an alert rule')
    await console.browser.saveScreenshot(page, 'console-alert')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Rule saved').first().waitFor()
    const { body } = await console.call(listAlertRules, {})
    assert.deepEqual(
      body.items.map(({ threshold, is_enabled: isEnabled }) => [threshold, isEnabled]),
      [[30, false]],
    )
    await dialog.getByRole('button', { name: 'Delete rule…' }).click()
    await page.getByRole('button', { name: 'Delete rule', exact: true }).click()
    await page.getByText('No rules yet').waitFor()
  })

  await t.test('alerts: a webhook shows its signing secret once', async () => {
    await page.getByRole('button', { name: 'Create rule' }).click()
    await dialog.getByRole('combobox', { name: 'Notify by' }).click()
    await page.getByRole('option', { name: /Webhook/ }).click()
    await dialog.getByLabel('URL').fill('https://app.example.com/alerts')
    await dialog.getByRole('button', { name: 'Create rule' }).click()
    const secret = dialog.getByRole('region', { name: 'Signing secret' })
    await secret.waitFor()
    assert.match((await secret.textContent()) ?? '', /^whsec_/)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Accounts expired ≥ 1').waitFor()
  })
}
