import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clonedDatabase } from '#fixtures/clone.ts'
import { connect } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import { openDeliveriesStatement } from './remove-deliveries.ts'

test('event retention: whether a delivery is still needed is found by the index of dead ones', async (t) => {
  const db = connect(await clonedDatabase(t), { max: 1 })
  t.after(() => db.close())
  const plan = await db.begin(async (tx) => {
    // Tables of a test are empty: they are read whole, unless that costs more than any index.
    await tx.run(sql`set local enable_seqscan = off`)
    return tx.rows<{ 'QUERY PLAN': string }>(sql`explain ${openDeliveriesStatement(new Date())}`)
  })
  const text = plan.map((row) => row['QUERY PLAN']).join('\n')
  const scans = [...text.matchAll(/(\S+) on webhook_deliveries_finished_\w+/g)].map(([, index]) => index!)
  assert.ok(scans.length > 0, text)
  // The indexes of dead deliveries.
  for (const index of scans) assert.match(index, /_project_id_(finished|event_created)_at_idx$/, text)
})
