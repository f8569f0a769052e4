import { sql } from '../src/platform/db/sql.ts'
import { startNodeRed } from '../test/fixtures/real-applications/node-red.ts'
import { startOidcProvider } from '../test/fixtures/real-applications/oidc-provider.ts'
import { startParseServer } from '../test/fixtures/real-applications/parse-server.ts'
import { narratedApi } from './api.ts'
import { firstTool } from './chapters/first-tool.ts'
import { wrongCalls } from './chapters/wrong-calls.ts'
import { nodeRed } from './chapters/node-red.ts'
import { oauth } from './chapters/oauth.ts'
import { parseServer } from './chapters/parse.ts'
import { timePasses } from './chapters/time-passes.ts'
import { type Cleanup, cleanupStack } from './cleanup.ts'
import { startDatabase, startPatchbay } from './platform.ts'
import { type Stage, stageOn } from './stage.ts'
import type { Tour } from './tour.ts'

const CHAPTERS = [firstTool, parseServer, nodeRed, oauth, timePasses, wrongCalls]
const INTERRUPTED = 130

/** Starts everything, tells the tour, and leaves nothing behind, whether it came to its end or was interrupted. */
async function main(args: string[]): Promise<number> {
  const isPaced = !args.includes('--fast') && process.stdout.isTTY === true
  const interruption = new AbortController()
  const { signal } = interruption
  const interrupted = Promise.withResolvers<number>()
  const stop = (code: number) => {
    interruption.abort()
    interrupted.resolve(code)
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stop(INTERRUPTED))
  // `npm run demo | head`: who reads has seen enough.
  process.stdout.on('error', () => stop(0))
  const stage = stageOn(process.stdout, { env: process.env, isPaced, chapters: CHAPTERS.length, signal })
  const cleanup = cleanupStack()
  const startedAt = performance.now()
  const tour = playChapters(stage, cleanup, startedAt, signal).then(
    () => 0,
    (error: unknown) => {
      if (!signal.aborted)
        stage.line(
          `\n  ${stage.paint(['bold', 'red'], 'The tour stopped.')} ` +
            `${error instanceof Error ? error.message : String(error)}`,
        )
      return 1
    },
  )
  const code = await Promise.race([tour, interrupted.promise])
  if (code === INTERRUPTED) stage.line(stage.paint('dim', '\n  Interrupted; cleaning up.'))
  const failures = await cleanup.run()
  for (const failure of failures) console.error(failure)
  if (code !== 0) return code
  stage.line(
    stage.paint(
      'dim',
      `Everything that was started is stopped again; ${Math.round((performance.now() - startedAt) / 1_000)} s in all.`,
    ),
  )
  stage.line()
  return failures.length ? 1 : 0
}

async function playChapters(
  stage: Stage,
  cleanup: Cleanup,
  startedAt: number,
  signal: AbortSignal,
): Promise<void> {
  const tour = await setUp(stage, cleanup, signal)
  for (const chapter of CHAPTERS) await chapter(tour)
  const rows = await tour.patchbay.db.one<{ all: number; failed: number }>(
    sql`select count(*)::int as all, count(*) filter (where not successful)::int as failed from tool_executions`,
  )
  stage.ending('That was the tour')
  await stage.say(
    `${rows?.all} tool calls in ${Math.round((performance.now() - startedAt) / 1_000)} s; each left a ` +
      `row in the log, the ${rows?.failed} that failed too.`,
  )
  stage.line()
  stage.line(stage.paint('bold', 'What to try next'))
  for (const [command, what] of NEXT) stage.line(`  ${stage.paint('cyan', command.padEnd(32))} ${what}`)
  stage.line()
}

const NEXT = [
  ['npm start', 'your own Patchbay, with its own database and keys'],
  ['docs/guides/first-tool.md', 'from there to the first tool call, in five minutes'],
  ['docs/guides/own-oauth-app.md', 'connect GitHub, Slack, Notion or Gmail with your own app'],
  ['docs/guides/write-a-toolkit.md', 'a toolkit is two JSON files: demo/toolkit/people is one'],
] as const

async function setUp(stage: Stage, cleanup: Cleanup, signal: AbortSignal): Promise<Tour> {
  stage.title('Patchbay', 'a tour of about a minute. No internet needed.')
  const timed = async <T>(work: Promise<T>): Promise<{ it: T; ms: number }> => {
    const startedAt = performance.now()
    return { it: await work, ms: performance.now() - startedAt }
  }
  const database = await timed(startDatabase(cleanup))
  stage.ready('PostgreSQL', 'built in, in a directory that goes away with the tour', database.ms)
  const patchbay = await timed(startPatchbay(database.it.url, cleanup))
  stage.ready(
    'Patchbay',
    `${patchbay.it.url} · ${patchbay.it.toolkits} toolkits, ${patchbay.it.tools} tools`,
    patchbay.ms,
  )

  const accessTokenTtlSeconds = stage.isPaced ? 6 : 2
  const starting = {
    parse: timed(
      cleanup.own(database.it.another('parse').then((databaseUrl) => startParseServer({ databaseUrl }))),
    ),
    nodeRed: timed(cleanup.own(startNodeRed())),
    provider: timed(
      cleanup.own(
        startOidcProvider({
          redirectUris: [`${patchbay.it.url}/api/v3/toolkits/auth/callback`],
          accessTokenTtlSeconds,
        }),
      ),
    ),
  }
  await Promise.all(Object.values(starting))
  const [parse, red, provider] = [await starting.parse, await starting.nodeRed, await starting.provider]
  stage.ready('Parse Server', 'a backend for apps, wants a key', parse.ms)
  stage.ready('Node-RED', 'runs flows of nodes, wants a password', red.ms)
  stage.ready('oidc-provider', 'a certified OAuth server, wants consent', provider.ms)
  stage.line()
  stage.line(stage.paint('dim', 'The last three are the real thing, as npm has them.'))
  return {
    stage,
    api: narratedApi(stage, patchbay.it.url, patchbay.it.apiKey, signal),
    patchbay: patchbay.it,
    parse: parse.it,
    nodeRed: red.it,
    provider: provider.it,
    accessTokenTtlSeconds,
  }
}

process.exit(await main(process.argv.slice(2)))
