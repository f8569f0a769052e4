import type { Schedule } from '../../platform/jobs/index.ts'
import { measure } from './measure.ts'
import { notify } from './notify.ts'
import type { AlertDeps } from './service.ts'
import { type AlertRuleRow, listDueRules, storeCheck } from './store.ts'

/** A run checks at most so many rules; the next run continues with those that wait for the longest time. */
const RULES_PER_RUN = 1_000
const CONCURRENCY = 8

export const alertSchedules = (deps: AlertDeps): readonly Schedule[] => [
  { task: 'alerts.check', cron: '* * * * *', run: () => checkRules(deps) },
]

async function checkRules(deps: AlertDeps): Promise<void> {
  const rules = await listDueRules(deps.db, RULES_PER_RUN)
  const check = async () => {
    for (let rule = rules.shift(); rule; rule = rules.shift()) await checkRule(deps, rule)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, check))
}

/** Notifies people of a change of the state. The state stays if that fails, so that the next run tries again. */
async function checkRule(deps: AlertDeps, rule: AlertRuleRow): Promise<void> {
  const at = deps.clock.now()
  const value = await measure(deps.db, rule, at)
  const isFiring = value >= rule.threshold
  const isChanged = isFiring !== (rule.firing_since !== null)
  const status = isFiring ? 'firing' : 'resolved'
  const error = isChanged ? await notify(deps, rule, { status, value, isTest: false, at }) : null
  await storeCheck(deps.db, rule, { value, isFiring, error })
}
