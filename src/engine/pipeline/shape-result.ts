import { finish, type Finished, UNCHANGED, type Unchanged } from '../../platform/pipeline.ts'
import { JsonBytes, jsonSourceOf, JsonText, rememberJsonSource } from '../../platform/json-source.ts'
import { storeResultFiles, withDeclaredFile } from '../files/result-files.ts'
import { toToolResult } from '../http/tool-result.ts'
import type { ResolvedTool, ToolResult } from '../types.ts'
import type { CallStart, HasArguments, HasResponse, HasResult, HasTool, StepDeps } from './context.ts'

/** Makes the result of the response. A failure ends here. */
export function shapeResult({
  resolvedTool,
  response,
}: HasTool & HasResponse): HasResult | Finished<ToolResult> {
  const result = toToolResult(resolvedTool, response)
  if (!result.successful) return finish(result)
  // An unchanged body is sent to the caller as it arrived.
  const { body, text, isUnparsed, reply } = response
  if (result.data === body && reply) {
    if (isUnparsed) rememberJsonSource(result.data, new JsonBytes(reply.body))
    else if (text !== undefined) rememberJsonSource(result.data, new JsonText(text, reply.body))
  }
  return { result }
}

/** Stores the files of the result and puts their URLs into it. */
export function saveResultFiles(
  context: CallStart & HasTool & HasArguments & HasResponse & HasResult,
  deps: StepDeps,
): Unchanged | HasResult | Promise<HasResult> {
  const { resolvedTool, response, call } = context
  const result = withDeclaredFile(resolvedTool, context.arguments, context.result, response)
  // JSON contains no files, and reading its long properties would parse them.
  if (jsonSourceOf(result.data)) return UNCHANGED
  const stored = storeResultFiles(deps.files, call, resolvedTool, result)
  if (stored) return stored.then((withUrls) => ({ result: withUrls }))
  return result === context.result ? UNCHANGED : { result }
}

/** Renames properties, and leaves out noise if the call asks for that. */
export function tidyResult(context: HasTool & HasArguments & HasResult): ToolResult {
  return tidied(context.resolvedTool, context.arguments, context.result)
}

export function tidied(
  { tool: { response } }: ResolvedTool,
  args: Readonly<Record<string, unknown>>,
  result: ToolResult,
): ToolResult {
  return result.successful && response.tidy ? { ...result, data: response.tidy(result.data, args) } : result
}
