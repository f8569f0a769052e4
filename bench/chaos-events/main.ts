import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../../src/platform/db/embedded/index.ts'
import { copyWithToolkit } from '../chaos-refresh/program.ts'
import { generator } from '../chaos-refresh/random.ts'
import { type Server, startServer } from '../chaos-refresh/server.ts'
import { type Application, startApplication } from './application.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { holds, type Outcome, table } from './report.ts'
import { prepare } from './set-up.ts'
import { SLUG, toolkitFiles } from './toolkit.ts'
import { emitAll, harm, settled } from './trouble.ts'
import { runInFolder } from '../chaos-refresh/run-in-folder.ts'
import { describeMachine } from '../figures.ts'

// Events of an application, half of them polled and half pushed by webhooks, on their way to three receivers,
// of which one is slow and one fails 30 % of its requests, while servers and workers are killed with -9 and
// PostgreSQL is restarted twice. In the end every receiver must have every event, in order, under one id.
//
//   npm run chaos:events                        100,000 events; some ten minutes on two cores
//   npm run chaos:events -- --events 5000 --seconds 40 --feeds 40

const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '300' },
    feeds: { type: 'string', default: '400' },
    servers: { type: 'string', default: '2' },
    workers: { type: 'string', default: '2' },
    'kill-every': { type: 'string', default: '10' },
    restarts: { type: 'string', default: '2' },
    settle: { type: 'string', default: '900' },
    seed: { type: 'string', default: String(Date.now() % 1e6) },
    json: { type: 'boolean', default: false },
  },
})
const number = (name: Exclude<keyof typeof options, 'json'>) => Number(options[name])
const KEY = `ak_${randomBytes(24).toString('base64url')}`
/** The order of attempts is that of the product, its waits are shorter: hours do not fit into a run. */
const RETRIES = '0.2,0.5,1,2,5,10,20,30,30,30'
const say = (text: string) => {
  if (!options.json) process.stdout.write(`${text}\n`)
}

function sayPlan(seed: number): void {
  say(
    `\n  ${options.events} events in ${options.feeds} feeds, half polled, half pushed; ${options.servers} servers ` +
      `and ${options.workers} workers, one killed every ${options['kill-every']} s on average; seed ${seed}`,
  )
  say(`  ${describeMachine()}\n`)
}

async function run(directory: string, ends: (() => unknown)[]): Promise<boolean> {
  const seed = number('seed')
  const random = generator(seed)
  sayPlan(seed)
  const application = await startApplication()
  ends.push(() => application.close())
  const receivers = await Promise.all(
    [{ name: 'steady' }, { name: 'slow', delayMs: 150 }, { name: 'failing', fails: 0.3 }].map((manner) =>
      startReceiver(manner, random),
    ),
  )
  ends.push(() => Promise.all(receivers.map((receiver) => receiver.close())))
  const startDatabase = () =>
    startEmbedded({ dataDir: join(directory, 'database'), settings: { max_connections: '300' } })
  let database = await startDatabase()
  ends.push(() => database.stop())
  const root = join(directory, 'program')
  await copyWithToolkit(root, SLUG, toolkitFiles(application.url))
  const processes = await start(root, directory, database.url, ends)
  const up = () => processes.flatMap(({ url }) => (url ? [url] : []))
  application.servers = up
  const [url = ''] = up()
  const feeds = await prepare(
    url,
    KEY,
    number('feeds'),
    receivers.map((receiver) => receiver.url),
  )
  say(`  ${feeds.polled.length + feeds.pushed.length} instances and 3 subscriptions are there\n`)

  const startedAt = performance.now()
  const emission = emitAll(application, feeds, { events: number('events'), seconds: number('seconds') })
  const damage = harm(
    processes,
    { everySeconds: number('kill-every'), seconds: number('seconds'), random },
    {
      times: number('restarts'),
      async restart() {
        await database.stop()
        database = await startDatabase()
      },
    },
  )
  const [, kills] = await Promise.all([emission, damage])
  const emittedSeconds = (performance.now() - startedAt) / 1_000
  const isSettled = await settled(application, receivers, number('settle'), progress)
  const outcome = result(application, receivers, {
    seed,
    kills: kills.kills,
    restarts: kills.restarts,
    emittedSeconds,
    seconds: (performance.now() - startedAt) / 1_000,
    isSettled,
  })
  say(options.json ? '' : `${table(outcome)}\n`)
  if (options.json) process.stdout.write(`${JSON.stringify({ ...outcome, holds: holds(outcome) })}\n`)
  return holds(outcome)
}

/** Servers that take calls and webhooks, and workers that poll and deliver. */
async function start(
  root: string,
  directory: string,
  databaseUrl: string,
  ends: (() => unknown)[],
): Promise<Server[]> {
  const processes: Server[] = []
  ends.push(() => Promise.all(processes.map((one) => one.stop())))
  const roles = [
    ...Array.from({ length: number('servers') }, () => 'serve'),
    ...Array.from({ length: number('workers') }, () => 'work'),
  ]
  for (const [n, role] of roles.entries()) {
    processes.push(
      await startServer(
        { root, name() {} },
        n,
        {
          ROLE: role,
          DATABASE_URL: databaseUrl,
          DATA_DIR: join(directory, `process-${n}`),
          ENCRYPTION_KEYS: `chaos:${Buffer.alloc(32, 7).toString('base64')}`,
          BOOTSTRAP_PROJECT_API_KEY: KEY,
          EGRESS_ALLOW: '127.0.0.0/8',
          RATE_LIMIT_PER_MINUTE: '0',
          WEBHOOK_RETRY_SECONDS: RETRIES,
          LOG_LEVEL: 'error',
        },
        /listening on (http:\S+)|working on jobs/,
      ),
    )
  }
  return processes
}

const progress = (left: number) => say(`  … ${left} deliveries to go`)

function result(
  application: Application,
  receivers: readonly Receiver[],
  more: Pick<Outcome, 'seed' | 'kills' | 'restarts' | 'emittedSeconds' | 'seconds' | 'isSettled'>,
): Outcome {
  const counts = application.counts()
  const events = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return {
    ...more,
    events,
    untold: application.untold(),
    repeatedByApplication: application.repeated(),
    receivers: receivers.map(({ seen }) => ({ ...seen, missing: events - seen.received })),
  }
}

process.exitCode = (await runInFolder(run)) ? 0 : 1
