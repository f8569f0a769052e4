import { createCache } from '../../../platform/cache.ts'
import type { CheckArguments, ExecutionRow, ToolExecution, ToolInput } from '../../../engine/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import { toApiError } from '../../../platform/http/server/api-errors.ts'
import { newLogId } from '../../../platform/ids.ts'
import { executionRow } from '../execution-row.ts'
import type { SessionScope, ToolCallOptions } from '../scope/scope.ts'
import { runPythonRecipe, type RunPythonCell } from './python.ts'
import { type RecipeOutcome, runProgram } from './run-program.ts'
import type { ResumePoint, StoppedRuns } from './stopped-runs.ts'
import type { RecipeTool } from './service.ts'

export interface RunRecipeDeps {
  clock: Clock
  read: CheckArguments
  record(row: ExecutionRow): Promise<void>
  /** Undefined: no code can be run on this server. */
  runPython?: RunPythonCell | undefined
}
export type RunRecipe = (
  scope: SessionScope,
  recipe: RecipeTool,
  inputs: Record<string, unknown>,
  options: ToolCallOptions,
) => Promise<ToolExecution>

const TOOL_INPUTS_MAX = 500
const PAYLOAD_CHARACTERS_MAX = 32_000
const NO_LIMITS = { argumentsBytes: undefined, responseBytes: undefined, bucket: undefined }

/** The argument with which a run continues that stopped. A recipe whose inputs have this name cannot be continued. */
const RESUME_ARGUMENT = 'resume_run_id'
const FROM_THE_FIRST_STEP: ResumePoint = { values: {}, items: {} }

/**
 * Creates the function that runs a recipe within a session. Each step is a normal tool call, logged under the log id of
 * the run. Invalid inputs are a result with an error. A run that stops can be continued from the step that failed.
 */
export function createRunRecipe(deps: RunRecipeDeps & { stoppedRuns: StoppedRuns }): RunRecipe {
  const { clock, read, record } = deps
  const toolInputs = createCache<string, ToolInput>({ max: TOOL_INPUTS_MAX })
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
    const [logId, startedAt] = [newLogId(), clock.now()]
    const { data, error } = await runOrResume(
      deps,
      scope,
      recipe,
      inputs,
      { signal, logId },
      (args) => read({ tool: inputOf(recipe) }, args)?.error,
    )
    const row = executionRow(scope, {
      id: logId,
      parentId: parentLogId,
      toolSlug: recipe.slug,
      version: String(recipe.version),
      startedAt,
      durationMs: Math.max(0, clock.now() - startedAt),
      error,
      payload: scope.caller.settings.storePayloads ? payloadText({ arguments: inputs, data }) : null,
    })
    await record(row).catch((thrown: unknown) =>
      scope.caller.log.error({ err: thrown, log_id: logId }, 'the log row of a recipe was not written'),
    )
    return { data, error, successful: error === null, logId }
  }
}

/** Runs a recipe from its first step, or from the one at which the run stopped that the inputs name. */
async function runOrResume(
  deps: RunRecipeDeps & { stoppedRuns: StoppedRuns },
  scope: SessionScope,
  recipe: RecipeTool,
  args: Record<string, unknown>,
  call: { signal: AbortSignal; logId: string },
  findProblem: (args: Record<string, unknown>) => string | null | undefined,
): Promise<RecipeOutcome> {
  const key = { projectId: scope.projectId, sessionId: scope.sessionId, versionId: recipe.versionId }
  const runId = readResumeId(recipe, args)
  const stopped = runId === undefined ? undefined : await deps.stoppedRuns.claim(key, runId)
  if (runId !== undefined && !stopped)
    return {
      data: {},
      error:
        `${RESUME_ARGUMENT} ${runId.slice(0, 100)} is not a stopped run of this session and version of ` +
        `${recipe.slug}, or it was continued already. Run the recipe again with its inputs.`,
    }
  const problem = stopped ? undefined : findProblem(args)
  if (problem) return { data: {}, error: problem }
  const inputs = stopped?.inputs ?? args
  const outcome = await runFrom(deps, scope, recipe, inputs, call, stopped ?? FROM_THE_FIRST_STEP)
  if (!outcome.stopped || !scope.caller.settings.storePayloads) return outcome
  const stoppedId = await deps.stoppedRuns
    .store(key, { ...outcome.stopped, inputs })
    .catch((thrown: unknown) => {
      scope.caller.log.error({ err: thrown, log_id: call.logId }, 'a stopped run of a recipe was not stored')
      return undefined
    })
  return stoppedId === undefined ? outcome : withRunId(recipe, outcome, stoppedId)
}

function runFrom(
  { runPython }: RunRecipeDeps,
  scope: SessionScope,
  { program }: RecipeTool,
  inputs: Readonly<Record<string, unknown>>,
  { signal, logId }: { signal: AbortSignal; logId: string },
  from: ResumePoint,
): Promise<RecipeOutcome> {
  if (program.python !== undefined)
    return runPythonRecipe(runPython, scope, program, inputs, from, { signal, logId })
  return runProgram(
    program,
    inputs,
    (tool, args, account, stepSignal) =>
      scope.execute(tool, args, { account, signal: stepSignal, parentLogId: logId }),
    signal,
    describeError,
    from,
  )
}

function readResumeId({ input }: RecipeTool, args: Record<string, unknown>): string | undefined {
  const { properties = {} } = input as { properties?: Record<string, unknown> }
  const id = Object.hasOwn(properties, RESUME_ARGUMENT) ? undefined : args[RESUME_ARGUMENT]
  return typeof id === 'string' ? id : undefined
}

const withRunId = ({ slug }: RecipeTool, outcome: RecipeOutcome, id: string): RecipeOutcome => ({
  ...outcome,
  data: {
    ...outcome.data,
    run_id: id,
    next_step: `Remove the cause, then call ${slug} with {"${RESUME_ARGUMENT}": "${id}"} to continue at this step.`,
  },
})

function payloadText(payload: { arguments: unknown; data: unknown }): string {
  const text = JSON.stringify(payload)
  return text.length <= PAYLOAD_CHARACTERS_MAX
    ? text
    : JSON.stringify({ arguments: { truncated: text.slice(0, PAYLOAD_CHARACTERS_MAX) } })
}

function describeError(error: unknown): string {
  const failure = toApiError(error)
  return [failure.message, ...failure.details].join(' ')
}
