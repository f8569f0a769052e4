export {
  bodyOf,
  bytesOf,
  cassetteText,
  keyOf,
  readCassette,
  recorder,
  redacted,
  redactedArguments,
  replayer,
  type Take,
  type TakenBody,
  type TakenExchange,
  type Tape,
  watched,
} from './recording/index.ts'
export { engine, type Execute, type Executed } from './execute.ts'
export { BASE64_BYTES_MAX } from './pipeline/proxy-bytes.ts'
export { type Input, inputEngine } from './input.ts'
export { type Proxy, PROXY_SLUG, proxyEngine, proxyTool } from './proxy.ts'
export { type Choice, type Completed, completeConnection, namedChoices } from './post-connect.ts'
export { type Answered, askApplication } from './probe.ts'
export { argumentReader, type Described, type ReadArguments } from './pipeline/read-arguments.ts'
export { upstreamError } from './pipeline/fresh-credentials.ts'
export {
  type TriggerAnswer,
  type TriggerAsk,
  triggerRequests,
  type TriggerRequests,
} from './trigger-requests.ts'
export { mistakesIn, valueChecks } from './pipeline/check-values.ts'
export { createTraffic, type Pauses, type Traffic } from './throttling/index.ts'
export type {
  Account,
  Accounts,
  Acl,
  EngineDeps,
  Execution,
  ExecutionRow,
  Files,
  Guard,
  GuardedCall,
  Held,
  Hooked,
  HookResult,
  Hooks,
  NewFile,
  ProxyCall,
  Result,
  SavedFile,
} from './types.ts'
