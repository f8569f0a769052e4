import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { startConsoleServer } from '../bench/console/server.ts'

// Takes the screenshots of docs/images from a new server with demo data, in both themes.
//
//   npm run screenshots [page…]

const FOLDER = join(import.meta.dirname, '../docs/images')
const VIEWPORT = { width: 1280, height: 800 }
/** Charts and lists are complete when the network is idle; their transitions end shortly after. */
const SETTLE_MS = 800
const PAGES: Readonly<Record<string, string>> = {
  home: '/home',
  logs: '/logs',
  playground: '/playground?tool=UTILITIES_GET_CURRENT_TIME',
  applications: '/applications',
  approvals: '/approvals',
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !Object.hasOwn(PAGES, name))
if (unknown.length > 0)
  throw new Error(`There is no page ${unknown.join(', ')}. Choose from: ${Object.keys(PAGES).join(', ')}.`)

const server = await startConsoleServer()
try {
  await mkdir(FOLDER, { recursive: true })
  const project = await createDemoProject()
  for (const theme of ['light', 'dark'] as const) {
    const page = await server.open(server.organizationKey, { viewport: VIEWPORT, colorScheme: theme })
    for (const name of names.length > 0 ? names : Object.keys(PAGES))
      await takeOne(page, name, theme, project)
    await page.close()
  }
} finally {
  await server.close()
}

async function createDemoProject(): Promise<string> {
  const reply = await fetch(`${server.url}/api/v3.1/org/owner/project/demo`, {
    method: 'POST',
    headers: { 'x-org-api-key': server.organizationKey, 'content-type': 'application/json' },
    body: '{}',
  })
  const body = (await reply.json()) as { id?: string; project?: { id: string } }
  const id = body.project?.id ?? body.id
  if (!reply.ok || id === undefined)
    throw new Error(`The demo data were not created: ${JSON.stringify(body)}`)
  return id
}

async function takeOne(page: Page, name: string, theme: string, project: string): Promise<void> {
  await page.addInitScript((id) => localStorage.setItem('patchbay.project', id), project)
  await page.goto(`${server.url}/console${PAGES[name]}`)
  await page.locator('.shell h1').first().waitFor()
  await wait(SETTLE_MS)
  const path = join(FOLDER, `console-${name}-${theme}.png`)
  await page.screenshot({ path })
  process.stdout.write(`${path}\n`)
}
