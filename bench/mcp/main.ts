import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { type Figures, load, type Load } from '../execute/callers.ts'
import { residentMb } from '../execute/cpu.ts'
import { startPart } from '../execute/processes.ts'
import { raise } from '../execute/stage.ts'

// What tools/call costs in comparison with a bare server of the same SDK that takes turns with it in the same
// run, then what thousands of connects leave in memory.
//
//   npm run bench:mcp                          throughput and times
//   npm run bench:mcp -- --connects 10000      memory over so many handshakes and lists

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    connects: { type: 'string' },
  },
})
const TARGET = 0.6
const GROWTH_MAX_MB = 40
const WARM_UP = 10_000
const STEPS = 5
const HEADERS = { accept: 'application/json, text/event-stream' }
const say = (text: string) => process.stdout.write(`${text}\n`)
const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] as number

const stage = await raise()
const bare = await startPart('../mcp/bare.ts', stage.upstream)
try {
  const { url, key, pid } = stage.products[0]!
  const reply = await fetch(`${url}/api/v3.1/mcp/servers/custom`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', toolkits: ['parse'] }),
  })
  const { id } = (await reply.json()) as { id: string }
  const message = (method: string, params: object) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const ours = (body: string, more: Partial<Load> = {}): Load => ({
    url,
    path: `/v3/mcp/${id}?user_id=u-17`,
    headers: { ...HEADERS, 'x-api-key': key },
    body,
    callers: 32,
    seconds: Number(options.seconds),
    good: /"result":/,
    ...more,
  })
  if (options.connects === undefined) await throughput(ours)
  else await memory(ours, Number(options.connects), pid)

  async function throughput(call: typeof ours): Promise<void> {
    const good = /"isError":false|"jsonrpc":"2.0"/
    const theirs: Load = {
      url: bare.url,
      path: '/mcp',
      headers: HEADERS,
      body: message('tools/call', { name: 'GET_OBJECT', arguments: { object_id: 'kb1' } }),
      callers: 32,
      seconds: Number(options.seconds),
      good,
    }
    const mine = call(
      message('tools/call', {
        name: 'PARSE_GET_OBJECT',
        arguments: { class_name: 'Score', object_id: 'kb1' },
      }),
      { good },
    )
    const pairs: [Figures, Figures][] = []
    for (const warm of [theirs, mine]) await load({ ...warm, seconds: 2 })
    for (let round = 0; round < Number(options.rounds); round++)
      pairs.push([await load(theirs), await load(mine)])
    const ratio = median(pairs.map(([a, b]) => b.perSecond / a.perSecond))
    say(
      `\n  tools/call, 32 callers, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}, ${options.rounds} rounds of ${options.seconds} s`,
    )
    for (const [who, which] of [
      ['bare SDK server', 0],
      ['product', 1],
    ] as const) {
      const of = (read: (figures: Figures) => number) => median(pairs.map((pair) => read(pair[which])))
      say(
        `  ${who.padEnd(16)}${of(({ perSecond }) => perSecond)
          .toFixed(0)
          .padStart(
            6,
          )}/s   p50 ${of(({ p50Ms }) => p50Ms).toFixed(1)} ms   p99 ${of(({ p99Ms }) => p99Ms).toFixed(1)} ms   ${pairs.reduce((sum, pair) => sum + pair[which].failures, 0)} failed`,
      )
    }
    say(`  ratio ${ratio.toFixed(2)}   (target ≥ ${TARGET}: ${ratio >= TARGET ? 'met' : 'missed'})\n`)
  }

  async function memory(call: typeof ours, connects: number, server: number): Promise<void> {
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
    const warm = residentMb(server)
    for (let step = 1; step <= STEPS; step++) {
      await connect(Math.ceil(connects / STEPS))
      say(
        `  after ${String(Math.ceil(connects / STEPS) * step).padStart(6)} connects  ${residentMb(server)} MB resident`,
      )
    }
    const growth = residentMb(server) - warm
    say(
      `\n  ${connects} handshakes and lists: warm ${warm} MB, grown by ${growth} MB   (target ≤ ` +
        `${GROWTH_MAX_MB}: ${growth <= GROWTH_MAX_MB ? 'met' : 'missed'})\n`,
    )
    process.exitCode = growth <= GROWTH_MAX_MB ? 0 : 1
  }
} finally {
  bare.stop()
  await stage.stop()
}
