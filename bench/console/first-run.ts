import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Locator, Page } from 'playwright-core'
import { startConsoleServer } from './server.ts'

// The first minutes of a newcomer, from the link that the start prints to an agent's call in the logs, by clicks only.
// Prints clicks, filled fields and seconds of each step, and fails if a step does not work or the whole takes more than
// five minutes.
//
//   npm run bench:first-run

const SECONDS_MAX = 300
const TOOL = 'GITHUB_LIST_REPOSITORY_ISSUES'

interface Step {
  name: string
  clicks: number
  fields: number
  seconds: number
}

const steps: Step[] = []
let startedAt = performance.now()
let clicks = 0
let fields = 0

const click = async (target: Locator): Promise<void> => {
  clicks++
  await target.click()
}
const fill = async (target: Locator, text: string): Promise<void> => {
  fields++
  await target.fill(text)
}
const endStep = (name: string): void => {
  steps.push({ name, clicks, fields, seconds: (performance.now() - startedAt) / 1_000 })
  ;[startedAt, clicks, fields] = [performance.now(), 0, 0]
}

const server = await startConsoleServer()
endStep('npm start, until the console is built')
try {
  const page = await server.browser.newPage({ viewport: { width: 1280, height: 800 } })
  page.setDefaultTimeout(60_000)
  await createOwner(page, server.setupUrl)
  await runFirstTool(page)
  await connectApplications(page)
  const { url, key } = await handToAgent(page)
  await callAsAgent(url, key)
  await page.getByText('The agent called').waitFor()
  endStep('the agent calls a tool (no clicks: the step turns green)')
  await findInLogs(page)
} finally {
  await server.close()
}
report()

async function createOwner(page: Page, setupUrl: string): Promise<void> {
  clicks++ // The link in the terminal.
  await page.goto(setupUrl)
  await fill(page.getByLabel('Your name'), 'Ada')
  await fill(page.getByLabel('E-mail address'), 'ada@example.com')
  await fill(page.getByLabel('New password'), 'correct horse battery staple')
  await click(page.getByRole('button', { name: 'Create the owner' }))
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  endStep('set-up link: create the owner')
}

async function runFirstTool(page: Page): Promise<void> {
  await click(page.getByRole('button', { name: 'Run UTILITIES_GET_CURRENT_TIME' }))
  await page.getByRole('region', { name: 'Result' }).getByText('"iso"').waitFor()
  endStep('run a tool')
}

async function connectApplications(page: Page): Promise<void> {
  await click(page.getByRole('button', { name: 'Load demo data' }))
  await page.getByRole('heading', { name: 'This is a demo project' }).waitFor()
  await page.getByRole('heading', { name: 'Connect an application (done)' }).waitFor()
  endStep('connect applications: demo data')
}

/** Returns what the snippet for a client contains. */
async function handToAgent(page: Page): Promise<{ url: string; key: string }> {
  await click(page.getByRole('button', { name: 'Open a session' }))
  await click(page.getByRole('tab', { name: 'Cursor' }))
  const snippet = page.getByRole('region', { name: '~/.cursor/mcp.json' })
  await page.getByText('The snippets contain a new key').waitFor()
  const { mcpServers } = JSON.parse((await snippet.textContent()) ?? '{}')
  const [{ url, headers }] = Object.values(mcpServers) as [{ url: string; headers: Record<string, string> }]
  await click(page.getByRole('button', { name: 'Copy' }).first())
  endStep('hand it to an agent: open a session, copy a snippet')
  return { url, key: headers['x-api-key'] ?? '' }
}

async function callAsAgent(url: string, key: string): Promise<void> {
  const client = new Client({ name: 'first-run', version: '1.0.0' })
  const requestInit = { headers: { 'x-api-key': key } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }) as never)
  const { tools } = await client.listTools()
  const execute = tools.find(({ name }) => name.endsWith('_MULTI_EXECUTE_TOOL'))
  if (!execute) throw new Error('The session shows no tool that executes tools.')
  const call = { tool_slug: TOOL, arguments: { owner: 'octocat', repo: 'hello-world' } }
  const result = await client.callTool({
    name: execute.name,
    arguments: { tools: [call], sync_response_to_workbench: false },
  })
  if (result.isError) throw new Error(`The call failed: ${JSON.stringify(result.content)}`)
  await client.close()
}

async function findInLogs(page: Page): Promise<void> {
  await click(page.getByRole('link', { name: 'Logs' }))
  await click(page.locator('tr.opens').filter({ hasText: TOOL }).first())
  const drawer = page.getByRole('dialog')
  await drawer.getByText('trs_').first().waitFor()
  await drawer.getByText('Success').first().waitFor()
  endStep('find the call in the logs')
}

function report(): void {
  const sum = (field: 'clicks' | 'fields' | 'seconds') =>
    steps.reduce((total, step) => total + step[field], 0)
  const total = { name: 'total', clicks: sum('clicks'), fields: sum('fields'), seconds: sum('seconds') }
  process.stdout.write(
    `${'step'.padEnd(60)}${'clicks'.padStart(8)}${'fields'.padStart(8)}${'seconds'.padStart(9)}\n`,
  )
  for (const step of [...steps, total]) {
    const cells = [
      String(step.clicks).padStart(8),
      String(step.fields).padStart(8),
      step.seconds.toFixed(1).padStart(9),
    ]
    process.stdout.write(`${step.name.padEnd(60)}${cells.join('')}\n`)
  }
  if (total.seconds > SECONDS_MAX) throw new Error(`The first run took more than ${SECONDS_MAX} s.`)
}
