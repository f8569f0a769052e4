import { availableParallelism, cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { type Figures, load } from './callers.ts'
import { cpuMs, treeCpuMs } from './cpu.ts'
import { memory } from './memory.ts'
import { replicas } from './replicas.ts'
import { type AccountKind, raise, type Stage } from './stage.ts'

// What an execution costs in comparison with a bare Fastify + undici forwarder that takes turns with it in the
// same run, logs on.
//
//   npm run bench:execute                       rows by size, account and callers
//   npm run bench:execute -- --row oauth-1-32   one of them: account-KB-callers
//   npm run bench:execute -- --memory 200000    resident memory over so many executions
//   npm run bench:execute -- --replicas         two server processes on one database, compared with one

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    row: { type: 'string', multiple: true },
    json: { type: 'boolean', default: false },
    memory: { type: 'string' },
    replicas: { type: 'boolean', default: false },
  },
})

interface Row {
  account: AccountKind
  kb: number
  callers: number
  target?: number
}
const ROWS: readonly Row[] = [
  { account: 'key', kb: 1, callers: 1 },
  { account: 'key', kb: 1, callers: 32, target: 0.6 },
  { account: 'key', kb: 1, callers: 256 },
  { account: 'oauth', kb: 1, callers: 32, target: 0.6 },
  { account: 'effect', kb: 1, callers: 32 },
  { account: 'key', kb: 64, callers: 32, target: 0.8 },
  { account: 'key', kb: 1_024, callers: 8, target: 0.8 },
]
const TARGET_ADDED_P99_MS = 10
const nameOf = ({ account, kb, callers }: Row) => `${account}-${kb}-${callers}`

const say = (text: string) => {
  if (!options.json) process.stdout.write(`${text}\n`)
}
const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] as number

interface Measured {
  row: string
  ratio: number
  bare_per_second: number
  product_per_second: number
  added_p50_ms: number
  added_p99_ms: number
  bare_us: number
  product_us: number
  postgres_us: number
  failures: number
}

/** Bare forwarder and product take turns, so that what else the machine does meets both; medians of the rounds. */
async function measure(stage: Stage, row: Row): Promise<Measured> {
  const [seconds, rounds] = [Number(options.seconds), Number(options.rounds)]
  const [product] = stage.products as [Stage['products'][number]]
  const rate = { callers: row.callers, seconds }
  await load(stage.forward(row.kb, { ...rate, seconds: 1 }))
  await load(stage.execute(row.account, row.kb, { ...rate, seconds: 2 }))
  const before = {
    bare: cpuMs(stage.forwarder.pid),
    product: cpuMs(product.pid),
    postgres: treeCpuMs(product.postgresPid),
  }
  const pairs: [Figures, Figures][] = []
  for (let round = 0; round < rounds; round++)
    pairs.push([
      await load(stage.forward(row.kb, rate)),
      await load(stage.execute(row.account, row.kb, rate)),
    ])
  const calls = (which: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[which].calls, 0)
  const us = (ms: number, which: 0 | 1) => Math.round((ms * 1_000) / calls(which))
  return {
    row: nameOf(row),
    ratio: median(pairs.map(([bare, ours]) => ours.perSecond / bare.perSecond)),
    bare_per_second: median(pairs.map(([bare]) => bare.perSecond)),
    product_per_second: median(pairs.map(([, ours]) => ours.perSecond)),
    added_p50_ms: median(pairs.map(([bare, ours]) => ours.p50Ms - bare.p50Ms)),
    added_p99_ms: median(pairs.map(([bare, ours]) => ours.p99Ms - bare.p99Ms)),
    bare_us: us(cpuMs(stage.forwarder.pid) - before.bare, 0),
    product_us: us(cpuMs(product.pid) - before.product, 1),
    postgres_us: us(treeCpuMs(product.postgresPid) - before.postgres, 1),
    failures: pairs.reduce((sum, [bare, ours]) => sum + bare.failures + ours.failures, 0),
  }
}

function line(
  {
    row,
    ratio,
    bare_per_second,
    product_per_second,
    added_p50_ms,
    added_p99_ms,
    bare_us,
    product_us,
    postgres_us,
    failures,
  }: Measured,
  target: number | undefined,
): string {
  const mark = (fits: boolean) => (fits ? 'met' : 'missed')
  const [cell, fixed] = [
    (text: string, width: number) => text.padStart(width),
    (n: number, digits: number) => n.toFixed(digits),
  ]
  return (
    '  ' +
    `${row.padEnd(14)}${cell(fixed(bare_per_second, 0), 7)}/s${cell(fixed(product_per_second, 0), 7)}/s${cell(fixed(ratio, 2), 7)} ` +
    `${target === undefined ? '            ' : `≥ ${target} ${mark(ratio >= target).padEnd(6)}`}` +
    `${cell(fixed(added_p50_ms, 1), 8)} ms${cell(fixed(added_p99_ms, 1), 8)} ms ` +
    `${mark(added_p99_ms <= TARGET_ADDED_P99_MS).padEnd(6)}${cell(String(bare_us), 7)} ` +
    `${cell(String(product_us), 7)} ` +
    `${cell(String(postgres_us), 7)}${failures ? `   ${failures} failed` : ''}`
  )
}

async function rows(): Promise<void> {
  const chosen = ROWS.filter((row) => options.row?.includes(nameOf(row)) ?? true)
  if (!chosen.length) throw new Error(`--row takes ${ROWS.map(nameOf).join(', ')}`)
  say(
    `  rows are account-KB-callers; ${options.rounds} rounds of ${options.seconds} s; added p99: target ≤ ${TARGET_ADDED_P99_MS} ms; processor time a call in µs\n`,
  )
  say(
    `  ${'row'.padEnd(14)}${'bare'.padStart(9)}${'product'.padStart(9)}${'ratio'.padStart(7)} ` +
      `${''.padEnd(12)}${'+p50'.padStart(11)}${'+p99'.padStart(11)}${''.padEnd(7)}${'bare'.padStart(7)} ` +
      `${'product'.padStart(7)} ${'postgres'.padStart(7)}`,
  )
  const stage = await raise()
  try {
    const measured: Measured[] = []
    for (const row of chosen) {
      measured.push(await measure(stage, row))
      say(line(measured.at(-1) as Measured, row.target))
    }
    if (options.json)
      process.stdout.write(
        `${JSON.stringify({ cores: availableParallelism(), load: loadavg()[0], rows: measured })}\n`,
      )
    say(
      `\n  load of the machine      ${loadavg()
        .map((one) => one.toFixed(1))
        .join(' ')}\n`,
    )
  } finally {
    await stage.stop()
  }
}

say(
  `\n  tools/execute compared with a bare Fastify + undici forwarder\n  ` +
    `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, load ` +
    `${loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}`,
)
if (options.memory !== undefined) await memory(Number(options.memory), options.json)
else if (options.replicas) await replicas(Number(options.seconds), Number(options.rounds), options.json)
else await rows()
