import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startWebhookApp } from '#fixtures/webhooks.ts'
import { sql } from '../../../platform/db/sql.ts'
import { claimStatement } from './claim.ts'

const NO_LOAD = { ids: [], claimed: [], prefetch: [] }

interface Plan {
  'Relation Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}

const scansOf = (plan: Plan, table: RegExp): Plan[] => [
  ...(table.test(plan['Relation Name'] ?? '') ? [plan] : []),
  ...(plan.Plans ?? []).flatMap((part) => scansOf(part, table)),
]

test('claims: the event of each delivery is looked up in an index, whatever PostgreSQL estimates', async (t) => {
  const { db } = await startWebhookApp(t)
  const rows = await db.begin(async (tx) => {
    // PostgreSQL avoids nested loops as it does without statistics, when it expects many rows for each id.
    await tx.run(sql`set local enable_nestloop = off`)
    return tx.rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      sql`explain (format json) ${claimStatement(100, NO_LOAD)}`,
    )
  })
  const [{ Plan: plan } = { Plan: {} }] = rows[0]?.['QUERY PLAN'] ?? []
  const scans = scansOf(plan, /^events_/)
  assert.ok(scans.length > 0)
  for (const scan of scans) assert.match(scan['Index Cond'] ?? 'no condition', /\bid = d\.event_id\b/)
})
