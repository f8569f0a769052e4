import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible, startConsole, VIEWPORTS } from './console.ts'

test('console: the documentation and the API reference', async (t) => {
  const console = await startConsole(t)
  const page = await console.open('/docs')

  await t.test('a search finds a guide, and the guide is rendered with its links', async () => {
    await page.getByRole('link', { name: 'Handle errors' }).waitFor()
    await assertAccessible(page, 'docs')
    await page.getByRole('searchbox', { name: 'Search the documentation' }).fill('tool failures')
    await page.getByRole('link', { name: 'Handle errors: Tool failures' }).click()
    await page.getByRole('heading', { name: 'Handle errors', level: 1 }).waitFor()
    await page.getByRole('heading', { name: 'Tool failures', level: 2 }).waitFor()
    await assertAccessible(page, 'guide')
    await page.setViewportSize(VIEWPORTS.phone)
    await assertAccessible(page, 'guide on a phone')
    await page.setViewportSize(VIEWPORTS.desktop)
    await page.getByRole('link', { name: 'all error codes' }).click()
    await page.getByRole('heading', { name: 'Errors', level: 1 }).waitFor()
    await page.goto(`${console.url}/console/docs/guides/nothing`)
    await page.getByRole('alert').waitFor()
  })

  await t.test('an operation is found, described, and sent with the session', async () => {
    await page.goto(`${console.url}/reference`)
    await page.getByRole('heading', { name: 'API reference', level: 1 }).waitFor()
    await page.getByRole('searchbox', { name: 'Search operations' }).fill('post execute tool_slug')
    await page.getByRole('link', { name: 'Execute a tool', exact: true }).click()
    await page.getByText('/api/v3.1/tools/execute/{tool_slug}').first().waitFor()
    await page.getByLabel('tool_slug').fill('UTILITIES_CALCULATE')
    await page.getByLabel('Body (JSON)').fill('{"arguments": {"expression": "6*')
    await page.getByText('This is not valid JSON.').waitFor()
    await page.getByLabel('Body (JSON)').fill('{"arguments": {"expression": "6*7"}}')
    await page.getByLabel('idempotency-key').fill('from-the-form')
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await page.getByRole('button', { name: 'Send POST request' }).click()
    await page.getByRole('region', { name: 'Response' }).getByText('42').waitFor()
    assert.equal((await sent).headers()['idempotency-key'], 'from-the-form')
    await page.getByLabel('idempotency-key').fill('')
    await page.getByRole('tab', { name: 'CLI' }).click()
    const command = (await page.getByRole('region', { name: 'CLI' }).textContent()) ?? ''
    assert.match(command, /^patchbay tools execute UTILITIES_CALCULATE --data '\{"arguments"/m)
    await assertAccessible(page, 'operation')
    await page.setViewportSize(VIEWPORTS.phone)
    await assertAccessible(page, 'operation on a phone')
  })

  await t.test('without a sign-in the documentation can be read, and nothing can be sent', async () => {
    const visitor = await console.open('/docs/api/tools.list', { key: null })
    await visitor.getByRole('heading', { name: 'List tools' }).waitFor()
    await visitor.getByText('Sign in to send requests from this page.').waitFor()
    assert.equal(await visitor.getByRole('button', { name: /^Send/ }).count(), 0)
    await assertAccessible(visitor, 'operation for a visitor')
    await visitor.goto(`${console.url}/console/logs`)
    await visitor.getByRole('heading', { name: 'Sign in' }).waitFor()
  })
})
