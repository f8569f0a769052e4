import type { Tracing } from '../../platform/telemetry/index.ts'
import type { ProxyCall, ToolCall, ToolExecution } from '../types.ts'

/**
 * Records a tool call as a span, with the names of the semantic conventions for generative AI ("Execute tool span").
 * User ids are left out: they are often email addresses.
 */
export function traceExecution(
  tracing: Tracing,
  call: ToolCall,
  logId: string,
  execute: () => Promise<ToolExecution>,
): Promise<ToolExecution> {
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': call.toolSlug,
    'patchbay.project_id': call.projectId,
    'patchbay.log_id': logId,
    'patchbay.request_id': call.requestId,
    'patchbay.session_id': call.parent?.sessionId,
  }
  return tracing.run(`execute_tool ${call.toolSlug}`, { attributes }, async (span) => {
    const execution = await execute()
    span.set({ 'patchbay.successful': execution.successful })
    if (!execution.successful) span.fail('tool_failed')
    return execution
  })
}

/** The attributes of a proxied request. Its URL is left out, because it may contain data. */
export const proxyAttributes = (call: ProxyCall, logId: string) => ({
  'http.request.method': call.method,
  'patchbay.project_id': call.projectId,
  'patchbay.log_id': logId,
  'patchbay.request_id': call.requestId,
})
