export { executionLog } from './execution-log.ts'
export { logSchedules } from './schedules.ts'
export { logRoutes } from './routes.ts'
