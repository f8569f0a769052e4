import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { implementedRoutes } from '../../src/contract/index.ts'
import { API_VERSIONS } from '../../src/contract/route.ts'
import { raw, sql } from '../../src/platform/db/sql.ts'
import { exampleOf } from './examples.ts'
import { badInput, placesOf, withPlace } from './bad-input.ts'
import { envelope, type Raw, type Sent } from './send.ts'
import { world, type World } from './world.ts'

/**
 * Requests an operation and version. `FUZZ_RUNS=2000 FUZZ_SEED=… npm test -- test/contract/fuzz.test.ts`
 * looks further.
 */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 12)
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121)
/** A session that is confirmed for another user ends, and its account fails: that is what a refusal here is for. */
const CHANGES_WHEN_REFUSED = ['connectedAccounts.completeAuth']
/** Written by calls that fail, too: what was tried, and how often somebody called. */
const MAY_GROW = ['provider_requests', 'tool_executions', 'rate_limit_windows']
/** The only failures of ours that a request may bring about by itself. */
const NOT_BUILT = [
  'HTTP_NotImplemented',
  'ConnectedAccount_NotImplemented',
  'ActionExecute_NoModelConfigured',
]

/** A number that any change of any row changes. */
async function fingerprint({ app: { db } }: World): Promise<() => Promise<string>> {
  const tables = await db.rows<{ name: string }>(
    sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  const watched = tables.map(({ name }) => name).filter((name) => !MAY_GROW.includes(name))
  assert.ok(watched.length >= 7)
  const query = sql`${raw(watched.map((name) => `select '${name}' as name, count(*)::int as rows, coalesce(sum(hashtextextended(t::text, 0)), 0)::text as hash from ${name} t`).join(' union all '))} order by 1`
  return async () => JSON.stringify(await db.rows(query))
}

function judge(reply: Sent, request: Raw): void {
  if (reply.status < 400) return assert.ok(reply.status >= 200 && reply.status < 300, `${reply.status}`)
  const { slug } = envelope(reply, JSON.stringify(request).slice(0, 300))
  assert.ok(reply.status < 500 || NOT_BUILT.includes(slug), `${reply.status} ${slug}`)
}

test(
  `no input makes an operation fail on our side, and what is refused stores nothing (seed ${SEED}, ${RUNS} runs each)`,
  { timeout: 120_000 + RUNS * 2_000 },
  async (t) => {
    const w = await world(t)
    const stored = await fingerprint(w)
    let [refused, accepted] = [0, 0]
    for (const version of API_VERSIONS) {
      for (const route of implementedRoutes) {
        let example = await exampleOf(route.id, w)
        let before = await stored()
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
          if (reply.status >= 400) {
            refused++
            if (is !== was && CHANGES_WHEN_REFUSED.includes(route.id)) {
              example = await exampleOf(route.id, w)
              before = await stored()
              return
            }
            assert.equal(is, was, `a refused call changed the database: ${reply.text.slice(0, 300)}`)
          } else {
            accepted++
            if (is === was) return
            // What the call used up, a deleted account say, is made again; otherwise the rest would only meet 404.
            example = await exampleOf(route.id, w)
            before = await stored()
          }
        })
        await fc
          .assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: false })
          .catch((error: unknown) => {
            throw new Error(`${route.id} on ${version}`, { cause: error })
          })
      }
    }
    t.diagnostic(`seed ${SEED}: ${refused} calls refused, ${accepted} accepted`)
    assert.ok(
      refused > implementedRoutes.length && accepted > implementedRoutes.length,
      'both kinds were met',
    )
  },
)

test('the fuzzer reaches every declared place and breaks only that', () => {
  const schema = { properties: { a: { properties: { b: {} } }, c: { items: { properties: { d: {} } } } } }
  assert.deepEqual(placesOf(schema), [[], ['a'], ['a', 'b'], ['c'], ['c', 0], ['c', 0, 'd']])
  assert.deepEqual(withPlace({ a: { b: 1, x: 2 } }, ['a', 'b'], null), { a: { b: null, x: 2 } })
  assert.deepEqual(withPlace({ a: 1 }, ['a'], undefined), {})
  assert.deepEqual(withPlace({}, ['c', 0, 'd'], 1), { c: [{ d: 1 }] })
  assert.equal(JSON.stringify(withPlace({}, ['__proto__'], 1)), '{"__proto__":1}')
})
