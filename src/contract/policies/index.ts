export * from './approvals.ts'
export * from './conditions.ts'
export * from './policies.ts'
export * from './session-decisions.ts'
