export { executionLog } from './execution-log.ts'
export { removeOldExecutions } from './retention.ts'
