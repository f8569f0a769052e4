export { createCallCounter } from './calls-by-toolkit.ts'
export { countCallsOfUsers, type UserCalls } from './calls-by-user.ts'
export { createLogWriter } from './log-writer.ts'
export {
  busiestToolkits,
  type CallCount,
  countCalls,
  countCallsByStep,
  periodUntil,
  stepsOf,
} from './metrics.ts'
export { logRoutes } from './routes.ts'
export { logSchedules } from './schedules.ts'
export { removeUserLogs } from './store.ts'
export { createLogStreams } from './stream.ts'
export { createToolUses } from './tool-use.ts'
export { logsProjectRows } from './project-rows.ts'
export { logsUserRows } from './user-rows.ts'
