import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { type ConsoleServer, startConsoleServer } from '../bench/console/server.ts'
import { axeViolations, horizontalOverflow, setTheme } from '../test/fixtures/axe.ts'
import {
  consoleApi,
  type ConsolePage,
  consolePages,
  focusFaults,
  loadDemoProject,
  openConsolePage,
} from '../test/fixtures/console-pages.ts'

// Opens every page of the console with demo data, in both themes, at 390 and 1280 pixels, and with the keyboard. Prints
// a table, saves screenshots, and fails for a violation of axe or the content security policy, for content that is
// wider than the screen, and for an invisible focus.
//
//   npm run check:console [-- part-of-a-path…]

const FOLDER = process.env['BROWSER_SCREENSHOTS'] ?? join(tmpdir(), 'patchbay-console-pages')
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } } as const
const THEMES = ['light', 'dark'] as const

interface Finding {
  axe: string[]
  csp: string[]
  overflow: number
  focus: string[]
}

const server = await startConsoleServer()
try {
  const isClean = await checkPages(server, process.argv.slice(2))
  if (!isClean) process.exitCode = 1
} finally {
  await server.close()
}

async function checkPages(
  { open, url, organizationKey }: ConsoleServer,
  parts: readonly string[],
): Promise<boolean> {
  await mkdir(FOLDER, { recursive: true })
  const page = await open(organizationKey, { viewport: SIZES.desktop })
  const messages = collectMessages(page)
  const project = await loadDemoProject(page, url)
  await page.addInitScript((id) => localStorage.setItem('patchbay.project', id), project)
  const pages = await consolePages(consoleApi(page, url, project))
  const chosen = pages.filter(({ path }) => parts.length === 0 || parts.some((part) => path.includes(part)))
  let isClean = true
  print('page', 'axe', 'CSP', 'overflow', 'focus')
  for (const one of chosen) {
    const finding = await visit(page, url, one)
    finding.csp = messages.splice(0)
    const { axe, csp, overflow, focus } = finding
    print(one.route, axe.length, csp.length, overflow, focus.length)
    for (const text of [...axe, ...csp, ...focus]) process.stdout.write(`    ${text}\n`)
    isClean &&= axe.length + csp.length + overflow + focus.length === 0
  }
  process.stdout.write(`${chosen.length} pages; screenshots are in ${FOLDER}\n`)
  return isClean
}

/** Collects violations of the content security policy and script errors. */
function collectMessages(page: Page): string[] {
  const messages: string[] = []
  page.on('console', (message) => {
    if (/content security policy|refused to/i.test(message.text())) messages.push(message.text())
  })
  page.on('pageerror', (error) => messages.push(error.message))
  return messages
}

async function visit(page: Page, url: string, { route, path }: ConsolePage): Promise<Finding> {
  const finding: Finding = { axe: [], csp: [], overflow: 0, focus: [] }
  const name = route.replace('*', 'any').replace(/\W+/g, '-').replace(/^-|-$/g, '')
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport)
    await openConsolePage(page, url, path)
    for (const theme of THEMES) {
      await setTheme(page, theme)
      for (const { id, html } of await axeViolations(page))
        finding.axe.push(`${size}, ${theme}: ${id} at ${html.slice(0, 160)}`)
      await page.screenshot({ path: join(FOLDER, `${name}-${size}-${theme}.png`) })
    }
    finding.overflow = Math.max(finding.overflow, await horizontalOverflow(page))
    finding.focus.push(...(await focusFaults(page)).map((fault) => `${size}: no visible focus at ${fault}`))
  }
  return finding
}

function print(name: string, ...cells: (string | number)[]): void {
  process.stdout.write(`${name.padEnd(28)}${cells.map((cell) => String(cell).padStart(10)).join('')}\n`)
}
