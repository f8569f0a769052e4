import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { treeCpuMs } from '../execute/cpu.ts'
import { processorMsOf } from '../processor.ts'

const IDLE_EVERY_MS = 2_000
/** Processor time of an idle server and its PostgreSQL in that time, in milliseconds. */
const IDLE_MS_MAX = 100
const IDLE_WAIT_MS_MAX = 180_000
const PROGRAM = fileURLToPath(new URL('../../bin/patchbay.js', import.meta.url))

export interface Response {
  readonly text: string
  readonly ms: number
  readonly processorMs: number
}

export interface Server {
  /** From the start of the process to the last line of what it prints when it is ready. */
  seconds: number
  /**
   * Returns the body, how long it took, and the processor time of the server for it, in milliseconds. The body is not
   * parsed: the garbage of thousands of bodies would be collected in this process during later measurements.
   */
  get(path: string): Promise<Response>
  /** What the process holds now, in MB. */
  resident(): Promise<number>
  /**
   * Waits until the process and its children use no processor time: after its first start a server builds the console
   * and the image of the sandbox, and their work would disturb what is measured.
   */
  idle(): Promise<void>
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
      return { text, ms, processorMs }
    },
    resident: async () =>
      Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1_024,
    async idle() {
      const end = performance.now() + IDLE_WAIT_MS_MAX
      for (let used = treeCpuMs(child.pid!), before = 0; used - before > IDLE_MS_MAX;) {
        if (performance.now() > end)
          throw new Error(`The server is busy ${IDLE_WAIT_MS_MAX} ms after its start.`)
        await wait(IDLE_EVERY_MS)
        before = used
        used = treeCpuMs(child.pid!)
      }
    },
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
