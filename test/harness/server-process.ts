import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { KeysFile } from '../../src/boot/keys-file.ts'
import { killAll } from '../../src/platform/db/embedded/members.ts'
import { until } from './until.ts'

const PROGRAM = fileURLToPath(new URL('../../bin/patchbay.js', import.meta.url))
const READY_MS = 60_000
const END_MS = 60_000

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  output: string
}
export interface Reply {
  status: number
  headers: Headers
  body: Record<string, unknown> & { error?: { slug: string; status: number; request_id: string } }
}
export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Reply>

export interface ServerProcess {
  pid: number
  dataDir: string
  /** Where it listens; empty before it is ready and for a process that only works on jobs. */
  url: string
  /** All that it has printed, on both streams. */
  output(): string
  ended: Promise<Ended>
  keys(): Promise<KeysFile>
  /** With the project key of its first start, unless headers are given. Answered within 60 s or failed. */
  call: Call
  /** SIGTERM, and how it ended. */
  stop(): Promise<Ended>
  kill(signal: NodeJS.Signals): void
  /** Whoever read its output is gone. */
  closeOutput(): void
}

export interface ProcessOptions {
  env?: Record<string, string>
  dataDir?: string
  args?: string[]
  cwd?: string
  /** Who runs it; only root can choose. */
  user?: { uid: number; gid: number }
  umask?: number
}

/** An empty directory of the test's own, gone with whatever runs in it. */
export async function temporaryDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'patchbay-days-'))
  await chmod(directory, 0o755)
  t.after(async () => {
    await killAll(join(directory, 'data', 'postgres')).catch(() => {})
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  })
  return directory
}

/** Runs the real program in a process of its own, on a free port; it is gone when the test ends, however it ends. */
export async function launch(
  t: TestContext,
  { env = {}, dataDir, args = ['start'], cwd, user, umask }: ProcessOptions = {},
): Promise<ServerProcess> {
  const own = dataDir ?? join(await temporaryDirectory(t), 'data')
  const { PATH = '', HOME = '' } = process.env
  const usual = umask === undefined ? undefined : process.umask(umask)
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: cwd ?? tmpdir(),
    env: { PATH, HOME, PORT: '0', DATA_DIR: own, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  })
  if (usual !== undefined) process.umask(usual)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, output }))
  })
  ended.catch(() => {})
  t.after(async () => {
    child.kill('SIGKILL')
    await ended.catch(() => {})
  })
  const server: ServerProcess = {
    pid: child.pid ?? 0,
    dataDir: own,
    url: '',
    output: () => output,
    ended,
    keys: async () => JSON.parse(await readFile(join(own, 'keys.json'), 'utf8')) as KeysFile,
    async call(method, path, body, headers) {
      const response = await fetch(server.url + path, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(headers ?? { 'x-api-key': (await server.keys()).project_api_key }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(60_000),
      })
      const text = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        body: (text.startsWith('{') ? JSON.parse(text) : {}) as Reply['body'],
      }
    },
    async stop() {
      child.kill('SIGTERM')
      return endOf(server)
    },
    kill: (signal) => {
      child.kill(signal)
    },
    closeOutput() {
      child.stdout.destroy()
      child.stderr.destroy()
    },
  }
  return server
}

/** The program, ready. */
export async function startServer(t: TestContext, options: ProcessOptions = {}): Promise<ServerProcess> {
  const server = await launch(t, options)
  let gone: Ended | undefined
  void server.ended.then((ended) => {
    gone = ended
  })
  // The last line of the start is printed after everything else is in place.
  const [, url] = await until(
    'the server is ready',
    () => {
      if (gone) throw new Error(`The server ended with ${gone.code ?? gone.signal}:\n${gone.output}`)
      const found = /✓ ready +(?:listening on (http:\S+)|working)/.exec(server.output())
      return found && (!found[1] || /Execute a first tool:\n.*curl .*\n/.test(server.output()))
        ? found
        : undefined
    },
    READY_MS,
  ).catch((error: Error) => {
    throw new Error(`${error.message}\n${server.output()}`)
  })
  server.url = url ?? ''
  return server
}

/** How a process ended, which it has to within a minute: whoever promises less measures it. */
export async function endOf(server: ServerProcess): Promise<Ended> {
  let ended: Ended | undefined
  void server.ended.then((end) => {
    ended = end
  })
  return until(`process ${server.pid} ends; it printed:\n${server.output()}`, () => ended, END_MS)
}

/** Runs the program until it ends by itself. */
export async function runToEnd(t: TestContext, options: ProcessOptions = {}): Promise<Ended> {
  return endOf(await launch(t, options))
}
