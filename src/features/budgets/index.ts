/** Budgets: how much projects, users and sessions may use, counted while they use it. */
export { type BudgetCache, createBudgetCache } from './budget-cache.ts'
export { countAllowedCalls } from './call-admission.ts'
export { type BudgetMeter, createBudgetMeter } from './meter.ts'
export { meterModel } from './metered-model.ts'
export { budgetsProjectRows } from './project-rows.ts'
export { budgetRoutes } from './routes.ts'
export { budgetSchedules } from './schedules.ts'
