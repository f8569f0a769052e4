import {
  checkArguments,
  copyArguments,
  copyArgumentsInPieces,
  readsAllArguments,
} from '../arguments/check-arguments.ts'
import { generateArguments, requireModel } from '../arguments/arguments-from-text.ts'
import { timed } from '../execution-log/call-trace.ts'
import { acceptsFiles } from '../files/argument-files.ts'
import { failedResult } from '../http/tool-result.ts'
import { parseInSlices } from '../../platform/http/turns/parse-in-slices.ts'
import { runInSlices } from '../../platform/http/turns/run-in-slices.ts'
import { isLongJson } from '../../platform/json-beginning.ts'
import { isPartlyUnparsed, parseAllMembers, parseCheckedMembers } from '../../platform/json-outline/index.ts'
import { UNCHANGED, type Unchanged } from '../../platform/pipeline.ts'
import type { CallStart, HasConnection, HasFilledArguments, HasTool, MayBeLong, StepDeps } from './context.ts'

/** Rejects a call with text if no language model is configured. */
export function requireModelForText({ call }: CallStart, { model }: StepDeps): Unchanged {
  if (call.text !== undefined) requireModel(model)
  return UNCHANGED
}

/** Longer arguments are copied in slices, so that the process handles other requests meanwhile. */
const COPIED_AT_ONCE_MAX = 65_536

/** Adds the arguments of the call with the defaults of the tool, or those that a model derives from the text. */
export function fillArguments(
  context: CallStart & HasTool,
  deps: StepDeps,
): HasFilledArguments | Promise<HasFilledArguments & MayBeLong> {
  const { arguments: args, ownsArguments } = context.call
  if (!isLongJson(args, COPIED_AT_ONCE_MAX)) return fillCopy(context, deps, copyArguments(args))
  return fillLong(context, deps, ownsArguments ? args : copyLong(args))
}

/** A copy reads all properties, so those that have not been parsed are parsed before. */
const copyLong = async (args: unknown): Promise<unknown> =>
  runInSlices(copyArgumentsInPieces(await parseInSlices(args)))

async function fillLong(
  context: CallStart & HasTool,
  deps: StepDeps,
  copy: unknown,
): Promise<HasFilledArguments & MayBeLong> {
  const args = await copy
  if (isPartlyUnparsed(args)) await runInSlices(parseNeeded(context, deps, args))
  return { ...(await fillCopy(context, deps, args)), hasLongArguments: true }
}

/** Parses the arguments that the call reads. A tool that sends them in a JSON body as they are needs no others. */
function* parseNeeded(
  { call, resolvedTool: { tool }, connection }: CallStart & HasTool & Partial<HasConnection>,
  { recordings }: StepDeps,
  args: Record<string, unknown>,
): Generator<void, void> {
  const { request } = tool
  const isSentAsItIs =
    request?.bodyType === 'json' &&
    !tool.mcp &&
    !tool.code &&
    !tool.idempotencyKey &&
    !acceptsFiles(tool) &&
    !readsAllArguments(tool) &&
    !recordings &&
    !call.parent &&
    !call.dryRun &&
    !call.paging &&
    !call.customAuth &&
    !(connection && 'context' in connection && connection.context.scheme.body.length > 0) &&
    call.text === undefined
  if (!isSentAsItIs) return yield* parseAllMembers(args)
  for (const name of request.textArguments) yield* parseAllMembers(args, name)
  yield* parseCheckedMembers(args, tool.input)
}

function fillCopy(
  { call, resolvedTool, trace }: CallStart & HasTool,
  { model }: StepDeps,
  copy: unknown,
): HasFilledArguments | Promise<HasFilledArguments> {
  const args = copy as Record<string, unknown>
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
