import type { BudgetMetric } from '../../contract/budgets/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Pool } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Logger } from '../../platform/log.ts'
import type { BudgetCache } from './budget-cache.ts'
import type { BudgetTarget } from './budget-target.ts'
import { periodAt } from './period.ts'
import * as store from './store.ts'
import { type ChangedCount, publishThresholds } from './thresholds.ts'

/** Who uses something. */
export interface Consumer {
  projectId: string
  userId?: string | null | undefined
  sessionId?: string | null | undefined
}

export interface MeterDeps {
  db: Pool
  cache: BudgetCache
  clock: Clock
  log: Logger
}

/** Counts what calls use, and rejects those for which nothing is left. */
export interface BudgetMeter {
  /** Counts a call exactly, before it is made. @throws ApiError Budget_Exceeded */
  admitCall(consumer: Consumer): Promise<void>
  /** Checks that something is left of a metric that is counted afterwards. @throws ApiError Budget_Exceeded */
  requireRemaining(consumer: Consumer, metric: BudgetMetric): Promise<void>
  /** Counts what has been used. An error is logged: the caller already has its result. */
  record(consumer: Consumer, metric: BudgetMetric, amount: number): Promise<void>
  /** Returns the bytes of files that a project, or a session of it, may store; undefined without such a budget. */
  storageBytesMax(projectId: string, sessionId?: string): Promise<number | undefined>
  /** Stores the measured bytes of all files of a project, or of a session of it, for reports and alerts. */
  recordStorage(projectId: string, bytes: number, sessionId?: string): Promise<void>
}

type Applicable = BudgetTarget & { budget: store.BudgetRow }

export function createBudgetMeter(deps: MeterDeps): BudgetMeter {
  const { db, cache, log } = deps
  const targetsOf = async (consumer: Consumer, metric: BudgetMetric) =>
    selectTargets(await cache.budgetsOf(consumer.projectId), consumer, metric, deps.clock.now())

  /** The files of a project and those of a session are measured one after the other. */
  const storageTargets = async (projectId: string, sessionId: string | undefined) => {
    const targets = await targetsOf({ projectId, sessionId }, 'storage_bytes')
    return targets.filter(({ budget }) => (budget.scope === 'session') === (sessionId !== undefined))
  }

  async function requireRemaining(consumer: Consumer, metric: BudgetMetric): Promise<void> {
    const targets = await targetsOf(consumer, metric)
    if (targets.length > 0) await rejectExhausted(deps, consumer.projectId, targets)
  }

  return {
    async admitCall(consumer) {
      const budgets = await cache.budgetsOf(consumer.projectId)
      if (budgets.length === 0) return
      await requireRemaining(consumer, 'bytes')
      const targets = await targetsOf(consumer, 'calls')
      if (targets.length > 0) await chargeCall(deps, consumer.projectId, targets)
    },
    requireRemaining,
    async record(consumer, metric, amount) {
      if (amount <= 0) return
      try {
        const targets = await targetsOf(consumer, metric)
        if (targets.length === 0) return
        const { projectId } = consumer
        const counts = await store.addUsage(db, projectId, targets, Math.ceil(amount))
        await publishReached(deps, projectId, targets, counts)
      } catch (error) {
        log.error(
          { err: error, project_id: consumer.projectId, metric },
          'The use of a budget was not counted.',
        )
      }
    },
    async storageBytesMax(projectId, sessionId) {
      const targets = await storageTargets(projectId, sessionId)
      return targets.length > 0 ? Math.min(...targets.map(({ budget }) => budget.amount)) : undefined
    },
    async recordStorage(projectId, bytes, sessionId) {
      const targets = await storageTargets(projectId, sessionId)
      if (targets.length === 0) return
      const counts = await store.setUsage(db, projectId, targets, bytes)
      await publishReached(deps, projectId, targets, counts)
    },
  }
}

/** Counts one call in all its budgets, or in none. */
async function chargeCall(deps: MeterDeps, projectId: string, targets: readonly Applicable[]): Promise<void> {
  const { db } = deps
  // A single statement is atomic; only several budgets need a transaction.
  const counts =
    targets.length === 1
      ? await store.chargeIfFits(db, projectId, targets, 1)
      : await db
          .begin(async (tx) => {
            const charged = await store.chargeIfFits(tx, projectId, targets, 1)
            if (charged.length < targets.length) throw new Incomplete()
            return charged
          })
          .catch((error: unknown) => {
            if (error instanceof Incomplete) return []
            throw error
          })
  if (counts.length > 0) return publishReached(deps, projectId, targets, counts)
  await rejectExhausted(deps, projectId, targets)
  // A budget was deleted, or raised, between the two statements.
}

/** Publishes thresholds after they were counted. If that fails, the next count that changes does it. */
async function publishReached(
  { db, log }: MeterDeps,
  projectId: string,
  targets: readonly Applicable[],
  counts: readonly ChangedCount[],
): Promise<void> {
  if (!counts.some((count) => count.is_threshold_reached)) return
  await publishThresholds(db, projectId, targets).catch((error: unknown) => {
    log.error({ err: error, project_id: projectId }, 'Reached thresholds of budgets were not published.')
  })
}

/** Rolls back a charge that not every budget could take. */
class Incomplete extends Error {}

async function rejectExhausted(
  deps: MeterDeps,
  projectId: string,
  targets: readonly Applicable[],
): Promise<void> {
  const { db, clock } = deps
  const exhausted = await store.findExhausted(db, projectId, targets, 1)
  if (!exhausted) return
  // The process that counted the last call may have ended before it published that.
  await publishReached(deps, projectId, targets, [exhausted])
  const { budget } = targets.find(({ budgetId }) => budgetId === exhausted.budget_id)!
  throw new ApiError('Budget_Exceeded', describeExhausted(budget, exhausted.subject, clock.now()))
}

const UNITS: Readonly<Record<BudgetMetric, string>> = {
  calls: 'calls',
  bytes: 'bytes',
  model_tokens: 'tokens of the language model',
  sandbox_seconds: 'seconds of code',
  storage_bytes: 'bytes of files',
}

function describeExhausted(budget: store.BudgetRow, subject: string, nowMs: number): string {
  const { end } = periodAt(budget.period, nowMs)
  const owner = budget.scope === 'project' ? '' : ` for the ${budget.scope} ${subject}`
  const rhythm = budget.period === 'total' ? 'in total' : `per ${budget.period}`
  const next = end ? ` It starts again at ${end.toISOString()}.` : ''
  const amount = `${budget.amount.toLocaleString('en')} ${UNITS[budget.metric]}`
  return `The budget "${budget.name}" (${budget.id}) of ${amount} ${rhythm} is used up${owner}.${next}`
}

/**
 * Returns the counts to which a consumer adds. A budget for one user or session replaces those for all of them with the
 * same metric and period.
 */
export function selectTargets(
  budgets: readonly store.BudgetRow[],
  { userId, sessionId }: Omit<Consumer, 'projectId'>,
  metric: BudgetMetric,
  nowMs: number,
): Applicable[] {
  const subjectIn = { project: '', user: userId, session: sessionId } as const
  const applicable = budgets.filter((budget) => {
    const subject = subjectIn[budget.scope]
    return budget.metric === metric && typeof subject === 'string' && (budget.subject ?? subject) === subject
  })
  const isReplaced = (budget: store.BudgetRow) =>
    budget.subject === null &&
    applicable.some(
      (other) => other.subject !== null && other.scope === budget.scope && other.period === budget.period,
    )
  return applicable
    .filter((budget) => !isReplaced(budget))
    .map((budget) => ({
      budget,
      budgetId: budget.id,
      subject: subjectIn[budget.scope] as string,
      periodStart: periodAt(budget.period, nowMs).start,
    }))
}
