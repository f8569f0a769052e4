export { createEngine, type Engine } from './engine.ts'
export type { ExecuteProxy, ExecuteTool, GenerateArguments } from './engine.ts'
export type * from './dependencies.ts'
export type {
  CustomConnection,
  HookResult,
  PreparedCall,
  ProxyCall,
  ProxyResponse,
  ToolCall,
  ToolConnection,
  ToolExecution,
  ToolResult,
} from './types.ts'
export { checkArguments, type CheckArguments, type ToolInput } from './arguments/check-arguments.ts'
export { createSchemaValidators, describeSchemaErrors } from './arguments/schema-validators.ts'
export {
  describeChoices,
  type PostConnectChoice,
  type PostConnectOutcome,
  runPostConnectSteps,
} from './connect/post-connect.ts'
export { type ProbeResult, sendProbeRequest } from './connect/probe-request.ts'
export { BASE64_BYTES_MAX } from './files/proxy-body.ts'
export { createProxyTool, PROXY_SLUG } from './http/proxy-tool.ts'
export { checkShared } from './pipeline/choose-connection.ts'
export { toUpstreamError } from './pipeline/refresh-expiring-token.ts'
export * from './recording/index.ts'
export { type Cooldowns, createThrottling, type Throttling } from './throttling/index.ts'
export type { OpenTriggerRequests, SendTriggerRequest, TriggerResponse } from './trigger-request.ts'
