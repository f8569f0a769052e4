import { type Overview, OVERVIEW_RANGES, type OverviewRange, readOverview } from '../../contract/overview.ts'
import type { Db } from '../../platform/db/sql.ts'
import type { Api } from '../../platform/http/call.ts'
import { countAccountsByStatus } from '../connected-accounts/index.ts'
import { busiestToolkits, countCalls, countCallsByStep, periodUntil, stepsOf } from '../logs/index.ts'
import { countPendingApprovals } from '../policies/index.ts'
import { countInstancesByState } from '../triggers/index.ts'
import { countSubscriptionsByState } from '../webhooks/index.ts'

const TOOLKITS_MAX = 10
const HOUR_MS = 3_600_000

/** The overview of a project. Each feature counts its own rows; the numbers are not of one snapshot. */
export function overviewRoutes(api: Api, { db }: { db: Db }): void {
  api.on(readOverview, async ({ projectId, query }) => overviewOf(db, projectId, query.range ?? '24h'))
}

async function overviewOf(db: Db, projectId: string, range: OverviewRange): Promise<Overview> {
  const now = Date.now()
  const { length, bucket } = OVERVIEW_RANGES[range]
  const period = periodUntil(now, length, bucket)
  // Whole hours come from rollups, and executions of the begun hour would have to be read one by one.
  const counted = { from: Math.floor((now - length) / HOUR_MS) * HOUR_MS, to: now }
  const [calls, previous, steps, toolkits, accounts, pending, triggers, webhooks] = await Promise.all([
    countCalls(db, projectId, counted),
    countCalls(db, projectId, { from: counted.from - length, to: counted.from }),
    countCallsByStep(db, projectId, period),
    busiestToolkits(db, projectId, counted, TOOLKITS_MAX),
    countAccountsByStatus(db, projectId),
    countPendingApprovals(db, projectId),
    countInstancesByState(db, projectId),
    countSubscriptionsByState(db, projectId, new Date(counted.from)),
  ])
  const byStep = new Map(steps.map(({ step, ...count }) => [step, count]))
  const none = { total: 0, failed: 0, p50_ms: null, p95_ms: null }
  return {
    range,
    from: new Date(counted.from).toISOString(),
    to: new Date(counted.to).toISOString(),
    bucket_ms: period.bucketMs,
    calls,
    previous,
    series: stepsOf(period).map((at, n) => {
      const { total, ...count } = byStep.get(n) ?? none
      return { at: new Date(at).toISOString(), calls: total, ...count }
    }),
    toolkits,
    accounts: summarizeAccounts(accounts),
    approvals: { pending },
    triggers,
    webhooks,
  }
}

function summarizeAccounts(counts: ReadonlyMap<string, number>): Overview['accounts'] {
  const [active = 0, expired = 0, failed = 0] = ['ACTIVE', 'EXPIRED', 'FAILED'].map((status) =>
    counts.get(status),
  )
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return { active, expired, failed, other: total - active - expired - failed }
}
