import type { Page } from 'playwright-core'
import { createSetupLink } from '../../src/features/members/index.ts'
import type { TestConsole } from './console.ts'

const PASSWORD = 'correct horse battery'

/** Sets up the owner Ada with the one-time link, and returns the page on which she is signed in. */
export async function createOwner(console: TestConsole): Promise<Page> {
  const link = (await createSetupLink(console.app.db, console.url, console.clock.now())) as string
  const page = await console.open(link.slice(`${console.url}/console`.length), { key: null })
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('E-mail address').fill('ada@example.com')
  await page.getByLabel('New password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.locator('.shell h1').waitFor()
  return page
}
