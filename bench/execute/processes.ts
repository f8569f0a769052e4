import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const READY_MS = 600_000

/** A program of this folder in a process of its own; answers its address once it listens. */
export async function startPart(
  file: string,
  ...args: string[]
): Promise<{ url: string; pid: number; stop(): void }> {
  const child = fork(new URL(file, import.meta.url), args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [{ port }] = (await once(child, 'message')) as [AddressInfo]
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid as number,
    stop: () => {
      child.kill()
    },
  }
}

export interface Product {
  url: string
  key: string
  /** Empty for the second server of a database. */
  organizationKey: string
  pid: number
  postgresPid: number
  /** Its data directory. */
  directory: string
  stop(): Promise<void>
}

/**
 * The product as `npm start` runs it, on its own database in a temporary directory.
 * @param root the folder of the program; default this repository
 * @param nodeArguments options of Node.js, in addition to those in BENCH_NODE_ARGS
 */
export async function startProduct(
  env: Record<string, string>,
  root = ROOT,
  nodeArguments: readonly string[] = [],
): Promise<Product> {
  const directory = await mkdtemp(join(tmpdir(), 'patchbay-bench-'))
  const child = spawn(
    process.execPath,
    [...(process.env['BENCH_NODE_ARGS']?.split(' ') ?? []), ...nodeArguments, 'bin/patchbay.js', 'start'],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        PORT: '0',
        DATA_DIR: directory,
        EGRESS_ALLOW: '127.0.0.0/8',
        RATE_LIMIT_PER_MINUTE: '100000000',
        LOG_LEVEL: 'warn',
        ...env,
      },
    },
  )
  const url = await ready(child)
  // The second server of a database makes no keys.
  const keys = env['BOOTSTRAP_PROJECT_API_KEY']
    ? { project_api_key: '', organization_api_key: '' }
    : (JSON.parse(await readFile(join(directory, 'keys.json'), 'utf8')) as {
        project_api_key: string
        organization_api_key: string
      })
  return {
    url,
    key: env['BOOTSTRAP_PROJECT_API_KEY'] ?? keys.project_api_key,
    organizationKey: keys.organization_api_key,
    pid: child.pid as number,
    directory,
    postgresPid: env['DATABASE_URL']
      ? 0
      : Number((await readFile(join(directory, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`The product had ended with ${child.exitCode ?? child.signalCode}.`)
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function ready(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`The product was not ready in ${READY_MS / 1_000} s:\n${output}`))
    }, READY_MS)
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const [, url] = /listening on (http:\S+)/.exec(output) ?? []
      if (url && output.includes('curl')) {
        clearTimeout(timer)
        resolve(url)
      }
    })
    child.on('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`The product ended with ${code}:\n${output}`))
    })
  })
}
