import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Locator, Page } from 'playwright-core'
import { startConsoleServer } from './server.ts'

const TOOL = 'GITHUB_LIST_REPOSITORY_ISSUES'
const REPOSITORY = { owner: 'octocat', repo: 'hello-world' }
/** The token that the simulated GitHub accepts. */
const TOKEN = 'simulated-token'
/** Far above what a person waits for: ends only a run that hangs, on a loaded machine too. */
const ACTION_MS_MAX = 300_000
const DESKTOP = { width: 1280, height: 800 }

export interface Step {
  name: string
  clicks: number
  fields: number
  seconds: number
}

export interface FirstRunOptions {
  /** Default: a desktop of 1280 × 800 pixels. */
  viewport?: { width: number; height: number }
  colorScheme?: 'light' | 'dark'
  /** Called at the end of each step, with the page as the person sees it. */
  onStep?(page: Page, name: string): Promise<void>
}

/** Counts what a person does, and divides it into steps. */
class Recorder {
  readonly steps: Step[] = []
  readonly #onStep: FirstRunOptions['onStep']
  #startedAt = performance.now()
  #clicks = 0
  #fields = 0

  constructor(onStep: FirstRunOptions['onStep']) {
    this.#onStep = onStep
  }

  countClick(): void {
    this.#clicks++
  }

  async click(target: Locator): Promise<void> {
    this.#clicks++
    await target.click()
  }

  async fill(target: Locator, text: string): Promise<void> {
    this.#fields++
    await target.fill(text)
  }

  async endStep(name: string, page?: Page): Promise<void> {
    const seconds = (performance.now() - this.#startedAt) / 1_000
    this.steps.push({ name, clicks: this.#clicks, fields: this.#fields, seconds })
    if (page) await this.#onStep?.(page, name)
    ;[this.#startedAt, this.#clicks, this.#fields] = [performance.now(), 0, 0]
  }
}

/**
 * The first minutes of a newcomer on an empty server, by clicks only: from the link that the start prints, over the
 * first tool call and an account with a token of one's own, to an agent's call in the logs. Fails if a step does not
 * work.
 */
export async function runFirstSteps(options: FirstRunOptions = {}): Promise<Step[]> {
  const { viewport = DESKTOP, colorScheme = 'light', onStep } = options
  const person = new Recorder(onStep)
  const server = await startConsoleServer()
  try {
    await person.endStep('npm start, until the console is built')
    const page = await server.browser.newPage({ viewport, colorScheme })
    page.setDefaultTimeout(ACTION_MS_MAX)
    await createOwner(page, person, server.setupUrl)
    await runFirstTool(page, person)
    await loadDemoData(page, person)
    await connectWithToken(page, person)
    const { url, key } = await handToAgent(page, person)
    await callAsAgent(url, key)
    await page.getByText('The agent called').waitFor()
    await person.endStep('the agent calls a tool (no clicks: the step turns green)', page)
    await findInLogs(page, person)
  } finally {
    await server.close()
  }
  return person.steps
}

async function createOwner(page: Page, person: Recorder, setupUrl: string): Promise<void> {
  person.countClick() // The link in the terminal.
  await page.goto(setupUrl)
  await person.fill(page.getByLabel('Your name'), 'Ada')
  await person.fill(page.getByLabel('E-mail address'), 'ada@example.com')
  await person.fill(page.getByLabel('New password'), 'correct horse battery staple')
  await person.click(page.getByRole('button', { name: 'Create the owner' }))
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await person.endStep('set-up link: create the owner', page)
}

async function runFirstTool(page: Page, person: Recorder): Promise<void> {
  await person.click(page.getByRole('button', { name: 'Run UTILITIES_GET_CURRENT_TIME' }))
  await page.getByRole('region', { name: 'Result' }).getByText('"iso"').waitFor()
  await person.endStep('run a tool', page)
}

async function loadDemoData(page: Page, person: Recorder): Promise<void> {
  await person.click(page.getByRole('button', { name: 'Load demo data' }))
  await page.getByRole('heading', { name: 'This is a demo project' }).waitFor()
  await page.getByRole('heading', { name: 'Connect an application (done)' }).waitFor()
  await person.endStep('load demo data, with simulated applications', page)
}

/** Opens a page from the navigation, which is a drawer on a phone. */
async function openPage(page: Page, person: Recorder, title: string): Promise<void> {
  const menu = page.getByRole('button', { name: 'Open the navigation' })
  if (await menu.isVisible()) await person.click(menu)
  await person.click(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: title, exact: true }),
  )
}

async function connectWithToken(page: Page, person: Recorder): Promise<void> {
  await openPage(page, person, 'Applications')
  await person.click(page.getByRole('link', { name: 'GitHub' }).first())
  await person.click(page.getByRole('tab', { name: 'Connect' }))
  await person.click(page.getByRole('button', { name: 'Use Personal access token' }))
  await person.click(page.getByRole('button', { name: 'Continue' }))
  const waiting = page.waitForEvent('popup')
  await person.click(page.getByRole('link', { name: 'Open the sign-in page' }))
  const form = await waiting
  await person.fill(form.getByRole('textbox').first(), TOKEN)
  await person.click(form.getByRole('button', { name: 'Connect', exact: true }))
  await page.getByText('Connected as').waitFor()
  await form.close()
  await person.endStep('connect GitHub with a token', page)
}

/** Returns what the snippet for a client contains. */
async function handToAgent(page: Page, person: Recorder): Promise<{ url: string; key: string }> {
  await person.click(page.getByRole('link', { name: 'Hand it to an agent' }))
  await person.click(page.getByRole('button', { name: 'Open a session' }))
  await person.click(page.getByRole('tab', { name: 'Cursor' }))
  const snippet = page.getByRole('region', { name: '~/.cursor/mcp.json' })
  await page.getByText('The snippets contain a new key').waitFor()
  const { mcpServers } = JSON.parse((await snippet.textContent()) ?? '{}')
  const [{ url, headers }] = Object.values(mcpServers) as [{ url: string; headers: Record<string, string> }]
  await person.click(page.getByRole('button', { name: 'Copy' }).first())
  await person.endStep('hand it to an agent: open a session, copy a snippet', page)
  return { url, key: headers['x-api-key'] ?? '' }
}

async function callAsAgent(url: string, key: string): Promise<void> {
  const client = new Client({ name: 'first-run', version: '1.0.0' })
  const requestInit = { headers: { 'x-api-key': key } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }) as never)
  const { tools } = await client.listTools()
  const execute = tools.find(({ name }) => name.endsWith('_MULTI_EXECUTE_TOOL'))
  if (!execute) throw new Error('The session shows no tool that executes tools.')
  const result = await client.callTool({
    name: execute.name,
    arguments: { tools: [{ tool_slug: TOOL, arguments: REPOSITORY }], sync_response_to_workbench: false },
  })
  if (result.isError) throw new Error(`The call failed: ${JSON.stringify(result.content)}`)
  await client.close()
}

async function findInLogs(page: Page, person: Recorder): Promise<void> {
  await person.click(page.getByRole('link', { name: 'Show it in the logs' }))
  const drawer = page.getByRole('dialog')
  await drawer.getByText(TOOL).first().waitFor()
  await drawer.getByText('trs_').first().waitFor()
  await drawer.getByText('Success').first().waitFor()
  await person.endStep('find the call in the logs', page)
}

export const sumOf = (steps: readonly Step[], field: 'clicks' | 'fields' | 'seconds'): number =>
  steps.reduce((total, step) => total + step[field], 0)

/** Writes steps as the lines of a table, with their sum. */
export function formatSteps(steps: readonly Step[]): string[] {
  const [clicks, fields, seconds] = [sumOf(steps, 'clicks'), sumOf(steps, 'fields'), sumOf(steps, 'seconds')]
  const line = (name: string, ...cells: string[]) =>
    name.padEnd(60) + cells.map((cell) => cell.padStart(9)).join('')
  return [
    line('step', 'clicks', 'fields', 'seconds'),
    ...[...steps, { name: 'total', clicks, fields, seconds }].map((step) =>
      line(step.name, String(step.clicks), String(step.fields), step.seconds.toFixed(1)),
    ),
  ]
}
