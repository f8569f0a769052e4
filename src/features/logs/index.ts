export { createLogWriter } from './log-writer.ts'
export { logRoutes } from './routes.ts'
export { logSchedules } from './schedules.ts'
