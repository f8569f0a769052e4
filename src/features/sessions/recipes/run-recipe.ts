import { LRUCache } from 'lru-cache'
import type { CheckArguments, ExecutionRow, ToolExecution, ToolInput } from '../../../engine/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import { toApiError } from '../../../platform/http/server/api-errors.ts'
import { newId } from '../../../platform/ids.ts'
import type { SessionScope, ToolCallOptions } from '../scope/scope.ts'
import { runProgram } from './run-program.ts'
import type { RecipeTool } from './service.ts'

export interface RunRecipeDeps {
  clock: Clock
  read: CheckArguments
  record(row: ExecutionRow): Promise<void>
}
export type RunRecipe = (
  scope: SessionScope,
  recipe: RecipeTool,
  inputs: Record<string, unknown>,
  options: ToolCallOptions,
) => Promise<ToolExecution>

const TOOL_INPUTS_MAX = 500
const ERROR_CHARACTERS_MAX = 2_000
const PAYLOAD_CHARACTERS_MAX = 32_000
const NO_LIMITS = { argumentsBytes: undefined, responseBytes: undefined, bucket: undefined }

/**
 * Creates the function that runs the steps of a recipe within a session. Each step is a normal tool call, logged under
 * the log id of the run. Invalid inputs are a result with an error.
 */
export function createRunRecipe({ clock, read, record }: RunRecipeDeps): RunRecipe {
  const toolInputs = new LRUCache<string, ToolInput>({ max: TOOL_INPUTS_MAX })
  const inputOf = (recipe: RecipeTool): ToolInput => {
    let input = toolInputs.get(recipe.versionId)
    if (!input)
      toolInputs.set(
        recipe.versionId,
        (input = { slug: recipe.slug, input: recipe.input, limits: NO_LIMITS }),
      )
    return input
  }
  return async (scope, recipe, inputs, { signal, parentLogId }) => {
    const [logId, startedAt] = [newId('log'), clock.now()]
    const invalidInputs = read({ tool: inputOf(recipe) }, inputs)
    const { data, error } = invalidInputs
      ? { data: {}, error: invalidInputs.error }
      : await runProgram(
          recipe.program,
          inputs,
          (tool, args, account, stepSignal) =>
            scope.execute(tool, args, { account, signal: stepSignal, parentLogId: logId }),
          signal,
          describeError,
        )
    const row = executionRow(scope, recipe, {
      logId,
      parentLogId,
      startedAt,
      durationMs: Math.max(0, clock.now() - startedAt),
      error,
      payload: { arguments: inputs, data },
    })
    await record(row).catch((thrown: unknown) =>
      scope.caller.log.error({ err: thrown, log_id: logId }, 'the log row of a recipe was not written'),
    )
    return { data, error, successful: error === null, logId }
  }
}

interface RunSummary {
  logId: string
  parentLogId: string | undefined
  startedAt: number
  durationMs: number
  error: string | null
  payload: { arguments: unknown; data: unknown }
}

/** Builds the log row of the run. The steps have rows of their own. */
function executionRow(
  { projectId, sessionId, userId, caller: { requestId, source, settings } }: SessionScope,
  { slug, version }: RecipeTool,
  { logId, parentLogId, error, payload, ...times }: RunSummary,
): ExecutionRow {
  return {
    id: logId,
    projectId,
    toolSlug: slug,
    toolkitSlug: 'service',
    version: String(version),
    effect: 'read',
    dryRun: false,
    userId,
    connectedAccountId: null,
    authConfigId: null,
    sessionId,
    sandboxId: null,
    parentId: parentLogId ?? null,
    requestId,
    source,
    timings: {},
    requests: 0,
    requestBytes: 0,
    responseBytes: 0,
    successful: error === null,
    statusCode: null,
    error: error?.slice(0, ERROR_CHARACTERS_MAX) ?? null,
    ...times,
    payload: settings.storePayloads ? payloadText(payload) : null,
  }
}

function payloadText(payload: RunSummary['payload']): string {
  const text = JSON.stringify(payload)
  return text.length <= PAYLOAD_CHARACTERS_MAX
    ? text
    : JSON.stringify({ arguments: { truncated: text.slice(0, PAYLOAD_CHARACTERS_MAX) } })
}

function describeError(error: unknown): string {
  const failure = toApiError(error)
  return [failure.message, ...failure.details].join(' ')
}
