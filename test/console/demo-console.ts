import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { simulateApplications } from '../../src/server/simulated-applications.ts'
import { consoleApi, type ConsolePage, consolePages, loadDemoProject } from '../fixtures/console-pages.ts'
import { signIn, startConsole, type TestConsole, VIEWPORTS } from './console.ts'

export interface DemoConsole extends TestConsole {
  /** Signed in with the key of the organization, on the project of the demo data. */
  page: Page
  demoProject: string
  /** Every page of the console, with paths of the demo data. */
  pages: ConsolePage[]
}

/** Starts a console with demo data and simulated applications, and signs in. */
export async function startDemoConsole(t: TestContext): Promise<DemoConsole> {
  const console = await startConsole(t, { simulateApplications })
  const { url, keys, browser } = console
  const page = await browser.page({ viewport: VIEWPORTS.desktop })
  await signIn(page, url, keys.organizationApiKey)
  const demoProject = await loadDemoProject(page, url)
  await page.addInitScript(`localStorage.setItem('patchbay.project', ${JSON.stringify(demoProject)})`)
  return { ...console, page, demoProject, pages: await consolePages(consoleApi(page, url, demoProject)) }
}
