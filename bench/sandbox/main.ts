import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ACCOUNTS, raise, type Stage } from '../execute/stage.ts'
import { megabytesBelow } from './memory.ts'
import { callerOf } from './sessions.ts'
import { median } from '../figures.ts'

// What the workbench costs: the first call of a session without and with a warm sandbox, later calls, memory of idle
// sessions, and a tool call from code in comparison with a direct one.
//
//   npm run bench:sandbox
//   npm run bench:sandbox -- --driver bubblewrap --sessions 10

const { values: options } = parseArgs({
  options: {
    driver: { type: 'string', default: 'wasm' },
    sessions: { type: 'string', default: '7' },
    calls: { type: 'string', default: '50' },
  },
})
const SESSIONS = Number(options.sessions)
const CALLS = Number(options.calls)
/** Time in which the server starts the sandboxes in advance. */
const WARM_UP_MS = 15_000
/** Time in which a server with an empty data directory prepares sandboxes after its start. */
const PREPARE_MS = 10_000
const MEGABYTES_PER_GIGABYTE = 1_000
const TARGETS = { coldMs: 1_500, warmMs: 150, laterMs: 30, helperMs: 10 } as const

const print = (text: string) => process.stdout.write(`${text}\n`)

function printFigure(name: string, value: number, unit: string, target?: number): void {
  const result =
    target === undefined ? '' : `   (target ≤ ${target} ${unit}: ${value <= target ? 'met' : 'missed'})`
  print(`  ${name.padEnd(46)}${value.toFixed(value < 100 ? 1 : 0).padStart(8)} ${unit}${result}`)
}

const environment = (warm: number) => ({
  WORKBENCH_DRIVER: String(options.driver),
  WORKBENCH_WARM: String(warm),
  WORKBENCH_SANDBOXES_MAX: String(SESSIONS + 5),
})

/** Milliseconds of the first call of new sessions, one after the other. */
async function firstCalls(stage: Stage, pauseMs: number): Promise<number[]> {
  const { openSession, runCell } = callerOf(stage.products[0]!)
  const times: number[] = []
  for (let at = 0; at < SESSIONS; at++) {
    const session = await openSession()
    times.push((await runCell(session, '6 * 7')).milliseconds)
    await sleep(pauseMs)
  }
  return times
}

async function measureCold(stage: Stage): Promise<void> {
  const product = stage.products[0]!
  const { openSession, runCell } = callerOf(product)
  await sleep(PREPARE_MS)
  const first = (await runCell(await openSession(), '1')).milliseconds
  printFigure('first sandbox after the start of the server', first, 'ms', TARGETS.coldMs)
  const before = megabytesBelow(product.pid)
  printFigure(
    'first call of a session, no warm sandbox',
    median(await firstCalls(stage, 0)),
    'ms',
    TARGETS.coldMs,
  )
  const perSession = (megabytesBelow(product.pid) - before) / SESSIONS
  printFigure('memory of an idle session', perSession, 'MB')
  printFigure('sessions per GB', MEGABYTES_PER_GIGABYTE / perSession, '')
}

async function measureCalls(stage: Stage): Promise<void> {
  const { openSession, runCell, execute } = callerOf(stage.products[0]!)
  const session = await openSession()
  const later: number[] = []
  for (let at = 0; at <= CALLS; at++) later.push((await runCell(session, `${at} + 1`)).milliseconds)
  printFigure('later calls of a session', median(later.slice(1)), 'ms', TARGETS.laterMs)
  const { tool, arguments: argumentsOf } = ACCOUNTS.key
  const args = argumentsOf(1)
  const direct: number[] = []
  for (let at = 0; at < CALLS; at++) direct.push(await execute(session, tool, args))
  const { results } = await runCell(
    session,
    `import json, time\ntimes = []\nfor _ in range(${CALLS}):\n    at = time.perf_counter()\n` +
      `    result, error = run_tool(${JSON.stringify(tool)}, ${JSON.stringify(args)})\n    assert not error, error\n` +
      '    times.append((time.perf_counter() - at) * 1000)\njson.dumps(times)',
  )
  const fromCode = median(JSON.parse(results) as number[])
  printFigure('a tool call without the workbench', median(direct), 'ms')
  printFigure('a tool call from code', fromCode, 'ms')
  printFigure(
    'its overhead over a direct call',
    Math.max(0, fromCode - median(direct)),
    'ms',
    TARGETS.helperMs,
  )
}

/** Runs a measurement against a server of its own. */
async function withStage(warm: number, measure: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await raise([{ env: environment(warm) }])
  try {
    await measure(stage)
  } finally {
    await stage.stop()
  }
}

print(
  `\n  Workbench, driver ${options.driver}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}, ` +
    `${SESSIONS} sessions, medians\n`,
)
await withStage(0, async (stage) => {
  await measureCold(stage)
  await measureCalls(stage)
})
await withStage(SESSIONS, async (stage) => {
  const { openSession, runCell } = callerOf(stage.products[0]!)
  // The first session starts the pool.
  await runCell(await openSession(), '1')
  await sleep(WARM_UP_MS)
  printFigure(
    'first call of a session, warm sandbox',
    median(await firstCalls(stage, 0)),
    'ms',
    TARGETS.warmMs,
  )
})
print('')
