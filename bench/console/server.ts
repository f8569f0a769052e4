import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { findBrowser } from '../../test/fixtures/debian-package.ts'
import { totalProcessorMsOf } from '../processor.ts'

const PROGRAM = fileURLToPath(new URL('../../bin/patchbay.js', import.meta.url))
const START_MS_MAX = 180_000
const POLL_MS = 200
const LINK_MS_MAX = 60_000
const STOP_MS_MAX = 30_000

export interface ConsoleServer {
  url: string
  projectKey: string
  organizationKey: string
  /** The one-time link that the start prints, with which the owner is created. */
  setupUrl: string
  browser: Browser
  /** Opens a page in a new browser profile, signed in with a key. */
  open(key: string, options?: Parameters<Browser['newPage']>[0]): Promise<Page>
  /** The processor time that all processes of the browser, and the process of the server, have used so far. */
  processorTime(): Promise<{ browserMs: number; serverMs: number }>
  close(): Promise<void>
}

/** Starts the program on an empty data directory, waits until the console is built, and starts Chromium. */
export async function startConsoleServer(): Promise<ConsoleServer> {
  const executablePath = findBrowser()
  const directory = await mkdtemp(join(tmpdir(), 'patchbay-console-'))
  const server = spawn(process.execPath, [PROGRAM, 'start'], {
    env: { ...process.env, PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  server.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const keys = await readKeys(join(directory, 'keys.json'))
  await waitForConsole(keys.url)
  const setupUrl = await readSetupUrl(server.stdout, () => output)
  const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox'] })
  return {
    url: keys.url,
    projectKey: keys.project_api_key,
    organizationKey: keys.organization_api_key,
    setupUrl,
    browser,
    processorTime: async () => ({
      browserMs: await processorMsOfBrowser(browser),
      serverMs: await totalProcessorMsOf(server.pid as number),
    }),
    open: (key, options) => openSignedIn(browser, keys.url, key, options),
    async close() {
      await browser.close()
      server.kill('SIGTERM')
      await Promise.race([once(server, 'exit'), wait(STOP_MS_MAX, undefined, { ref: false })])
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** The start writes keys.json before it prints the link. */
async function readSetupUrl(stdout: Readable, printed: () => string): Promise<string> {
  const signal = AbortSignal.timeout(LINK_MS_MAX)
  for (;;) {
    const [url] = /http\S+\/console\/setup#t=\S+(?=\s)/.exec(printed()) ?? []
    if (url !== undefined) return url
    await once(stdout, 'data', { signal })
  }
}

async function processorMsOfBrowser(browser: Browser): Promise<number> {
  const devtools = await browser.newBrowserCDPSession()
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo')
  await devtools.detach()
  return processInfo.reduce((total, { cpuTime }) => total + cpuTime * 1_000, 0)
}

async function openSignedIn(
  browser: Browser,
  url: string,
  key: string,
  options: Parameters<Browser['newPage']>[0],
): Promise<Page> {
  const page = await browser.newPage(options)
  const reply = await page.request.post(`${url}/console/auth/key`, {
    data: { key },
    headers: { 'x-patchbay-console': '1', origin: url },
  })
  if (reply.status() !== 204) throw new Error(`The sign-in returned ${reply.status()}: ${await reply.text()}`)
  return page
}

interface Keys {
  url: string
  project_api_key: string
  organization_api_key: string
}

async function readKeys(path: string): Promise<Keys> {
  for (const end = Date.now() + START_MS_MAX; Date.now() < end; await wait(POLL_MS)) {
    const text = await readFile(path, 'utf8').catch(() => '')
    if (text) return JSON.parse(text) as Keys
  }
  throw new Error(`The server did not start within ${START_MS_MAX / 1_000} s.`)
}

async function waitForConsole(url: string): Promise<void> {
  for (const end = Date.now() + START_MS_MAX; Date.now() < end; await wait(POLL_MS)) {
    const reply = await fetch(`${url}/console`).catch(() => undefined)
    if (reply?.status === 200) return
  }
  throw new Error(`The console was not built within ${START_MS_MAX / 1_000} s.`)
}
