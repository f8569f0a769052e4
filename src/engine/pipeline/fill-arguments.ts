import { checkArguments, copyJson } from '../arguments/check-arguments.ts'
import { generateArguments, requireModel } from '../arguments/arguments-from-text.ts'
import { timed } from '../execution-log/call-trace.ts'
import { failedResult } from '../http/tool-result.ts'
import { UNCHANGED, type Unchanged } from '../../platform/pipeline.ts'
import type { CallStart, HasFilledArguments, HasTool, StepDeps } from './context.ts'

/** Rejects a call with text if no language model is configured. */
export function requireModelForText({ call }: CallStart, { model }: StepDeps): Unchanged {
  if (call.text !== undefined) requireModel(model)
  return UNCHANGED
}

/** Adds the arguments of the call with the defaults of the tool, or those that a model derives from the text. */
export function fillArguments(
  { call, resolvedTool, trace }: CallStart & HasTool,
  { model }: StepDeps,
): HasFilledArguments | Promise<HasFilledArguments> {
  const args = copyJson(call.arguments) as Record<string, unknown>
  const { text, signal, projectId, userId } = call
  if (text === undefined) return { arguments: args, argumentsError: checkArguments(resolvedTool, args) }
  const caller = { projectId, userId, sessionId: call.parent?.sessionId }
  return timed(trace, 'model', generateArguments(model, resolvedTool, { ...text, caller }, signal)).then(
    (generated) => {
      if ('error' in generated)
        return { arguments: args, argumentsError: failedResult(null, generated.error) }
      const filled = { ...args, ...generated.arguments }
      return { arguments: filled, argumentsError: checkArguments(resolvedTool, filled) }
    },
  )
}
