import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { processorMsOf } from '../processor.ts'

const PROGRAM = fileURLToPath(new URL('../../bin/patchbay.js', import.meta.url))

export interface Response {
  readonly body: { items: unknown[]; next_cursor?: string | null; total_items: number }
  readonly ms: number
  readonly processorMs: number
}

export interface Server {
  /** From the start of the process to the last line of what it prints when it is ready. */
  seconds: number
  /** Returns the body, how long it took, and the processor time of the server for it, in milliseconds. */
  get(path: string): Promise<Response>
  /** What the process holds now, in MB. */
  resident(): Promise<number>
  stop(): Promise<void>
}

const environment = (dataDir: string) => {
  const { PATH = '', HOME = '' } = process.env
  return { PATH, HOME, PORT: '0', DATA_DIR: dataDir }
}

/** Starts the server on a data directory. */
export async function startServer(dataDir: string): Promise<Server> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [PROGRAM, 'start'], {
    env: environment(dataDir),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const chunk of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false }))
    if (/listening on http\S+[^]*\/api\/v3/.test((output += chunk as string))) break
  const url = /✓ ready +listening on (http:\S+)/.exec(output)?.[1]
  if (url === undefined) throw new Error(`It did not start:\n${output}`)
  child.stdout.resume()
  const seconds = (performance.now() - startedAt) / 1_000
  const { project_api_key: key } = JSON.parse(await readFile(join(dataDir, 'keys.json'), 'utf8')) as {
    project_api_key: string
  }
  return {
    seconds,
    async get(path) {
      const used = await processorMsOf(child.pid!)
      const askedAt = performance.now()
      const answer = await fetch(url + path, { headers: { 'x-api-key': key } })
      const text = await answer.text()
      const ms = performance.now() - askedAt
      const processorMs = (await processorMsOf(child.pid!)) - used
      if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${text.slice(0, 300)}`)
      return { body: JSON.parse(text) as Response['body'], ms, processorMs }
    },
    resident: async () =>
      Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1_024,
    async stop() {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** Runs a command of the program to its end; answers its standard output. */
export async function run(
  dataDir: string,
  args: readonly string[],
  onLine: (line: string) => void,
): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: environment(dataDir),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let rest = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop()!
    for (const line of lines) onLine(line)
  }
  if (child.exitCode === null) await once(child, 'exit')
  if (child.exitCode !== 0) throw new Error(`patchbay ${args.join(' ')} ended with ${child.exitCode}.`)
}
