import { finish, type Finished, UNCHANGED, type Unchanged } from '../../platform/pipeline.ts'
import { runCode } from '../code/run-code.ts'
import { type RunningTool, sendToolRequest } from '../tool-request.ts'
import type { ToolResult } from '../types.ts'
import type { HasArgumentFiles, StepDeps } from './context.ts'
import { tidied } from './shape-result.ts'

/** Runs a tool that is code and ends the call. Other tools continue. */
export function runCodeTool(
  context: RunningTool & HasArgumentFiles,
  deps: StepDeps,
): Unchanged | Promise<Finished<ToolResult>> {
  const { resolvedTool } = context
  if (!resolvedTool.tool.code) return UNCHANGED
  return runCode(context, deps, sendToolRequest).then((result) =>
    finish(tidied(resolvedTool, context.arguments, result)),
  )
}
