import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { alternate, type Contender, medianOf, medianOfPairs, type Round, warmUp } from '../rounds.ts'
import { cpuMs, treeCpuMs } from './cpu.ts'
import { memory } from './memory.ts'
import type { Product } from './processes.ts'
import { replicas } from './replicas.ts'
import { type AccountKind, raise, type Stage } from './stage.ts'
import { describeMachine } from '../figures.ts'

// What an execution costs in comparison with a bare Fastify + undici forwarder that takes turns with it in the
// same run, logs on. Each program is called until its cost is stable; figures are medians of the rounds.
//
//   npm run bench:execute                       rows by size, account and callers
//   npm run bench:execute -- --row oauth-1-32   one of them: account-KB-callers
//   npm run bench:execute -- --against ../main  compared with another folder of the program, in the same rounds
//   npm run bench:execute -- --memory 200000    resident memory over so many executions
//   npm run bench:execute -- --replicas         two server processes on one database, compared with one

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    row: { type: 'string', multiple: true },
    against: { type: 'string' },
    json: { type: 'boolean', default: false },
    memory: { type: 'string' },
    replicas: { type: 'boolean', default: false },
  },
})

/** The least ratio to the forwarder, and the most processor time (µs) and time of a call (ms). */
interface Targets {
  ratio?: number
  product_us?: number
  postgres_us?: number
  p50_ms?: number
}
interface Row {
  account: AccountKind
  kb: number
  callers: number
  targets?: Targets
}
const ROWS: readonly Row[] = [
  { account: 'key', kb: 1, callers: 1, targets: { p50_ms: 0.8 } },
  { account: 'key', kb: 1, callers: 32, targets: { ratio: 0.6, product_us: 130, postgres_us: 50 } },
  { account: 'key', kb: 1, callers: 256 },
  { account: 'oauth', kb: 1, callers: 32, targets: { ratio: 0.6, product_us: 130, postgres_us: 50 } },
  { account: 'effect', kb: 1, callers: 32, targets: { ratio: 0.5 } },
  { account: 'key', kb: 64, callers: 32, targets: { ratio: 0.8 } },
  { account: 'key', kb: 1_024, callers: 8, targets: { ratio: 0.8 } },
]
const nameOf = ({ account, kb, callers }: Row) => `${account}-${kb}-${callers}`

const say = (text: string) => {
  if (!options.json) process.stdout.write(`${text}\n`)
}

/** Medians of one contender in one row. */
interface Measured {
  row: string
  program: string
  per_second: number
  /** Throughput divided by that of the forwarder in the same round. */
  ratio: number
  p50_ms: number
  p99_ms: number
  product_us: number
  postgres_us: number
  failures: number
}

function contendersOf(stage: Stage, { account, kb, callers }: Row): Contender[] {
  const rate = { callers, seconds: Number(options.seconds) }
  const names = ['product', options.against ?? 'other']
  return [
    {
      name: 'forwarder',
      load: stage.forward(kb, rate),
      processes: { product: () => cpuMs(stage.forwarder.pid) },
    },
    ...stage.products.map((product: Product, index) => ({
      name: names[index] as string,
      load: stage.execute(account, kb, rate, product),
      processes: { product: () => cpuMs(product.pid), postgres: () => treeCpuMs(product.postgresPid) },
    })),
  ]
}

async function measure(stage: Stage, row: Row): Promise<Measured[]> {
  const contenders = contendersOf(stage, row)
  for (const contender of contenders) await warmUp(contender)
  const measured = await alternate(contenders, Number(options.rounds))
  const [bare] = measured as [Round[]]
  return measured.map((rounds, index) => ({
    row: nameOf(row),
    program: contenders[index]?.name ?? '',
    per_second: medianOf(rounds, ({ perSecond }) => perSecond),
    ratio: medianOfPairs(bare, rounds, (first, second) => second.perSecond / first.perSecond),
    p50_ms: medianOf(rounds, ({ p50Ms }) => p50Ms),
    p99_ms: medianOf(rounds, ({ p99Ms }) => p99Ms),
    product_us: Math.round(medianOf(rounds, ({ us }) => us['product'] ?? 0)),
    postgres_us: Math.round(medianOf(rounds, ({ us }) => us['postgres'] ?? 0)),
    failures: rounds.reduce((sum, { failures }) => sum + failures, 0),
  }))
}

const COLUMNS = ['calls/s', 'ratio', 'p50 ms', 'p99 ms', 'µs', 'PostgreSQL µs']
const HEADING =
  `  ${'row'.padEnd(13)}${'program'.padEnd(22)}` +
  COLUMNS.map((name) => name.padStart(Math.max(9, name.length + 2))).join('')

function line({ row, program, failures, ...one }: Measured): string {
  const cells = [
    one.per_second.toFixed(0).padStart(9),
    one.ratio.toFixed(2).padStart(9),
    one.p50_ms.toFixed(2).padStart(9),
    one.p99_ms.toFixed(1).padStart(9),
    String(one.product_us).padStart(9),
    String(one.postgres_us).padStart(15),
  ]
  return `  ${row.padEnd(13)}${program.padEnd(22)}${cells.join('')}${failures ? `   ${failures} failed` : ''}`
}

/** Returns a line with each target of a row. */
function verdict({ targets = {} }: Row, product: Measured): string {
  const parts = Object.entries(targets).map(([name, target]) => {
    const value = product[name as keyof Targets]
    const isMet = name === 'ratio' ? value >= target : value <= target
    return `${name} ${name === 'ratio' ? '≥' : '≤'} ${target}: ${isMet ? 'met' : 'missed'}`
  })
  return parts.length ? `  ${' '.repeat(13)}targets: ${parts.join(', ')}` : ''
}

async function rows(): Promise<void> {
  const chosen = ROWS.filter((row) => options.row?.includes(nameOf(row)) ?? true)
  if (!chosen.length) throw new Error(`--row takes ${ROWS.map(nameOf).join(', ')}`)
  say(
    `  rows are account-KB-callers; medians of ${options.rounds} alternating rounds of ${options.seconds} s after ` +
      `warm-up;\n  µs: processor time for one call\n`,
  )
  say(HEADING)
  const stage = await raise(options.against === undefined ? [{}] : [{}, { root: options.against }])
  try {
    const all: Measured[] = []
    for (const row of chosen) {
      const measured = await measure(stage, row)
      all.push(...measured)
      for (const one of measured) say(line(one))
      say(`${verdict(row, measured[1] as Measured)}\n`)
    }
    if (options.json)
      process.stdout.write(
        `${JSON.stringify({ cores: availableParallelism(), load: loadavg()[0], rows: all })}\n`,
      )
    const load = loadavg().map((one) => one.toFixed(1))
    say(`  load of the machine      ${load.join(' ')}\n`)
  } finally {
    await stage.stop()
  }
}

say(`\n  tools/execute compared with a bare Fastify + undici forwarder\n  ${describeMachine()}`)
if (options.memory !== undefined) await memory(Number(options.memory), options.json)
else if (options.replicas) await replicas(Number(options.seconds), Number(options.rounds), options.json)
else await rows()
