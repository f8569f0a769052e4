import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { clonedDatabase } from '../fixtures/clone.ts'
import { ROOT } from './markdown.ts'

export interface Product {
  url: string
  /** The directory it was started in; the data directory is `.patchbay` below it, as for whoever starts it by hand. */
  directory: string
  keys: { project_id: string; project_api_key: string; organization_api_key: string }
  /** What a shell needs to use it: the commands `patchbay` and `node` on the path. */
  env: Record<string, string>
}

const READY_MS = 30_000

/** The real program in a process of its own, on a database of its own. Gone when the test ends. */
export async function startProduct(t: TestContext, settings: Record<string, string> = {}): Promise<Product> {
  const databaseUrl = await clonedDatabase(t)
  const directory = await mkdtemp(join(tmpdir(), 'patchbay-docs-'))
  // The compiled program is shared: without it a command takes twice as long to start.
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  const env = {
    XDG_CACHE_HOME: cache,
    PATH: `${join(directory, '.bin')}:${process.env['PATH'] ?? ''}`,
    HOME: directory,
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
  }
  addCommands(join(directory, '.bin'))
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  const child = spawn(process.execPath, [join(ROOT, 'bin/patchbay.js'), 'start'], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, DATABASE_URL: databaseUrl, PORT: '0', LOG_LEVEL: 'silent', ...settings },
  })
  t.after(async () => {
    if (child.exitCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    await rm(directory, { recursive: true, force: true })
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      said += part
    })
  for (
    const deadline = Date.now() + READY_MS;
    !said.includes('Execute a first tool');
    await new Promise((resolve) => setTimeout(resolve, 20))
  ) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`The server did not start:\n${said}`)
  }
  const { url, ...keys } = JSON.parse(await readFile(join(directory, '.patchbay/keys.json'), 'utf8')) as {
    url: string
  } & Product['keys']
  return { url, directory, keys, env: { ...env, DATABASE_URL: databaseUrl } }
}

function addCommands(directory: string): void {
  mkdirSync(directory)
  symlinkSync(process.execPath, join(directory, 'node'))
  const file = join(directory, 'patchbay')
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'bin/patchbay.js')}' "$@"\n`)
  chmodSync(file, 0o755)
}
