export * from './executions.ts'
export * from './internal.ts'
export * from './usage.ts'
export * from './metrics.ts'
