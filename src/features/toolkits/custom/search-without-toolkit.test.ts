import assert from 'node:assert/strict'
import { readdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createSession, searchInSession } from '../../../contract/sessions/index.ts'
import { listTools } from '../../../contract/tools/index.ts'
import { sampleImport } from '#fixtures/custom-toolkits.ts'
import { temporaryCache } from '#fixtures/files.ts'
import { NOW, slugsIn, start } from '#fixtures/own-toolkits.ts'
import { until } from '#fixtures/until.ts'
import { sql } from '../../../platform/db/sql.ts'

test('search: a toolkit that cannot be read is named, and the tools of the others are found', async (t) => {
  const cacheDir = temporaryCache(t)
  const { own, one, call, app, as, keys } = await start(t, { cacheDir })
  await own.put(one, sampleImport('wares', [['WARES_COUNT', 'Count letters']]), { kind: 'openapi' }, NOW)
  assert.deepEqual((await call(listTools, { query: { toolkit_slug: ['post'] } })).body.items.length, 2)
  const [stored] = await app.db.rows<{ bytes: Buffer }>(sql`select bytes from toolkit_contents`)
  await app.db.run(sql`update toolkit_contents set bytes = ${Buffer.from('damaged')}`)
  const folder = join(cacheDir, 'toolkits')
  for (const name of readdirSync(folder)) truncateSync(join(folder, name), 200)

  const { body } = await call(listTools, { query: { query: 'send letters' } })
  assert.deepEqual([body.toolkits_not_searched, body.items[0]!.slug], [['wares'], 'POST_SEND'])
  const inSlugs = await call(listTools, { query: { query: 'send', tool_slugs: ['POST_SEND'] } })
  assert.equal(inSlugs.body.toolkits_not_searched, undefined, 'slugs override the search')
  const { body: session } = await as({ 'x-api-key': keys.projectApiKey }, 'v3.1')(createSession, {
    body: { user_id: 'u' },
  })
  const found = await call(searchInSession, {
    params: { session_id: session.session_id },
    body: { queries: [{ use_case: 'send letters' }] },
  })
  const { next_steps_guidance: steps } = found.body as unknown as { next_steps_guidance: string[] }
  assert.match(steps[0]!, /^The tools of wares are missing from these results/)

  await app.db.run(sql`update toolkit_contents set bytes = ${stored!.bytes}`)
  const now = performance.now.bind(performance)
  let afterMs = 0
  t.mock.method(performance, 'now', () => now() + (afterMs += 5_000))
  await until('the toolkit is read again', async () =>
    (await slugsIn(call, { query: 'count letters' })).includes('WARES_COUNT'),
  )
})
