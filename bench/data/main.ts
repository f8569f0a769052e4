/**
 * Fills a server with the data of a busy project, and measures every list, search and usage route whose tables grow.
 *
 *   npm run bench:data -- <executions> [<folder>]
 *
 * Default: 1,000,000 executions. There is one event for 10 executions, one account for 100 and one trigger instance for
 * 1,000. The targets of the project are for 20,000,000 executions on a quiet machine with four cores; the database then
 * takes about 25 GB. With a folder the data is filled once, and measured again in later runs.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { CASES } from './cases.ts'
import { type Amounts, type Anchors, DAYS, fill } from './fill.ts'
import { measure, ROUNDS, WARM_UP_ROUNDS } from './measure.ts'
import { type Call, type Server, startServer } from './server.ts'
import { rowSizes } from './sizes.ts'

const EXECUTIONS_DEFAULT = 1_000_000
const SESSIONS_PER_EXECUTION = 1 / 10_000

/** What a filled folder has. */
interface Filled {
  encryptionKeys: string
  amounts: Amounts
  /** Absent until everything is filled. */
  anchors?: Anchors
}

async function main(): Promise<void> {
  const executions = Number(process.argv[2] ?? EXECUTIONS_DEFAULT)
  if (!Number.isSafeInteger(executions) || executions < 1_000)
    throw new Error('The number of executions must be a whole number of at least 1,000.')
  const folder = process.argv[3]
  const directory = folder ?? (await mkdtemp(join(tmpdir(), 'patchbay-bench-data-')))
  const file = join(directory, 'bench.json')
  const filled: Filled = existsSync(file)
    ? (JSON.parse(await readFile(file, 'utf8')) as Filled)
    : {
        encryptionKeys: `bench:${randomBytes(32).toString('base64')}`,
        amounts: {
          executions,
          events: Math.floor(executions / 10),
          accounts: Math.floor(executions / 100),
          triggers: Math.floor(executions / 1_000),
        },
      }
  const server = await startServer(directory, filled.encryptionKeys)
  try {
    filled.anchors ??= await fillServer(server, filled)
    await writeFile(file, JSON.stringify(filled))
    await report(server, filled.amounts, filled.anchors)
  } finally {
    await server.stop()
    if (folder === undefined) await rm(directory, { recursive: true, force: true })
  }
}

async function fillServer({ call, databaseUrl }: Server, { encryptionKeys, amounts }: Filled) {
  const startedAt = performance.now()
  const anchors = await createAnchors(call, Math.ceil(amounts.executions * SESSIONS_PER_EXECUTION))
  await fill(databaseUrl, encryptionKeys, anchors, amounts, (text) => {
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    if (process.stderr.isTTY) process.stderr.write(`\r${`${seconds} s: ${text}`.padEnd(70)}`)
    else if (/[05]00,000 |[a-z]$/.test(text)) process.stderr.write(`${seconds} s: ${text}\n`)
  })
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  process.stdout.write(`\nfilled in ${seconds} s; load ${loadavg()[0]!.toFixed(1)}\n`)
  return anchors
}

async function report(server: Server, amounts: Amounts, anchors: Anchors): Promise<void> {
  const counts = Object.entries(amounts).map(([name, count]) => `${count.toLocaleString('en')} ${name}`)
  process.stdout.write(
    `\n${counts.join(', ')} over ${DAYS} days; load ${loadavg()[0]!.toFixed(1)}\n` +
      `${ROUNDS} requests each after ${WARM_UP_ROUNDS} that are not measured; processor time of the server and of ` +
      'PostgreSQL for one of them\n\n',
  )
  for (const one of CASES) process.stdout.write(`${await measure(one, server, anchors)}\n`)
  process.stdout.write(`\nload ${loadavg()[0]!.toFixed(1)}\n\n`)
  for (const line of await rowSizes(server.databaseUrl)) process.stdout.write(`${line}\n`)
}

/** Creates what the rows refer to, with sessions of 1,000 users. */
async function createAnchors(call: Call, sessions: number): Promise<Anchors> {
  const config = await create<{ auth_config: { id: string } }>(call, '/auth_configs', {
    toolkit: { slug: 'github' },
    auth_config: { type: 'use_custom_auth', authScheme: 'BEARER_TOKEN', name: 'Bench' },
  })
  const subscription = await create<{ id: string }>(call, '/webhook_subscriptions', {
    webhook_url: 'https://93.184.216.34/hook',
    enabled_events: ['service.trigger.message'],
  })
  for (let n = 0; n < sessions; n++)
    await create(call, '/tool_router/session', { user_id: `user-${n % 1_000}` })
  const info = await call('/auth/session/info')
  const { project } = info.body as { project: { nano_id: string } }
  return { projectId: project.nano_id, authConfigId: config.auth_config.id, subscriptionId: subscription.id }
}

async function create<T>(call: Call, path: string, body: object): Promise<T> {
  const reply = await call(path, body)
  if (reply.status !== 201) throw new Error(`${path} returned ${reply.status}: ${JSON.stringify(reply.body)}`)
  return reply.body
}

await main()
