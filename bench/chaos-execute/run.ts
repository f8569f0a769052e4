import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sampleTool } from '../../test/fixtures/sample-toolkits.ts'
import { searchLogs } from '../../src/contract/logs/index.ts'
import { API_KEY, startConnectedAccountsApp } from '../../test/fixtures/connected-accounts.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { createEgress, parseAllowRules } from '../../src/platform/egress/index.ts'
import { clonedDatabase } from '../../test/fixtures/clone.ts'
import { until } from '../../test/fixtures/until.ts'
import { wireTo } from '../../test/fixtures/wire.ts'
import { MODES, startHostile } from './hostile.ts'

export interface Chaos {
  seconds: number
  callers: number
  cutEveryMs: number
  cutMs: number
}

export interface Outcome {
  calls: number
  /** Answers by HTTP status, results of tools by how they ended. */
  answers: Record<string, number>
  givenUp: number
  /** Calls that got no answer, or one that is none of ours. Has to be empty. */
  unanswered: string[]
  cuts: number
  /**
   * Calls that reached the application and may have changed something, and those of them that the log does
   * not know.
   */
  reached: number
  missing: string[]
  /** Requests that are still on their way, and connections that a call left behind. */
  leaks: { running: number; waiting: number; hung: number }
  heapMb: { before: number; after: number }
}

const ANSWER_MAX_MS = 90_000
const GIVES_UP_EVERY = 15
const input = {
  type: 'object',
  properties: { mode: { type: 'string' }, mark: { type: 'string' } },
  required: ['mode', 'mark'],
}
const LIMITS = { response_bytes: 1_000_000 }
const TOOLS = [
  sampleTool({
    slug: 'SHOP_READ',
    effect: 'read',
    limits: LIMITS,
    input,
    request: { method: 'GET', path: '/{mode}/{mark}', timeout_seconds: 1 },
  }),
  sampleTool({
    slug: 'SHOP_WRITE',
    effect: 'create',
    limits: LIMITS,
    input,
    request: { method: 'POST', path: '/{mode}/{mark}', timeout_seconds: 1, body: {} },
  }),
]

/**
 * Calls an application that does everything wrong, interrupts the connection to the database, and counts the outcome
 * of every call.
 */
export async function chaos(t: Pick<TestContext, 'after'>, settings: Chaos): Promise<Outcome> {
  const stage = await startStage(t as TestContext)
  const { s, wire, egress } = stage
  const outcome: Outcome = {
    calls: 0,
    answers: {},
    givenUp: 0,
    unanswered: [],
    cuts: 0,
    reached: 0,
    missing: [],
    leaks: { running: 0, waiting: 0, hung: 0 },
    heapMb: { before: heapMb(), after: 0 },
  }
  const endAt = performance.now() + settings.seconds * 1_000
  await Promise.all([
    cutNowAndThen(stage, settings, endAt, outcome),
    ...Array.from({ length: settings.callers }, async () => {
      while (performance.now() < endAt) await callOnce(stage, outcome.calls++, outcome)
    }),
  ])
  wire.repair()
  await until(
    'the database responds again',
    async () => (await s.call(searchLogs, { body: {} })).status === 200,
  )
  // A caller that gave up has disconnected before the request to the application is.
  await until(
    'no request is under way',
    () => {
      const { running, waiting } = egress.stats()
      return running + waiting === 0
    },
    30_000,
  ).catch(() => {})
  await addFindings(stage, outcome)
  return outcome
}

type Stage = Awaited<ReturnType<typeof startStage>>

async function startStage(t: TestContext) {
  const hostile = await startHostile()
  t.after(() => hostile.close())
  const database = await clonedDatabase(t)
  const wire = await wireTo(t, database)
  const egress = createEgress({ allow: parseAllowRules('127.0.0.0/8') })
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    tools: TOOLS,
    toolkit: { base_url: hostile.url },
    app: { databaseUrl: wire.url, egress },
  })
  await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', { generic_api_key: 'key-of-the-chaos' })
  await s.app.http.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(s.app.http.server.address() as AddressInfo).port}/api/v3.1/tools/execute`
  return { hostile, wire, egress, s, url }
}

const modes = Object.keys(MODES)

/** Makes the call with the number n, and adds its result to the outcome. */
async function callOnce({ s, url }: Stage, n: number, outcome: Outcome): Promise<void> {
  const tool = n % 3 ? 'SHOP_WRITE' : 'SHOP_READ'
  const mode = modes[n % modes.length] as string
  const mark = `mark-${n}`
  const givesUp = n % GIVES_UP_EVERY === 0
  try {
    const reply = await post(
      `${url}/${tool}`,
      { 'x-api-key': s.keys.projectApiKey, 'x-request-id': mark },
      { user_id: 'u1', arguments: { mode, mark } },
      givesUp ? 50 : ANSWER_MAX_MS,
    )
    const kind = kindOf(reply)
    if (kind) outcome.answers[kind] = (outcome.answers[kind] ?? 0) + 1
    else outcome.unanswered.push(`${tool} ${mode}: ${reply.status} ${reply.text.slice(0, 100)}`)
  } catch (error) {
    if (givesUp) outcome.givenUp++
    else outcome.unanswered.push(`${tool} ${mode}: ${(error as Error).message}`)
  }
}

/** The status of the response with the result of the tool or the slug of the error; undefined for another body. */
function kindOf({ status, text: json }: { status: number; text: string }): string | undefined {
  const body = JSON.parse(json) as { successful?: boolean; error?: { slug?: string } | string | null }
  if (status === 200 && typeof body.successful === 'boolean')
    return `200 ${body.successful ? 'successful' : 'failed'}`
  return typeof body.error === 'object' && body.error?.slug ? `${status} ${body.error.slug}` : undefined
}

async function cutNowAndThen(
  { wire }: Stage,
  { cutEveryMs, cutMs }: Chaos,
  endAt: number,
  outcome: Outcome,
): Promise<void> {
  for (;;) {
    await wait(cutEveryMs)
    if (performance.now() > endAt) return
    wire.cut()
    outcome.cuts++
    await wait(cutMs)
    wire.repair()
  }
}

/** Adds the leaks, the memory, and the calls that are missing in the log. */
async function addFindings({ s, hostile, egress }: Stage, outcome: Outcome): Promise<void> {
  const { running, waiting, connections } = egress.stats()
  outcome.leaks = { running, waiting, hung: Math.max(0, hostile.open() - connections) }
  const known = new Set(
    (await s.app.db.rows<{ request_id: string }>(sql`select request_id from tool_executions`)).map(
      (row) => row.request_id,
    ),
  )
  outcome.reached = hostile.reached.size
  outcome.missing = [...hostile.reached].filter((mark) => !known.has(mark))
  outcome.heapMb.after = heapMb()
}

/**
 * A call on a connection of its own, which is gone with it: one that is kept open would be there when the
 * server ends.
 */
async function post(
  url: string,
  headers: Record<string, string>,
  body: object,
  withinMs: number,
): Promise<{ status: number; text: string }> {
  const outgoing = request(url, {
    method: 'POST',
    agent: false,
    headers: { ...headers, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(withinMs),
  })
  outgoing.end(JSON.stringify(body))
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  return { status: incoming.statusCode ?? 0, text: await text(incoming) }
}

/** In MB; of worth only where garbage can be collected on demand. */
function heapMb(): number {
  globalThis.gc?.()
  return Math.round(process.memoryUsage().heapUsed / 2 ** 20)
}
