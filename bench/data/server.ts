import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runningUrl } from '../../src/platform/db/embedded/index.ts'
import { cpuMs, treeCpuMs } from '../execute/cpu.ts'

const START_MS_MAX = 900_000
const PROGRAM = fileURLToPath(new URL('../../bin/patchbay.js', import.meta.url))

/** Calls the API with the key of the project, and returns the status and the body. */
export type Call = (path: string, body?: object) => Promise<{ status: number; body: never }>

export interface Server {
  call: Call
  databaseUrl: string
  /** Processor time of the server and of PostgreSQL so far. */
  cpuMs(): { server: number; postgres: number }
  stop(): Promise<void>
}

/** Starts the program on a data directory, without retention and limits. */
export async function startServer(folder: string, encryptionKeys: string): Promise<Server> {
  await mkdir(folder, { recursive: true })
  const child = spawn(process.execPath, [PROGRAM, 'start'], {
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: folder,
      ENCRYPTION_KEYS: encryptionKeys,
      LOG_RETENTION_DAYS: '60',
      CONSOLE: 'off',
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  try {
    const url = await urlOf(child.stdout)
    const keys = JSON.parse(await readFile(join(folder, 'keys.json'), 'utf8')) as { project_api_key: string }
    const postmaster = Number(
      (await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0],
    )
    const pid = child.pid as number
    return {
      call: callerOf(url, keys.project_api_key),
      databaseUrl: await runningUrl(folder),
      cpuMs: () => ({ server: cpuMs(pid), postgres: treeCpuMs(postmaster) }),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const callerOf =
  (url: string, key: string): Call =>
  async (path, body) => {
    const response = await fetch(`${url}/api/v3.1${path}`, {
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as never }
  }

async function urlOf(output: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  output.on('data', (chunk: Buffer) => (text += String(chunk)))
  for (const deadline = performance.now() + START_MS_MAX; performance.now() < deadline; await wait(100)) {
    const [, url] = /✓ ready +listening on (http:\S+)/.exec(text) ?? []
    if (url && text.includes('curl')) return url
  }
  throw new Error(`The server did not start:\n${text}`)
}
