export { engine, type Execute, type Executed } from './execute.ts'
export { probeCredentials } from './probe.ts'
export { upstreamError } from './steps/fresh-credentials.ts'
export type { Account, Accounts, Acl, EngineDeps, Execution, ExecutionRow } from './types.ts'
