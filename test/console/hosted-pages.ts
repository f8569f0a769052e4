import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { linkConnectedAccount } from '../../src/contract/connected-accounts/index.ts'
import { createApprovalLink } from '../../src/contract/policies/index.ts'
import { assertAccessible, type TestConsole, VIEWPORTS } from './console.ts'

const TITLES = {
  en: 'Connect Node-RED',
  de: 'Node-RED verbinden',
  fr: 'Connecter Node-RED',
  es: 'Conectar Node-RED',
  pt: 'Conectar Node-RED',
}

/** The pages for end users in each language, and the approval page with the time of the reader. */
export async function testHostedPages(
  t: TestContext,
  console: TestConsole,
  authConfig: string,
): Promise<void> {
  await t.test('hosted pages: the connect page is accessible in each language, on a phone', async () => {
    const body = { auth_config_id: authConfig, user_id: 'ada' }
    const link = await console.call(linkConnectedAccount, { body })
    const page = await console.browser.page({ viewport: VIEWPORTS.phone })
    for (const [language, title] of Object.entries(TITLES)) {
      await page.goto(`${link.body.redirect_url}?lang=${language}`)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      assert.equal(await page.locator('html').getAttribute('lang'), language)
      await assertAccessible(page, `connect page in ${language}`)
      await console.browser.saveScreenshot(page, `hosted-connect-${language}`)
    }
    await page.goto(link.body.redirect_url)
    assert.equal(await page.locator('html').getAttribute('lang'), 'pt', 'the browser keeps the language')
    await page.context().close()
  })

  await t.test('hosted pages: an approval counts down and shows the end in local time', async () => {
    const link = await console.call(createApprovalLink, { params: { approval_id: 'apr_1' } })
    const page = await console.browser.page({
      viewport: VIEWPORTS.phone,
      locale: 'de-DE',
      timezoneId: 'Asia/Kolkata',
    })
    await page.goto(link.body.url)
    await page.getByRole('button', { name: 'Einmal erlauben' }).waitFor()
    const time = page.locator('time')
    assert.match((await time.textContent()) ?? '', /^\d+:\d\d \(.*\d\d:\d\d\)$/)
    const end = (await time.getAttribute('datetime')) as string
    const local = new Intl.DateTimeFormat('de', { timeStyle: 'short', timeZone: 'Asia/Kolkata' }).format(
      new Date(end),
    )
    assert.ok((await time.textContent())?.includes(local), `${await time.textContent()} has ${local}`)
    await assertAccessible(page, 'approval page')
    await console.browser.saveScreenshot(page, 'hosted-approval')
    await page.context().close()
  })
}
