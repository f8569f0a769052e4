import { randomBytes } from 'node:crypto'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startSimulator } from '../../simulation/providers/start.ts'
import { queryOnce } from '../../src/platform/db/check.ts'
import { startEmbedded } from '../../src/platform/db/embedded/index.ts'
import { type Calls, callUntil, execute } from './callers.ts'
import { connectRotatingAccounts } from './connect-accounts.ts'
import { Ledger } from './ledger.ts'
import { copyProgram } from './program.ts'
import { generator } from './random.ts'
import { holds, type Outcome, table } from './report.ts'
import { type Server, startServer } from './server.ts'
import { runInFolder } from './run-in-folder.ts'
import { describeMachine, median, quantile } from '../figures.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    processes: { type: 'string', default: '4' },
    callers: { type: 'string', default: '100' },
    accounts: { type: 'string', default: '20' },
    // Providers that rotate and forgive a second use do so for 10 s at least.
    grace: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1e6) },
    'kill-every': { type: 'string', default: '3' },
    'token-ms': { type: 'string', default: '50' },
    pause: { type: 'string', default: '2000' },
    json: { type: 'boolean', default: false },
  },
})
const number = (name: Exclude<keyof typeof options, 'json'>) => Number(options[name])
const KEY = `ak_${randomBytes(24).toString('base64url')}`
const say = (text: string) => {
  if (!options.json) process.stdout.write(`${text}\n`)
}

function describeRun(): void {
  say(
    `\n  ${options.processes} processes × ${options.callers} callers, ${options.accounts} accounts, ` +
      `tokens of 1 s that rotate, family revocation on reuse, grace ${options.grace} s`,
  )
  say(
    `  token requests of ${options['token-ms']} ms, a kill -9 every ${options['kill-every']} s on average, ` +
      `${options.seconds} s, seed ${options.seed}`,
  )
  say(`  ${describeMachine()}\n`)
}

/** Starts the provider, the database and the servers; adds to `ends` what stops them. */
async function startStage(directory: string, ends: (() => unknown)[]) {
  const simulator = await startSimulator({
    tokenSeconds: 1,
    reuseGraceSeconds: number('grace'),
    tokenDelayMs: number('token-ms'),
  })
  ends.push(() => simulator.close())
  const database = await startEmbedded({
    dataDir: join(directory, 'database'),
    settings: { max_connections: '300' },
  })
  ends.push(() => database.stop())
  const servers: Server[] = []
  ends.push(() => Promise.all(servers.map((server) => server.stop())))
  for (let n = 0; n < number('processes'); n++) {
    const program = await copyProgram(join(directory, `program-${n}`), simulator.url, number('grace'))
    servers.push(
      await startServer(program, n, {
        DATABASE_URL: database.url,
        DATA_DIR: join(directory, `server-${n}`),
        ENCRYPTION_KEYS: `chaos:${Buffer.alloc(32, 7).toString('base64')}`,
        BOOTSTRAP_PROJECT_API_KEY: KEY,
        EGRESS_ALLOW: '127.0.0.0/8',
        RATE_LIMIT_PER_MINUTE: '0',
        LOG_LEVEL: 'error',
      }),
    )
  }
  return { simulator, database, servers }
}

async function run(directory: string, ends: (() => unknown)[]): Promise<boolean> {
  describeRun()
  const [seed, seconds, callers] = [number('seed'), number('seconds'), number('callers')]
  const random = generator(seed)
  const { simulator, database, servers } = await startStage(directory, ends)
  const provider = simulator.provider('rotating')
  const users = await connectRotatingAccounts(
    (await servers[0]?.ready()) ?? '',
    KEY,
    provider.families,
    number('accounts'),
  )
  const ledger = new Ledger()
  ledger.watch(provider)

  const untilMs = performance.now() + seconds * 1_000
  const pauses = monitorEventLoopDelay()
  pauses.enable()
  const [calls] = await Promise.all([
    callUntil({ servers, each: callers, key: KEY, users, pauseMs: number('pause'), random, untilMs }),
    killUntil(servers, untilMs, random),
  ])
  pauses.disable()
  const lost = await countLostAccounts(servers, users, database.url)
  const killedAt = new Map(servers.flatMap((server) => [...server.killedAt]))
  const outcome: Outcome = {
    seconds,
    processes: servers.length,
    callers,
    accounts: users.length,
    graceSeconds: number('grace'),
    seed,
    kills: killedAt.size,
    ...ledger.figures(killedAt),
    load: loadavg()[0] ?? 0,
    pauseMs: pauses.max / 1e6,
    reuses: simulator.stats().reuses,
    accountsLost: Math.max(lost, simulator.stats().deadFamilies),
    ...latency(calls),
    calls: calls.times.length,
    inFlightAtKill: calls.inFlightAtKill,
    failed: calls.failed,
    why: [...calls.why],
  }
  if (options.json) process.stdout.write(`${JSON.stringify(outcome)}\n`)
  else say(`${table(outcome)}\n`)
  return holds(outcome)
}

/** Counts the accounts that do not work after the run. */
async function countLostAccounts(
  servers: readonly Server[],
  users: readonly string[],
  databaseUrl: string,
): Promise<number> {
  const [url = ''] = await Promise.all(servers.map((server) => server.ready()))
  const errors = await Promise.all(users.map((user) => execute(undefined, url, KEY, user)))
  const expired = await queryOnce<{ reason: string }>(
    databaseUrl,
    `select status_reason as reason from connected_accounts where status <> 'ACTIVE'`,
  )
  return Math.max(errors.filter((error) => error !== undefined).length, expired.length)
}

/** Kills one of the processes that are up, at random moments; the last of them stays. */
async function killUntil(servers: readonly Server[], untilMs: number, random: () => number): Promise<void> {
  for (;;) {
    await wait(number('kill-every') * 2_000 * random())
    if (performance.now() > untilMs) return
    const up = servers.filter(({ url }) => url !== undefined)
    if (up.length < 2) continue
    up[Math.floor(random() * up.length)]?.kill()
  }
}

function latency({ times }: Calls): Pick<Outcome, 'p50Ms' | 'p99Ms' | 'maxMs'> {
  return { p50Ms: median(times), p99Ms: quantile(times, 0.99), maxMs: quantile(times, 1) }
}

process.exitCode = (await runInFolder(run)) ? 0 : 1
