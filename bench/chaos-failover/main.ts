import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startSimulator, type Simulator } from '../../simulation/providers/start.ts'
import { type Application, startApplication } from '../chaos-events/application.ts'
import { type Receiver, startReceiver } from '../chaos-events/receiver.ts'
import { prepare } from '../chaos-events/set-up.ts'
import { SLUG } from '../chaos-events/toolkit.ts'
import { settled } from '../chaos-events/trouble.ts'
import { addToolkit, copyWithToolkit, rotatingFiles } from '../chaos-refresh/program.ts'
import { generator } from '../chaos-refresh/random.ts'
import { type Server, startServer } from '../chaos-refresh/server.ts'
import { type CallRecord, callUntil } from './callers.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { type Fault, injectFaults } from './faults.ts'
import { connectRotatingAccounts } from '../chaos-refresh/connect-accounts.ts'
import { callerKinds, emitUntil, sampleFiles } from './load.ts'
import { faultFigures, faultRow, holds, type Outcome, table, timesOf } from './report.ts'
import { countLostGrants, countMissing } from './verify.ts'
import { runInFolder } from '../chaos-refresh/run-in-folder.ts'
import { describeMachine } from '../figures.ts'

// Two servers and two workers on three PostgreSQL nodes with synchronous replication (Patroni, etcd, HAProxy), all on
// this machine. The primary changes again and again, by a switchover and by kill -9, under writes, executions, token
// refreshes, polls, webhooks and deliveries. Nothing that was acknowledged may be lost, and the service must work
// again within five seconds after the failover.
//
//   npm run chaos:failover                      six changes of the primary, some six minutes on two cores
//   npm run chaos:failover -- --faults 2 --between 5 --feeds 10
//
// It needs the Debian packages patroni, etcd-server, haproxy and postgresql. Root installs what is missing.

const { values: options } = parseArgs({
  options: {
    faults: { type: 'string', default: '6' },
    /** Seconds of load before each fault. */
    between: { type: 'string', default: '15' },
    /** Seconds that a killed node stays away after the failover. */
    down: { type: 'string', default: '5' },
    feeds: { type: 'string', default: '40' },
    'events-per-second': { type: 'string', default: '50' },
    callers: { type: 'string', default: '8' },
    accounts: { type: 'string', default: '12' },
    'token-ms': { type: 'string', default: '400' },
    /** Seconds in which the provider accepts a used refresh token. 0: a second use ends the grant. */
    grace: { type: 'string', default: '0' },
    settle: { type: 'string', default: '180' },
    seed: { type: 'string', default: String(Date.now() % 1e6) },
    json: { type: 'boolean', default: false },
  },
})
const number = (name: Exclude<keyof typeof options, 'json'>) => Number(options[name])
const KEY = `ak_${randomBytes(24).toString('base64url')}`
const RETRIES = '0.2,0.5,1,2,5,5,5,5,5,5,5,5'
/** Long enough for a call on a busy machine, which otherwise finds that a token expired on the way. */
const TOKEN_SECONDS = 4
const SAMPLE_MS = 50
const say = (text: string) => {
  if (!options.json) process.stdout.write(`${text}\n`)
}

async function run(directory: string, ends: (() => unknown)[]): Promise<boolean> {
  say(
    `\n  ${options.faults} changes of the primary; 2 servers, 2 workers, 3 PostgreSQL nodes\n` +
      `  ${describeMachine()}\n`,
  )
  const simulator = await startSimulator({
    tokenSeconds: TOKEN_SECONDS,
    reuseGraceSeconds: number('grace'),
    tokenDelayMs: number('token-ms'),
  })
  ends.push(() => simulator.close())
  const application = await startApplication()
  ends.push(() => application.close())
  const random = generator(number('seed'))
  const receivers = await Promise.all(
    [{ name: 'steady' }, { name: 'failing', fails: 0.3 }].map((manner) => startReceiver(manner, random)),
  )
  ends.push(() => Promise.all(receivers.map((receiver) => receiver.close())))
  const cluster = await startCluster(directory, ends)
  say('  the cluster works')
  const root = join(directory, 'program')
  await copyWithToolkit(root, SLUG, sampleFiles(application.url))
  await addToolkit(root, 'rotating', rotatingFiles(simulator.url, number('grace')))
  const processes = await startProcesses(root, directory, cluster.url, ends)
  application.servers = () => processes.flatMap(({ url }) => (url ? [url] : []))
  const outcome = await underFaults({ cluster, simulator, application, receivers })
  say(`\n${table(outcome)}\n`)
  if (options.json) process.stdout.write(`${JSON.stringify({ ...outcome, holds: holds(outcome) })}\n`)
  return holds(outcome)
}

interface Parts {
  cluster: Cluster
  simulator: Simulator
  application: Application
  receivers: readonly Receiver[]
}

async function underFaults(parts: Parts): Promise<Outcome> {
  const { cluster, simulator, application, receivers } = parts
  const urls = application.servers()
  const [url = ''] = urls
  const feeds = await prepare(
    url,
    KEY,
    number('feeds'),
    receivers.map((receiver) => receiver.url),
  )
  const users = await connectRotatingAccounts(
    url,
    KEY,
    simulator.provider('rotating').families,
    number('accounts'),
  )
  const startedAt = performance.now()
  const load = new AbortController()
  const calls = callerKinds(users, number('callers')).map((kind) => callUntil(urls, KEY, kind, load.signal))
  const emission = emitUntil(application, feeds, number('events-per-second'), load.signal)
  const deliveries = watchDeliveries(receivers[0], load.signal)
  const faults = await injectFaults(
    cluster,
    { faults: number('faults'), betweenSeconds: number('between'), downSeconds: number('down') },
    (fault) =>
      say(
        `  ${faultRow(faultFigures([fault], {})[0]!)
          .join('   ')
          .replace('; works again: ', '')}`,
      ),
  ).finally(() => load.abort())
  const [records, deliveredAt] = await Promise.all([Promise.all(calls), deliveries, emission])
  const isSettled = await settled(application, receivers, number('settle'), (left) =>
    say(`  … ${left} to go`),
  )
  const found = { startedAt, faults, records, deliveredAt, isSettled, urls, users }
  return await toOutcome(parts, found)
}

interface Found {
  startedAt: number
  faults: readonly Fault[]
  records: readonly CallRecord[]
  deliveredAt: readonly number[]
  isSettled: boolean
  urls: readonly string[]
  users: readonly string[]
}

async function toOutcome(
  { cluster, simulator, application, receivers }: Parts,
  found: Found,
): Promise<Outcome> {
  const events = [...application.counts().values()].reduce((sum, count) => sum + count, 0)
  const [writes, reads, changes] = found.records
  const idsOf = (record: CallRecord | undefined) => record?.acknowledged.map(({ id }) => id) ?? []
  const { tokenRequests, reuses } = simulator.stats()
  return {
    faults: faultFigures(found.faults, { ...timesOf(found.records), delivery: found.deliveredAt }),
    calls: found.records.map(({ name, acknowledged, unavailable, unexpected }) => ({
      name,
      acknowledged: acknowledged.length,
      unavailable,
      unexpected: [...unexpected],
    })),
    writesLost: await countMissing(cluster.url, 'auth_configs', idsOf(writes)),
    changesNotLogged: await countMissing(cluster.url, 'tool_executions', idsOf(changes)),
    readsNotLogged: await countMissing(cluster.url, 'tool_executions', idsOf(reads)),
    tokenRefreshes: tokenRequests['refresh_token'] ?? 0,
    reuses,
    grantsLost: await countLostGrants(found.urls, KEY, found.users, simulator),
    events,
    eventsNotAccepted: application.untold(),
    isSettled: found.isSettled,
    receivers: receivers.map(({ seen }) => ({ ...seen, missing: events - seen.received })),
    seconds: (performance.now() - found.startedAt) / 1_000,
  }
}

/** Returns the times at which the receiver had more events than before, at 50 ms. */
async function watchDeliveries(receiver: Receiver | undefined, signal: AbortSignal): Promise<number[]> {
  const times: number[] = []
  for (let before = 0; !signal.aborted; await wait(SAMPLE_MS)) {
    const now = receiver?.seen.received ?? 0
    if (now > before) times.push(performance.now())
    before = now
  }
  return times
}

/** Two processes that handle calls and webhooks, and two that poll and deliver. */
async function startProcesses(
  root: string,
  directory: string,
  databaseUrl: string,
  ends: (() => unknown)[],
): Promise<Server[]> {
  const processes: Server[] = []
  ends.push(() => Promise.all(processes.map((one) => one.stop())))
  for (const [n, role] of ['serve', 'serve', 'work', 'work'].entries()) {
    const env = {
      ROLE: role,
      DATABASE_URL: databaseUrl,
      DATA_DIR: join(directory, `process-${n}`),
      ENCRYPTION_KEYS: `chaos:${Buffer.alloc(32, 7).toString('base64')}`,
      BOOTSTRAP_PROJECT_API_KEY: KEY,
      EGRESS_ALLOW: '127.0.0.0/8',
      RATE_LIMIT_PER_MINUTE: '0',
      WEBHOOK_RETRY_SECONDS: RETRIES,
      LOG_LEVEL: 'error',
    }
    processes.push(await startServer({ root, name() {} }, n, env, /listening on (http:\S+)|working on jobs/))
  }
  return processes
}

process.exitCode = (await runInFolder(run)) ? 0 : 1
