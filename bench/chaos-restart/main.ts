import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Agent, request } from 'undici'
import { startProduct } from '../execute/processes.ts'
import { describeMachine, quantile } from '../figures.ts'

// Replaces every process of a server with WORKERS=2 again and again (SIGUSR2) while callers execute a tool over
// connections that stay open. No request may fail.
//
//   npm run chaos:restart                     five replacements, some two minutes
//   npm run chaos:restart -- --restarts 2 --callers 4

const { values: options } = parseArgs({
  options: {
    restarts: { type: 'string', default: '5' },
    callers: { type: 'string', default: '16' },
    workers: { type: 'string', default: '2' },
  },
})
const PATH = '/api/v3.1/tools/execute/UTILITIES_GENERATE_UUIDS'
const REPLACED_MS_MAX = 180_000
const LOOK_MS = 100
const FAILURES_SHOWN = 5
const CALL_MS = 60_000

interface Calls {
  times: number[]
  failures: string[]
}

async function callUntil(url: string, key: string, callers: number, signal: AbortSignal): Promise<Calls> {
  const calls: Calls = { times: [], failures: [] }
  const dispatcher = new Agent({ connections: callers, keepAliveTimeout: 60_000 })
  async function caller(): Promise<void> {
    while (!signal.aborted) {
      const startedAt = performance.now()
      const failure = await callOnce(dispatcher, url, key)
      if (failure === undefined) calls.times.push(performance.now() - startedAt)
      else calls.failures.push(failure)
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  await dispatcher.close()
  return calls
}

/** Returns why a call failed; undefined when it succeeded. */
async function callOnce(dispatcher: Agent, url: string, key: string): Promise<string | undefined> {
  try {
    const { statusCode, body } = await request(url + PATH, {
      dispatcher,
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ user_id: 'u', arguments: {} }),
      headersTimeout: CALL_MS,
      bodyTimeout: CALL_MS,
    })
    const text = await body.text()
    return statusCode === 200 ? undefined : `${statusCode} ${text.slice(0, 200)}`
  } catch (error) {
    return String(error)
  }
}

/** The server processes that the first process has started. */
const workersOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter((child) => child && readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('patchbay.js'))
    .map(Number)

/** Replaces all processes, and returns how long it took, in seconds. */
async function replaceAll(pid: number, count: number): Promise<number> {
  const before = workersOf(pid)
  const startedAt = performance.now()
  process.kill(pid, 'SIGUSR2')
  for (; performance.now() - startedAt < REPLACED_MS_MAX; await wait(LOOK_MS)) {
    const now = workersOf(pid)
    if (now.length === count && now.every((worker) => !before.includes(worker)))
      return (performance.now() - startedAt) / 1_000
  }
  throw new Error(`The processes were not replaced within ${REPLACED_MS_MAX / 1_000} s.`)
}

async function waitForWorkers(pid: number, count: number): Promise<void> {
  const untilMs = performance.now() + REPLACED_MS_MAX
  for (; performance.now() < untilMs; await wait(LOOK_MS)) if (workersOf(pid).length === count) return
  throw new Error(`There were not ${count} processes within ${REPLACED_MS_MAX / 1_000} s.`)
}

async function main(): Promise<boolean> {
  const [restarts, callers, workers] = [options.restarts, options.callers, options.workers].map(Number) as [
    number,
    number,
    number,
  ]
  const say = (text: string) => process.stdout.write(`  ${text}\n`)
  say(`${workers} processes, ${callers} callers, ${restarts} replacements of all processes`)
  say(describeMachine())
  const product = await startProduct({ WORKERS: options.workers })
  try {
    await waitForWorkers(product.pid, workers)
    const load = new AbortController()
    const calling = callUntil(product.url, product.key, callers, load.signal)
    const seconds: number[] = []
    for (let n = 0; n < restarts; n++) seconds.push(await replaceAll(product.pid, workers))
    load.abort()
    const { times, failures } = await calling
    const at = (share: number) => quantile(times, share).toFixed(1)
    say(`replaced in ${seconds.map((one) => one.toFixed(1)).join(', ')} s`)
    say(`${times.length} calls succeeded: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`)
    say(`${failures.length} calls failed`)
    for (const failure of failures.slice(0, FAILURES_SHOWN)) say(`  ${failure}`)
    const holds = failures.length === 0 && times.length > 0
    say(`holds: ${holds ? 'yes' : 'no'}`)
    return holds
  } finally {
    await product.stop()
  }
}

process.exitCode = (await main()) ? 0 : 1
