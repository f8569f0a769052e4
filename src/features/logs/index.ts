export { executionLog } from './execution-log.ts'
