import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { CACHE_DIR } from '#fixtures/shared-cache.ts'
import { until } from '#fixtures/until.ts'

const PROGRAM = join(import.meta.dirname, '../../bin/patchbay.js')

/** Starts the real program, which may send requests to this machine. */
export async function startLocalServer(): Promise<{ url: string; key: string; close(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'patchbay-acceptance-'))
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [PROGRAM, 'start'], {
    cwd: tmpdir(),
    env: { PATH, HOME, PORT: '0', DATA_DIR: dataDir, CACHE_DIR, EGRESS_ALLOW: '127.0.0.0/8' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  const url = await until('the server is ready', () => {
    if (child.exitCode !== null) throw new Error(`The server ended:\n${output}`)
    return /✓ ready +listening on (http:\S+)/.exec(output)?.[1]
  })
  const keys = await until('the keys file exists', () =>
    readFile(join(dataDir, 'keys.json'), 'utf8').catch(() => undefined),
  )
  return {
    url,
    key: (JSON.parse(keys) as { project_api_key: string }).project_api_key,
    async close() {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await exit
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
