import { parseArgs } from 'node:util'
import { load } from '../execute/callers.ts'
import { type Product, startPart, startProduct } from '../execute/processes.ts'
import { connectAccounts } from '../execute/stage.ts'
import { ATTACKS, type Target } from './attacks.ts'
import { callSteadily, type SteadyFigures } from './steady-caller.ts'

// Two tenants on one server with its usual limits. One calls at a steady rate. The other one is hostile. Prints the
// response times of the first tenant alone and during each attack. They must stay within twice those alone.
//
//   npm run chaos:neighbour -- --seconds 10 --attack 'many calls'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rate: { type: 'string', default: '20' },
    attack: { type: 'string', multiple: true },
    json: { type: 'boolean', default: false },
  },
})
const RATIO_MAX = 2
/** Of the product in front of this machine's scheduler: below it, a ratio says nothing. */
const P99_FLOOR_MS = 10

const print = (text: string) => {
  if (!options.json) process.stdout.write(`${text}\n`)
}

async function createTenant({ url, organizationKey }: Product, name: string): Promise<string> {
  const reply = await fetch(`${url}/api/v3.1/org/owner/project/new`, {
    method: 'POST',
    headers: { 'x-org-api-key': organizationKey, 'content-type': 'application/json' },
    body: JSON.stringify({ name, should_create_api_key: true }),
  })
  if (!reply.ok) throw new Error(`creating ${name}: ${reply.status} ${await reply.text()}`)
  return ((await reply.json()) as { api_key: string }).api_key
}

async function createSession(url: string, key: string): Promise<string> {
  const reply = await fetch(`${url}/api/v3.1/tool_router/session`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: 'u-17' }),
  })
  if (!reply.ok) throw new Error(`creating a session: ${reply.status} ${await reply.text()}`)
  return ((await reply.json()) as { session_id: string }).session_id
}

interface Result {
  attack: string
  hostile_per_second: number
  alone: SteadyFigures
  attacked: SteadyFigures
  ratio: number
}

const call = (url: string, key: string): Promise<SteadyFigures> =>
  callSteadily({
    url: `${url}/api/v3.1/tools/execute/PARSE_GET_OBJECT`,
    headers: { 'x-api-key': key },
    body: JSON.stringify({ user_id: 'u-17', arguments: { class_name: 'Score', object_id: 'kb1' } }),
    perSecond: Number(options.rate),
    seconds: Number(options.seconds),
  })

/** Measures alone before each attack, so that what else the machine does affects both. */
async function measure(attack: string, target: Target, key: string): Promise<Result> {
  const alone = await call(target.url, key)
  const hostile = load({ ...ATTACKS[attack]!(target), seconds: Number(options.seconds) })
  const [attacked, { perSecond }] = await Promise.all([call(target.url, key), hostile])
  const ratio = Math.max(attacked.p99Ms, P99_FLOOR_MS) / Math.max(alone.p99Ms, P99_FLOOR_MS)
  return { attack, hostile_per_second: Math.round(perSecond), alone, attacked, ratio }
}

const printResult = ({ attack, hostile_per_second, alone, attacked, ratio }: Result) =>
  print(
    `  ${attack.padEnd(30)}${String(hostile_per_second).padStart(8)}/s` +
      `${alone.p50Ms.toFixed(1).padStart(9)}${alone.p99Ms.toFixed(1).padStart(9)}` +
      `${attacked.p50Ms.toFixed(1).padStart(9)}${attacked.p99Ms.toFixed(1).padStart(9)}` +
      `${ratio.toFixed(2).padStart(8)}${String(attacked.failures).padStart(10)}`,
  )

const names = options.attack ?? Object.keys(ATTACKS)
const unknown = names.filter((name) => !(name in ATTACKS))
if (unknown.length)
  throw new Error(`Unknown attack ${unknown.join(', ')}. Known: ${Object.keys(ATTACKS).join(', ')}`)
const upstream = await startPart('./upstream.ts')
const product = await startProduct({ RATE_LIMIT_PER_MINUTE: '10000' })
try {
  const [key, hostileKey] = [await createTenant(product, 'steady'), await createTenant(product, 'hostile')]
  for (const one of [key, hostileKey]) await connectAccounts({ url: product.url, key: one }, upstream.url)
  const target = {
    url: product.url,
    key: hostileKey,
    sessionId: await createSession(product.url, hostileKey),
  }
  await call(product.url, key)
  print(`  ${'attack'.padEnd(30)}  hostile  alone p50      p99 attack p50    p99   ratio  failures`)
  const results: Result[] = []
  for (const name of names) {
    results.push(await measure(name, target, key))
    printResult(results.at(-1)!)
  }
  const holds = results.every(({ ratio, attacked }) => ratio <= RATIO_MAX && attacked.failures === 0)
  if (options.json) process.stdout.write(`${JSON.stringify({ results, holds })}\n`)
  else print(`  holds${' '.repeat(27)}${holds ? 'yes' : 'no'}`)
  process.exitCode = holds ? 0 : 1
} finally {
  await product.stop()
  upstream.stop()
}
