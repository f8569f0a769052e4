import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import fc from 'fast-check'
import { routes } from '../../src/contract/index.ts'
import { API_VERSIONS, type ApiVersion } from '../../src/contract/route.ts'
import { raw, sql } from '../../src/platform/db/sql.ts'
import { exampleOf } from './examples/index.ts'
import { badInput, placesOf, withPlace } from './bad-input.ts'
import { envelope, type Raw, type Sent } from './send.ts'
import { world, type World } from './world.ts'

/**
 * Requests an operation and version. `FUZZ_RUNS=2000 FUZZ_SEED=… npm test -- test/contract/fuzz.test.ts`
 * looks further.
 */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 12)
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121)
const TIME_LIMIT = { timeout: 600_000 + RUNS * 5_000 }
/** A flow that is confirmed for another user ends, and its account fails: an error is the expected result here. */
const CHANGES_WHEN_REFUSED = ['connectedAccounts.completeAuth']
/**
 * Written by calls that fail too: logs, the audit log, the counts of rate limits, and what a session has read, which is
 * recorded before a request is sent.
 */
const MAY_GROW = [
  'audit_chains',
  'audit_intents',
  'audit_log',
  'provider_requests',
  'rate_limit_windows',
  'tool_executions',
  'untrusted_sources',
]
/** The only internal errors that a request alone may cause. */
const NOT_BUILT = ['ConnectedAccount_NotImplemented', 'ActionExecute_NoModelConfigured']

/** The row `t` as text. The last use of a key is recorded for calls that fail too. */
const rowOf = (table: string): string =>
  table === 'api_keys' ? "(to_jsonb(t) - 'last_used_at')::text" : 't::text'

/** A number that any change of any row changes. */
async function fingerprint({ app: { db } }: World): Promise<() => Promise<string>> {
  const tables = await db.rows<{ name: string }>(
    sql`select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  )
  const watched = tables.map(({ name }) => name).filter((name) => !MAY_GROW.includes(name))
  assert.ok(watched.length >= 7)
  const counted = watched.map(
    (name) =>
      `select '${name}' as name, count(*)::int as rows, ` +
      `coalesce(sum(hashtextextended(${rowOf(name)}, 0)), 0)::text as hash from ${name} t`,
  )
  const query = sql`${raw(counted.join(' union all '))} order by 1`
  return async () => JSON.stringify(await db.rows(query))
}

function judge(reply: Sent, request: Raw): void {
  if (reply.status < 400) return assert.ok(reply.status >= 200 && reply.status < 300, `${reply.status}`)
  const { slug } = envelope(reply, JSON.stringify(request).slice(0, 300))
  assert.ok(reply.status < 500 || NOT_BUILT.includes(slug), `${reply.status} ${slug}`)
}

for (const version of API_VERSIONS)
  test(
    `no input makes an operation of ${version} fail on our side, and what is rejected stores nothing (seed ` +
      `${SEED}, ${RUNS} runs each)`,
    TIME_LIMIT,
    (t) => fuzzVersion(t, version),
  )

/** Sends bad input to every operation of one version, and compares the database before and after. */
async function fuzzVersion(t: TestContext, version: ApiVersion): Promise<void> {
  const w = await world(t)
  const stored = await fingerprint(w)
  const count = { rejected: 0, accepted: 0 }
  for (const route of routes) {
    let example = await exampleOf(route.id, w)
    let before = await stored()
    const renewExample = async () => {
      example = await exampleOf(route.id, w)
      before = await stored()
    }
    const property = fc.asyncProperty(badInput(route, example), async (bad) => {
      const request: Raw = {
        ...example,
        ...bad,
        headers: { ...w.credentials(route), ...example.headers, ...bad.headers },
      }
      const reply = await w.send(route, version, request)
      const [was, is] = [before, await stored()]
      before = is
      judge(reply, request)
      const isRejected = reply.status >= 400
      count[isRejected ? 'rejected' : 'accepted']++
      if (is === was) return
      if (isRejected && !CHANGES_WHEN_REFUSED.includes(route.id))
        assert.equal(is, was, `a rejected call changed the database: ${reply.text.slice(0, 300)}`)
      // What the call used up, such as a deleted account, is made again; otherwise the rest would only meet 404.
      await renewExample()
    })
    await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: false }).catch((error: unknown) => {
      throw new Error(`${route.id} on ${version}`, { cause: error })
    })
  }
  t.diagnostic(`seed ${SEED}: ${count.rejected} calls rejected, ${count.accepted} accepted`)
  const enough = routes.length / 2
  assert.ok(count.rejected > enough && count.accepted > enough, 'both kinds were met')
}

test('the fuzzer reaches every declared place and breaks only that', () => {
  const schema = { properties: { a: { properties: { b: {} } }, c: { items: { properties: { d: {} } } } } }
  assert.deepEqual(placesOf(schema), [[], ['a'], ['a', 'b'], ['c'], ['c', 0], ['c', 0, 'd']])
  assert.deepEqual(withPlace({ a: { b: 1, x: 2 } }, ['a', 'b'], null), { a: { b: null, x: 2 } })
  assert.deepEqual(withPlace({ a: 1 }, ['a'], undefined), {})
  assert.deepEqual(withPlace({}, ['c', 0, 'd'], 1), { c: [{ d: 1 }] })
  assert.equal(JSON.stringify(withPlace({}, ['__proto__'], 1)), '{"__proto__":1}')
})
