export { executionLog } from './execution-log.ts'
export { removeOldExecutions } from './retention.ts'
export { logRoutes } from './routes.ts'
