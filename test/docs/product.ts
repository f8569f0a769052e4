import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { clonedDatabase } from '../fixtures/clone.ts'
import { CACHE_DIR } from '../fixtures/shared-cache.ts'
import { until } from '../fixtures/until.ts'
import { ROOT } from './markdown.ts'

export interface Product {
  url: string
  /**
   * The directory it was started in; the data directory is `.patchbay` below it, as for a person who starts it by hand.
   */
  directory: string
  keys: { project_id: string; project_api_key: string; organization_api_key: string }
  /** What a shell needs to use it: the commands `patchbay` and `node` on the path. */
  env: Record<string, string>
}

const READY_MS = 180_000
const KEYS_FILE = '.patchbay/keys.json'

/** Starts the program in a process and on a database of its own. Both are gone when the test or suite ends. */
export async function startProduct(t: TestContext, settings: Record<string, string> = {}): Promise<Product> {
  const databaseUrl = await clonedDatabase(t)
  const directory = await pageDirectory(t)
  const env = pageEnvironment(directory)
  const child = spawn(process.execPath, [join(ROOT, 'bin/patchbay.js'), 'start'], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...env,
      DATABASE_URL: databaseUrl,
      PORT: '0',
      LOG_LEVEL: 'silent',
      CACHE_DIR,
      ...settings,
    },
  })
  t.after(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      output += part
    })
  await until(
    'the server is ready',
    () => {
      if (child.exitCode !== null) throw new Error(`The server did not start:\n${output}`)
      return output.includes('Execute a first tool')
    },
    READY_MS,
  )
  const { url, ...keys } = JSON.parse(await readFile(join(directory, KEYS_FILE), 'utf8')) as {
    url: string
  } & Product['keys']
  return { url, directory, keys, env: { ...env, DATABASE_URL: databaseUrl } }
}

/** Returns a running product as a page sees it that has the server for itself: with an empty project of its own. */
export async function withOwnProject(t: TestContext, { url, keys }: Product): Promise<Product> {
  const directory = await pageDirectory(t)
  const response = await fetch(`${url}/api/v3/org/owner/project/new`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-org-api-key': keys.organization_api_key },
    body: JSON.stringify({ name: `page-${randomUUID()}`, should_create_api_key: true }),
    signal: AbortSignal.timeout(READY_MS),
  })
  const project = (await response.json()) as { id: string; api_key: string }
  if (!response.ok) throw new Error(`No project for a page: ${JSON.stringify(project)}`)
  const own = { ...keys, project_id: project.id, project_api_key: project.api_key }
  mkdirSync(join(directory, dirname(KEYS_FILE)))
  writeFileSync(join(directory, KEYS_FILE), JSON.stringify({ url, ...own }), { mode: 0o600 })
  return { url, directory, keys: own, env: pageEnvironment(directory) }
}

/** Creates the directory in which a page is run, with the commands and packages that it uses. */
async function pageDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'patchbay-docs-'))
  // Hooks run in their order: the server that uses the directory registers its own after this one.
  t.after(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }))
  addCommands(join(directory, '.bin'))
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  // A page imports `patchbay/client` from the sources: its directory has the name of the package.
  symlinkSync(join(ROOT, 'src'), join(directory, 'src'))
  const client = { name: 'patchbay', type: 'module', exports: { './client': './src/client/index.ts' } }
  writeFileSync(join(directory, 'package.json'), JSON.stringify(client))
  return directory
}

const pageEnvironment = (directory: string): Record<string, string> => ({
  // The compiled program is shared: without it a command takes twice as long to start.
  XDG_CACHE_HOME: process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  PATH: `${join(directory, '.bin')}:${process.env['PATH'] ?? ''}`,
  HOME: directory,
  LANG: 'C.UTF-8',
  NO_COLOR: '1',
})

function addCommands(directory: string): void {
  mkdirSync(directory)
  symlinkSync(process.execPath, join(directory, 'node'))
  const file = join(directory, 'patchbay')
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'bin/patchbay.js')}' "$@"\n`)
  chmodSync(file, 0o755)
}
