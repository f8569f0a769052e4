import { finish, type Finished, UNCHANGED, type Unchanged } from '../../platform/pipeline.ts'
import type { ToolConnection, ToolResult } from '../types.ts'
import type { CallStart, HasArguments, HasConnection, HasTool, MayHaveRecorder, StepDeps } from './context.ts'

const NO_CONNECTION: ToolConnection = { kind: 'none' }

/** Starts the recording of the call, if the process records calls. */
export function startRecording({ call }: CallStart, { recordings }: StepDeps): MayHaveRecorder | Unchanged {
  return recordings?.startRecording ? { recorder: recordings.startRecording(call) } : UNCHANGED
}

/** Saves the recording of the call with its outcome. */
export function saveRecording(
  context: CallStart & HasTool & MayHaveRecorder & Partial<HasConnection & HasArguments>,
  _deps: StepDeps,
  result: ToolResult,
): ToolResult {
  const { call, recorder, resolvedTool, connection = NO_CONNECTION } = context
  recorder?.finish(resolvedTool, context.arguments ?? call.arguments, connection, result)
  return result
}

/** Ends the call with its recorded result, if the process replays a recording. */
export function replayRecording(
  context: HasTool & HasArguments,
  { recordings }: StepDeps,
): Unchanged | Finished<ToolResult> {
  if (!recordings?.replayResult) return UNCHANGED
  return finish(recordings.replayResult(context.resolvedTool, context.arguments))
}
