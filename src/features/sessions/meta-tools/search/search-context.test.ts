import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metaStage } from '#fixtures/meta-tools.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { catalogFromSources } from '../../../../catalog/index.ts'
import { createLog } from '../../../../platform/log.ts'
import { sql } from '../../../../platform/db/sql.ts'
import { createToolUses } from '../../../logs/index.ts'

const source = (slug: string, toolkit: Record<string, unknown> = {}) =>
  sampleSource(
    { slug, name: slug[0]!.toUpperCase() + slug.slice(1), ...toolkit },
    ['MESSAGE', 'NOTE'].map((object) =>
      sampleTool({
        slug: `${slug.toUpperCase()}_SEND_${object}`,
        name: 'Send message',
        description: 'Sends a message to a person.',
        effect: 'create',
        input: { type: 'object', properties: {} },
        request: { method: 'POST', path: `/${object.toLowerCase()}` },
      }),
    ),
    { slug },
  )
const CATALOG = catalogFromSources([source('vaxola'), source('vexola'), source('vixola'), source('voxola')])
const FREE_CATALOG = catalogFromSources([
  source('vaxola'),
  source('vuxola', { auth: [{ scheme: 'NO_AUTH' }], base_url: 'https://vuxola.example' }),
])

type Stage = Awaited<ReturnType<typeof metaStage>>
type Scope = Parameters<Stage['run']>[2]

const firstSlug = async (s: Stage, scope: Scope = {}): Promise<string> => {
  const { data } = await s.run('SEARCH_TOOLS', { queries: [{ use_case: 'send a message' }] }, scope)
  return data.results[0].primary_tool_slugs[0]
}

const addCalls = async (
  s: Stage,
  tool: string,
  count: number,
  { projectId = 'proj_a', successful = true, days = 0, dryRun = false } = {},
) => {
  for (let call = 0; call < count; call++)
    await s.db.run(sql`
      insert into tool_executions
        (id, project_id, tool_slug, toolkit_slug, version, request_id, successful, dry_run, created_at)
      values (gen_random_uuid()::text, ${projectId}, ${tool}, 'x', '1', 'r', ${successful}, ${dryRun},
        now() - make_interval(days => ${days}))`)
}

test('search in a session: usable applications and recently used tools rank higher', async (t) => {
  const s = await metaStage(t, CATALOG)

  await t.test(
    'search: without connections and calls, equal tools are in the order of the catalogue',
    async () => {
      assert.equal(await firstSlug(s), 'VAXOLA_SEND_MESSAGE')
    },
  )

  await t.test('search: an application with an active account of the user ranks first', async () => {
    s.accounts = [s.account('vexola')]
    assert.equal(await firstSlug(s), 'VEXOLA_SEND_MESSAGE')
    for (const unusable of [
      s.account('vexola', { status: 'EXPIRED' }),
      s.account('vexola', { for_sessions: false }),
      s.account('vexola', { user_id: 'u2' }),
    ]) {
      s.accounts = [unusable]
      assert.equal(await firstSlug(s), 'VAXOLA_SEND_MESSAGE', JSON.stringify(unusable))
    }
  })

  await t.test('search: an account outside those that the session names does not count', async () => {
    s.accounts = [s.account('vexola')]
    const config = { connected_accounts: { vexola: ['ca_other'] } }
    assert.equal(await firstSlug(s, config as never), 'VAXOLA_SEND_MESSAGE')
  })

  await t.test('search: an application that needs no connection counts as connected', async () => {
    const free = await metaStage(t, FREE_CATALOG)
    assert.equal(await firstSlug(free), 'VUXOLA_SEND_MESSAGE')
    assert.deepEqual([...(await (await free.scope()).usableToolkits())], ['vuxola'])
  })
})

test('search in a session: only successful recent calls of the project count, unless it turned this off', async (t) => {
  const s = await metaStage(t, CATALOG)
  await addCalls(s, 'VIXOLA_SEND_MESSAGE', 3)
  await addCalls(s, 'VOXOLA_SEND_MESSAGE', 9, { projectId: 'proj_b' })
  await addCalls(s, 'VOXOLA_SEND_MESSAGE', 9, { successful: false })
  await addCalls(s, 'VOXOLA_SEND_MESSAGE', 9, { dryRun: true })
  await addCalls(s, 'VOXOLA_SEND_MESSAGE', 9, { days: 31 })
  assert.equal(await firstSlug(s), 'VIXOLA_SEND_MESSAGE')
  assert.equal(await firstSlug(s, await s.scope({}, { projectId: 'proj_b' })), 'VOXOLA_SEND_MESSAGE')
  assert.equal(await firstSlug(s, await s.scope({}, { ranksByUse: false })), 'VAXOLA_SEND_MESSAGE')
})

test('tool uses: the newest 2,000 calls are counted once for many searches, and failures are not', async (t) => {
  const s = await metaStage(t, CATALOG)
  await addCalls(s, 'OLD', 1, { days: 2 })
  await s.db.run(sql`
    insert into tool_executions (id, project_id, tool_slug, toolkit_slug, version, request_id, successful)
    select 'log_' || n, 'proj_a', 'NEW', 'x', '1', 'r', true from generate_series(1, 2000) n`)
  const warnings: unknown[] = []
  const log = { ...createLog('silent'), warn: (fields: unknown) => warnings.push(fields) } as never
  let queries = 0
  const db = { ...s.db, rows: (query: never) => (queries++, s.db.rows(query)) } as never
  const uses = createToolUses({ db, log })
  const [counts, again] = await Promise.all([uses('proj_a'), uses('proj_a')])
  assert.deepEqual([...counts], [['NEW', 2_000]])
  assert.equal(again, counts)
  assert.equal(await uses('proj_a'), counts)
  assert.equal(queries, 1)

  const broken = createToolUses({ db: { rows: () => Promise.reject(new Error('down')) } as never, log })
  assert.deepEqual([...(await broken('proj_a'))], [])
  assert.equal(warnings.length, 1)
})
