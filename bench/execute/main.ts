import { readFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { type Figures, load } from './callers.ts'
import { cpuMs, treeCpuMs } from './cpu.ts'
import { type Product, startPart, startProduct } from './processes.ts'

const { values: { seconds, rounds, callers, json } } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, rounds: { type: 'string', default: '5' }, callers: { type: 'string', default: '32' }, json: { type: 'boolean', default: false } },
})
const CALL = JSON.stringify({ user_id: 'u-17', arguments: { class_name: 'Score', object_id: 'xWMyZ4YEGZ' } })
const TOOL = 'PARSE_GET_OBJECT'
const TARGET_RATIO = 0.6
const TARGET_ADDED_MS = 1.5

const say = (text: string) => { if (!json) process.stdout.write(`${text}\n`) }
const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] as number

/** Bare forwarder and product take turns in one run, so that what else the machine does meets both. */
async function main(): Promise<void> {
  say(`\n  tools/execute beside a bare Fastify + undici forwarder, ${callers} callers, ${rounds} rounds of ${seconds} s`)
  say(`  ${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.versions.node}\n`)
  const upstream = await startPart('./upstream.ts')
  const forwarder = await startPart('./forwarder.ts', upstream.url)
  const product = await startProduct({})
  try {
    await connectAccount(product, upstream.url)
    const forward = (options: Partial<Parameters<typeof load>[0]>) => load({ url: forwarder.url, path: '/execute', headers: {}, body: CALL, callers: Number(callers), seconds: Number(seconds), ...options })
    const execute = (options: Partial<Parameters<typeof load>[0]>) => load({
      url: product.url, path: `/api/v3.1/tools/execute/${TOOL}`, headers: { 'x-api-key': product.key }, body: CALL, callers: Number(callers), seconds: Number(seconds), ...options,
    })
    await forward({ seconds: 2 })
    await execute({ seconds: 3 })
    const pairs: [Figures, Figures][] = []
    const before = { bare: cpuMs(forwarder.pid), product: cpuMs(product.pid), postgres: treeCpuMs(product.postgresPid) }
    for (let round = 0; round < Number(rounds); round++) {
      pairs.push([await forward({}), await execute({})])
      const [bare, ours] = pairs.at(-1) as [Figures, Figures]
      say(`  round ${round + 1}   bare ${line(bare)}   product ${line(ours)}   ratio ${(ours.perSecond / bare.perSecond).toFixed(2)}`)
    }
    const calls = (which: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[which].calls, 0)
    const cpu = {
      bare_us: (cpuMs(forwarder.pid) - before.bare) * 1_000 / calls(0), product_us: (cpuMs(product.pid) - before.product) * 1_000 / calls(1),
      postgres_us: (treeCpuMs(product.postgresPid) - before.postgres) * 1_000 / calls(1),
    }
    const alone: [Figures, Figures] = [await forward({ callers: 1, seconds: 2 }), await execute({ callers: 1, seconds: 2 })]
    report(pairs, alone, cpu, product.pid)
  } finally {
    await product.stop()
    forwarder.stop()
    upstream.stop()
  }
}

async function connectAccount({ url, key }: Product, upstream: string): Promise<void> {
  const post = async (path: string, body: unknown) => {
    const reply = await fetch(`${url}/api/v3.1${path}`, { method: 'POST', headers: { 'x-api-key': key, 'content-type': 'application/json' }, body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return await reply.json() as { auth_config: { id: string } }
  }
  const { auth_config: config } = await post('/auth_configs', { toolkit: { slug: 'parse' }, auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY' } })
  await post('/connected_accounts', { auth_config: { id: config.id }, connection: { user_id: 'u-17', state: { authScheme: 'API_KEY', val: { status: 'ACTIVE', server_url: upstream, application_id: 'bench', generic_api_key: 'key-of-the-bench' } } } })
}

function line({ perSecond, p50Ms, p99Ms }: Figures): string {
  return `${perSecond.toFixed(0).padStart(6)}/s p50 ${p50Ms.toFixed(2)} p99 ${p99Ms.toFixed(2)} ms`
}

function report(pairs: readonly [Figures, Figures][], [bareAlone, oursAlone]: [Figures, Figures], cpu: { bare_us: number, product_us: number, postgres_us: number }, pid: number): void {
  const figures = {
    ratio: median(pairs.map(([bare, ours]) => ours.perSecond / bare.perSecond)), bare_per_second: median(pairs.map(([bare]) => bare.perSecond)), product_per_second: median(pairs.map(([, ours]) => ours.perSecond)),
    added_p50_ms: median(pairs.map(([bare, ours]) => ours.p50Ms - bare.p50Ms)), added_p50_ms_one_caller: oursAlone.p50Ms - bareAlone.p50Ms,
    failures: pairs.reduce((sum, [bare, ours]) => sum + bare.failures + ours.failures, 0), memory_after_mb: residentMb(pid), ...Object.fromEntries(Object.entries(cpu).map(([name, value]) => [`cpu_${name}`, Math.round(value)])),
  }
  if (json) { process.stdout.write(`${JSON.stringify(figures)}\n`); return }
  const mark = (fits: boolean) => fits ? 'met' : 'missed'
  say(`\n  throughput ratio         ${figures.ratio.toFixed(2)}   (target ≥ ${TARGET_RATIO}: ${mark(figures.ratio >= TARGET_RATIO)})`)
  say(`  added latency, p50       ${figures.added_p50_ms.toFixed(2)} ms with ${callers} callers   (target ≤ ${TARGET_ADDED_MS}: ${mark(figures.added_p50_ms <= TARGET_ADDED_MS)})`)
  say(`                           ${figures.added_p50_ms_one_caller.toFixed(2)} ms with one caller`)
  say(`  processor time a call    bare ${cpu.bare_us.toFixed(0)} µs, product ${cpu.product_us.toFixed(0)} µs and its PostgreSQL ${cpu.postgres_us.toFixed(0)} µs`)
  say(`  failed calls             ${figures.failures}`)
  say(`  server memory after it   ${figures.memory_after_mb} MB resident\n`)
}

/** Linux only; elsewhere 0. */
function residentMb(pid: number): number {
  try { return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024) } catch { return 0 }
}

await main()
