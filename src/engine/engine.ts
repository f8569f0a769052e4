import { bindToProject, type ProjectScoped } from '../catalog/index.ts'
import { traced } from '../platform/telemetry/index.ts'
import { generateArguments, type GeneratedArguments, type TaskText } from './arguments/arguments-from-text.ts'
import type { EngineDeps } from './dependencies.ts'
import { dryRunTool, executeTool } from './execute.ts'
import { type CallTrace, createTraceStarter } from './execution-log/call-trace.ts'
import { createMcpSessions } from './mcp/mcp-sessions.ts'
import { proxyAttributes, traceExecution } from './execution-log/call-spans.ts'
import type { StepDeps } from './pipeline/context.ts'
import { resolveTool } from './pipeline/find-tool.ts'
import { executeProxy } from './proxy.ts'
import { openTriggerRequests, type OpenTriggerRequests } from './trigger-request.ts'
import type { ProxyCall, ProxyResponse, ToolCall, ToolExecution, ToolResult } from './types.ts'

export type ExecuteTool = (call: ToolCall) => Promise<ToolExecution>
export type ExecuteProxy = (call: ProxyCall) => Promise<ProxyResponse>
/** Derives the arguments of a tool from a task in words, without running the tool. */
export type GenerateArguments = (
  call: Pick<ToolCall, 'projectId' | 'toolSlug' | 'version' | 'signal'>,
  task: TaskText,
) => Promise<GeneratedArguments>

export interface Engine {
  executeTool: ExecuteTool
  executeProxy: ExecuteProxy
  generateArguments: GenerateArguments
  openTriggerRequests: OpenTriggerRequests
}

/** Creates the engine, with the state that all its calls share. */
export function createEngine(shared: ProjectScoped<EngineDeps>): Engine {
  const startTrace = createTraceStarter(shared.clock)
  const stepDeps: ProjectScoped<StepDeps> = { ...shared, mcpSessions: createMcpSessions() }
  const depsFor = (projectId: string) => bindToProject<StepDeps>(stepDeps, projectId)

  /** Runs a call of a project. The bytes of its responses count in the budget of the process until it ends. */
  async function runCall<T>(
    projectId: string,
    run: (deps: StepDeps, trace: CallTrace) => Promise<T>,
  ): Promise<T> {
    const trace = startTrace()
    try {
      const deps = await depsFor(projectId)
      trace.lease = deps.egress.lease()
      return await run(deps, trace)
    } finally {
      trace.lease?.release()
    }
  }

  return {
    executeTool: (call) => {
      const logId = call.logId ?? shared.newLogId()
      const execute = () =>
        runCall(call.projectId, async (deps, trace) => {
          const run = call.dryRun ? dryRunTool : executeTool
          return toExecution(logId, await run({ call, logId, trace }, deps))
        })
      return shared.tracing ? traceExecution(shared.tracing, call, logId, execute) : execute()
    },
    executeProxy: (proxyCall) => {
      const logId = shared.newLogId()
      return traced(shared.tracing, 'proxy', { attributes: proxyAttributes(proxyCall, logId) }, () =>
        runCall(proxyCall.projectId, (deps, trace) => executeProxy({ proxyCall, logId, trace }, deps)),
      )
    },
    async generateArguments(call, task) {
      const { catalog, model } = await depsFor(call.projectId)
      return generateArguments(
        model,
        resolveTool(catalog, call),
        { ...task, caller: { projectId: call.projectId } },
        call.signal,
      )
    },
    async openTriggerRequests(trigger) {
      return openTriggerRequests(trigger, await depsFor(trigger.projectId))
    },
  }
}

function toExecution(logId: string, result: ToolResult): ToolExecution {
  const { data, error, successful, paging, session, isWithheld, blocked } = result
  return { data, error, successful, logId, paging, session, isWithheld, blocked }
}
