import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { load, type Load } from '../execute/callers.ts'
import { cpuMs, residentMb, treeCpuMs } from '../execute/cpu.ts'
import { type Product, startPart } from '../execute/processes.ts'
import { raise, type Stage } from '../execute/stage.ts'
import { postJson } from '../post.ts'
import { alternate, type Contender, medianOf, medianOfPairs, type Round, warmUp } from '../rounds.ts'

// What tools/call costs in comparison with a bare server of the same SDK that takes turns with it in the same
// run, then what thousands of connects leave in memory.
//
//   npm run bench:mcp                          throughput, times and processor time
//   npm run bench:mcp -- --against ../main     compared with another folder of the program, in the same rounds
//   npm run bench:mcp -- --connects 10000      memory over so many handshakes and lists

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    against: { type: 'string' },
    connects: { type: 'string' },
  },
})
const TARGET = 0.7
const GROWTH_MAX_MB = 40
const WARM_UP = 10_000
const STEPS = 5
const HEADERS = { accept: 'application/json, text/event-stream' }
const GOOD = /"isError":false|"jsonrpc":"2.0"/
const say = (text: string) => process.stdout.write(`${text}\n`)

const message = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

/** Creates an MCP server of the product, and returns how a message is sent to it. */
async function mcpServerOf({ url, key }: Product) {
  const { id } = await postJson<{ id: string }>({ url, key }, '/mcp/servers/custom', {
    name: 'Bench',
    toolkits: ['parse'],
  })
  return (body: string, more: Partial<Load> = {}): Load => ({
    url,
    path: `/v3/mcp/${id}?user_id=u-17`,
    headers: { ...HEADERS, 'x-api-key': key },
    body,
    callers: 32,
    seconds: Number(options.seconds),
    good: GOOD,
    ...more,
  })
}

async function contendersOf(stage: Stage, bare: { url: string; pid: number }): Promise<Contender[]> {
  const contenders: Contender[] = [
    {
      name: 'bare SDK server',
      load: {
        url: bare.url,
        path: '/mcp',
        headers: HEADERS,
        body: message('tools/call', { name: 'GET_OBJECT', arguments: { object_id: 'kb1' } }),
        callers: 32,
        seconds: Number(options.seconds),
        good: GOOD,
      },
      processes: { program: () => cpuMs(bare.pid) },
    },
  ]
  const body = message('tools/call', {
    name: 'PARSE_GET_OBJECT',
    arguments: { class_name: 'Score', object_id: 'kb1' },
  })
  for (const [index, product] of stage.products.entries())
    contenders.push({
      name: index === 0 ? 'product' : (options.against ?? 'other'),
      load: (await mcpServerOf(product))(body),
      processes: { program: () => cpuMs(product.pid), postgres: () => treeCpuMs(product.postgresPid) },
    })
  return contenders
}

async function throughput(contenders: readonly Contender[]): Promise<void> {
  for (const contender of contenders) await warmUp(contender)
  const measured = await alternate(contenders, Number(options.rounds))
  const [bare] = measured as [Round[]]
  say(
    `\n  tools/call, 32 callers, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}; medians of ` +
      `${options.rounds} alternating rounds of ${options.seconds} s after warm-up`,
  )
  const ratios = measured.map((rounds) =>
    medianOfPairs(bare, rounds, (first, second) => second.perSecond / first.perSecond),
  )
  for (const [index, rounds] of measured.entries()) {
    const of = (digits: number, width: number, read: (round: Round) => number) =>
      medianOf(rounds, read).toFixed(digits).padStart(width)
    const failures = rounds.reduce((sum, { failures: failed }) => sum + failed, 0)
    say(
      `  ${(contenders[index]?.name ?? '').padEnd(20)}${of(0, 7, ({ perSecond }) => perSecond)}/s   ratio ` +
        `${ratios[index]?.toFixed(2)}   p50 ${of(1, 5, ({ p50Ms }) => p50Ms)} ms   p99 ` +
        `${of(1, 5, ({ p99Ms }) => p99Ms)} ms   ${of(0, 5, ({ us }) => us['program'] ?? 0)} µs   PostgreSQL ` +
        `${of(0, 4, ({ us }) => us['postgres'] ?? 0)} µs   ${failures} failed`,
    )
  }
  const ratio = ratios[1] ?? 0
  say(`  ratio ${ratio.toFixed(2)}   (target ≥ ${TARGET}: ${ratio >= TARGET ? 'met' : 'missed'})\n`)
}

async function memory(product: Product, connects: number): Promise<void> {
  const call = await mcpServerOf(product)
  const connect = async (times: number) => {
    const hello = message('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    })
    for (const body of [hello, message('tools/list', {})]) {
      const { calls, failures } = await load(call(body, { calls: times, seconds: 600, good: /\}$/ }))
      if (failures || calls < times) throw new Error(`${calls} of ${times}, ${failures} failed`)
    }
  }
  await connect(WARM_UP)
  const warm = residentMb(product.pid)
  for (let step = 1; step <= STEPS; step++) {
    await connect(Math.ceil(connects / STEPS))
    const connected = String(Math.ceil(connects / STEPS) * step)
    say(`  after ${connected.padStart(6)} connects  ${residentMb(product.pid)} MB resident`)
  }
  const growth = residentMb(product.pid) - warm
  say(
    `\n  ${connects} handshakes and lists: warm ${warm} MB, grown by ${growth} MB   (target ≤ ` +
      `${GROWTH_MAX_MB}: ${growth <= GROWTH_MAX_MB ? 'met' : 'missed'})\n`,
  )
  process.exitCode = growth <= GROWTH_MAX_MB ? 0 : 1
}

const stage = await raise(options.against === undefined ? [{}] : [{}, { root: options.against }])
const bare = await startPart('../mcp/bare.ts', stage.upstream)
try {
  if (options.connects === undefined) await throughput(await contendersOf(stage, bare))
  else await memory(stage.products[0] as Product, Number(options.connects))
} finally {
  bare.stop()
  await stage.stop()
}
