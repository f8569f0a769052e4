import { finish, type Finished, UNCHANGED, type Unchanged } from '../../platform/pipeline.ts'
import type { ToolResult } from '../types.ts'
import type { HasFilledArguments } from './context.ts'

/** Ends a call with wrong arguments. This is a result, not an error, so that a model can correct its call. */
export function validateArguments({ argumentsError }: HasFilledArguments): Unchanged | Finished<ToolResult> {
  return argumentsError ? finish(argumentsError) : UNCHANGED
}
