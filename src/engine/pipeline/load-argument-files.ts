import { acceptsFiles, withFileContents } from '../files/argument-files.ts'
import type { CallStart, HasArgumentFiles, HasArguments, HasTool, StepDeps } from './context.ts'

/** Loads the files of the arguments. The arguments themselves keep the keys of the files, for the log. */
export function loadArgumentFiles(
  context: CallStart & HasTool & HasArguments,
  { files }: StepDeps,
): HasArgumentFiles | Promise<HasArgumentFiles> {
  const { call, resolvedTool, arguments: args } = context
  if (!acceptsFiles(resolvedTool.tool)) return { sentArguments: args }
  return withFileContents(files, call.projectId, args, resolvedTool.tool).then((sentArguments) => ({
    sentArguments,
  }))
}
