import type { ToolExecution } from '../../../engine/index.ts'
import { isObject } from '../../../platform/json-object.ts'
import type { TemplateReader } from './compile-template.ts'
import type { RecipeProgram, RecipeStep } from './parse-program.ts'
import type { ResumePoint } from './stopped-runs.ts'

export interface RecipeOutcome {
  data: Record<string, unknown>
  error: string | null
  /** After a failure: what is completed. */
  stopped?: ResumePoint
}

/** Runs one call of a step. Throws if the call was not sent. */
export type CallTool = (
  tool: string,
  args: Record<string, unknown>,
  account: string | undefined,
  signal: AbortSignal,
) => Promise<ToolExecution>

const ITEMS_MAX = 100
const CALLS_PER_RUN_MAX = 200
const CONCURRENT_ITEMS = 5
/** Bytes of the results of all steps as JSON. */
const RESULT_BYTES_MAX = 20_000_000

/** `isRunLimit`: a limit of the whole run, which ends it even if the step may fail. */
class StepError extends Error {
  readonly isRunLimit: boolean
  readonly data: Readonly<Record<string, unknown>>
  constructor(
    message: string,
    {
      isRunLimit = false,
      data = {},
    }: { isRunLimit?: boolean; data?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message)
    this.isRunLimit = isRunLimit
    this.data = data
  }
}

/** The state of one run. `values`: the inputs and the results of the steps so far. */
interface RunState {
  readonly values: Record<string, unknown>
  readonly call: CallTool
  readonly signal: AbortSignal
  calls: number
  bytes: number
  /** Results of items of the step that runs. */
  items: Record<string, unknown>
}

const FROM_THE_FIRST_STEP: ResumePoint = { values: {}, items: {} }

/**
 * Runs the steps of a recipe in order. A failed step ends the run, unless it may fail. The effects of earlier steps
 * remain, and the result of a failed run lists the completed steps.
 * @param resumed what an earlier run completed; it is not repeated
 */
export async function runProgram(
  { steps, output }: RecipeProgram,
  inputs: Readonly<Record<string, unknown>>,
  call: CallTool,
  signal: AbortSignal,
  describeError: (error: unknown) => string,
  resumed: ResumePoint = FROM_THE_FIRST_STEP,
): Promise<RecipeOutcome> {
  const state: RunState = {
    values: { ...resumed.values, inputs },
    call,
    signal,
    calls: 0,
    bytes: 0,
    items: { ...resumed.items },
  }
  const completedSteps = steps.map(({ id }) => id).filter((id) => Object.hasOwn(resumed.values, id))
  for (const step of steps.slice(completedSteps.length)) {
    try {
      state.values[step.id] = await runStep(state, step)
      completedSteps.push(step.id)
      state.items = {}
    } catch (error) {
      signal.throwIfAborted()
      const reason = error instanceof StepError ? error.message : describeError(error)
      // If the call needs an approval, the caller of the recipe needs its id and URL.
      const { approval } = error instanceof StepError ? error.data : {}
      return {
        data: {
          completed_steps: completedSteps,
          failed_step: step.id,
          ...(approval === undefined ? {} : { approval }),
        },
        error: `Stopped at step "${step.id}" (${step.tool}): ${reason}`,
        stopped: {
          values: Object.fromEntries(completedSteps.map((id) => [id, state.values[id]])),
          items: state.items,
        },
      }
    }
  }
  try {
    const result = output ? (renderTemplate(output, state.values) ?? null) : state.values[steps.at(-1)!.id]
    return { data: isObject(result) ? result : { result }, error: null }
  } catch (error) {
    return {
      data: { completed_steps: completedSteps },
      error: `The output of the recipe failed: ${(error as Error).message}`,
    }
  }
}

async function runStep(state: RunState, step: RecipeStep): Promise<unknown> {
  if (step.forEach) return runForEach(state, step, renderTemplate(step.forEach, state.values))
  if (step.when && !isTruthy(renderTemplate(step.when, state.values))) return null
  return runCall(state, step, state.values).catch((error: unknown) => ignoreFailure(state, step, error))
}

/** Returns null for the failure of a step that may fail, else throws it. */
function ignoreFailure({ signal }: RunState, { mayFail }: RecipeStep, error: unknown): null {
  if (mayFail && !signal.aborted && !(error instanceof StepError && error.isRunLimit)) return null
  throw error
}

async function runCall(
  state: RunState,
  { tool, arguments: template, account }: RecipeStep,
  values: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  if (++state.calls > CALLS_PER_RUN_MAX)
    throw new StepError(`a recipe may make ${CALLS_PER_RUN_MAX} calls`, { isRunLimit: true })
  state.signal.throwIfAborted()
  // The engine adds defaults to the arguments, which must not change the values of later steps.
  const args = structuredClone(renderTemplate(template, values))
  const { data, error, successful } = await state.call(
    tool,
    isObject(args) ? args : {},
    account,
    state.signal,
  )
  if (!successful) throw new StepError(error ?? 'the tool failed', { data })
  state.bytes += Buffer.byteLength(JSON.stringify(data))
  if (state.bytes > RESULT_BYTES_MAX)
    throw new StepError(`its steps returned more than ${RESULT_BYTES_MAX / 1_000_000} MB`, {
      isRunLimit: true,
    })
  return data
}

/** Runs a step for each item, a few at a time. Returns the results in the order of the items. */
async function runForEach(state: RunState, step: RecipeStep, list: unknown): Promise<unknown[]> {
  if (!Array.isArray(list)) throw new StepError('for_each is not a list')
  if (list.length > ITEMS_MAX)
    throw new StepError(`for_each has ${list.length} items; at most ${ITEMS_MAX} are allowed`)
  const results: unknown[] = list.map(() => null)
  let next = 0
  const worker = async (): Promise<void> => {
    for (let at = next++; at < list.length; at = next++) {
      if (Object.hasOwn(state.items, String(at))) {
        results[at] = state.items[at]
        continue
      }
      const values = { ...state.values, item: list[at] }
      if (step.when && !isTruthy(renderTemplate(step.when, values))) continue
      results[at] = await runCall(state, step, values).catch((error: unknown) =>
        ignoreFailure(state, step, error),
      )
      state.items[at] = results[at]
    }
  }
  const running = Array.from({ length: Math.min(CONCURRENT_ITEMS, list.length) }, worker)
  // After a failure no further item starts, and nothing continues after the result is returned.
  await Promise.all(running).catch(async (error: unknown) => {
    next = list.length
    await Promise.allSettled(running)
    throw error
  })
  return results
}

function renderTemplate(template: TemplateReader, values: Readonly<Record<string, unknown>>): unknown {
  try {
    return template(values)
  } catch (error) {
    throw new StepError(`a value could not be computed: ${(error as Error).message}`)
  }
}

const isTruthy = (value: unknown): boolean => Boolean(value) && !(Array.isArray(value) && !value.length)
