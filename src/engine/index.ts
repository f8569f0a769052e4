export { engine, type Execute, type Executed } from './execute.ts'
export { type Answered, askApplication } from './probe.ts'
export { upstreamError } from './steps/fresh-credentials.ts'
export type { Account, Accounts, Acl, EngineDeps, Execution, ExecutionRow } from './types.ts'
