import type { ToolExecution } from '../../../engine/index.ts'
import type { RecipeProgram, TemplateReader, RecipeStep } from './parse-program.ts'

export interface RecipeOutcome {
  data: Record<string, unknown>
  error: string | null
}

/** Runs one call of a step. @throws what a call that never reached its application throws */
export type CallTool = (
  tool: string,
  args: Record<string, unknown>,
  account: string | undefined,
  signal: AbortSignal,
) => Promise<ToolExecution>

const ITEMS_MAX = 100
const CALLS_PER_RUN_MAX = 200
const CONCURRENT_ITEMS = 5
/** Of everything that the steps answer, as JSON. */
const RESULT_BYTES_MAX = 20_000_000

/** `isBound`: a bound of the whole run, which is no failure that a step may have. */
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

/** Runs the steps of a recipe one after the other. A step that fails ends it, unless it may fail; what was done before stays done, and the outcome tells which steps those are. */
export async function runProgram(
  { steps, output }: RecipeProgram,
  inputs: Readonly<Record<string, unknown>>,
  call: CallTool,
  signal: AbortSignal,
  describeError: (error: unknown) => string,
): Promise<RecipeOutcome> {
  const values: Record<string, unknown> = { inputs }
  const completedSteps: string[] = []
  let calls = 0
  let bytes = 0

  async function runStepOnce(
    { tool, arguments: template, account }: RecipeStep,
    scope: Readonly<Record<string, unknown>>,
  ): Promise<unknown> {
    if (++calls > CALLS_PER_RUN_MAX)
      throw new StepError(`a recipe may make ${CALLS_PER_RUN_MAX} calls`, { isRunLimit: true })
    signal.throwIfAborted()
    // What a call fills in, such as defaults, must not become a value of later steps.
    const args = structuredClone(renderTemplate(template, scope))
    const { data, error, successful } = await call(tool, isObject(args) ? args : {}, account, signal)
    if (!successful) throw new StepError(error ?? 'the tool failed', { data })
    bytes += Buffer.byteLength(JSON.stringify(data))
    if (bytes > RESULT_BYTES_MAX)
      throw new StepError(`its steps answered more than ${RESULT_BYTES_MAX / 1_000_000} MB`, {
        isRunLimit: true,
      })
    return data
  }

  /** Answers of items in their order; a few at a time. */
  async function runForEach(step: RecipeStep, list: unknown): Promise<unknown[]> {
    if (!Array.isArray(list)) throw new StepError('for_each is no list')
    if (list.length > ITEMS_MAX)
      throw new StepError(`for_each has ${list.length} items; it may have ${ITEMS_MAX}`)
    const results: unknown[] = new Array(list.length).fill(null)
    let next = 0
    const worker = async (): Promise<void> => {
      for (let at = next++; at < list.length; at = next++) {
        const scope = { ...values, item: list[at] }
        if (step.when && !isTruthy(renderTemplate(step.when, scope))) continue
        results[at] = await runStepOnce(step, scope).catch(orNull(step))
      }
    }
    const running = Array.from({ length: Math.min(CONCURRENT_ITEMS, list.length) }, worker)
    // After a failure no further item begins, and nothing goes on behind the answer.
    await Promise.all(running).catch(async (error: unknown) => {
      next = list.length
      await Promise.allSettled(running)
      throw error
    })
    return results
  }

  const orNull =
    ({ mayFail }: RecipeStep) =>
    (error: unknown): null => {
      if (mayFail && !signal.aborted && !(error instanceof StepError && error.isRunLimit)) return null
      throw error
    }

  for (const step of steps) {
    try {
      if (!step.forEach && step.when && !isTruthy(renderTemplate(step.when, values))) values[step.id] = null
      else
        values[step.id] = step.forEach
          ? await runForEach(step, renderTemplate(step.forEach, values))
          : await runStepOnce(step, values).catch(orNull(step))
      completedSteps.push(step.id)
    } catch (error) {
      signal.throwIfAborted()
      const reason = error instanceof StepError ? error.message : describeError(error)
      // Where the call waits for a person, whoever runs the recipe has to hear of whom and where.
      const { approval } = error instanceof StepError ? error.data : {}
      return {
        data: {
          completed_steps: completedSteps,
          failed_step: step.id,
          ...(approval === undefined ? {} : { approval }),
        },
        error: `Stopped at step "${step.id}" (${step.tool}): ${reason}`,
      }
    }
  }
  try {
    const result = output ? (renderTemplate(output, values) ?? null) : values[steps.at(-1)!.id]
    return { data: isObject(result) ? result : { result }, error: null }
  } catch (error) {
    return {
      data: { completed_steps: completedSteps },
      error: `Its output failed: ${(error as Error).message}`,
    }
  }
}

function renderTemplate(template: TemplateReader, values: Readonly<Record<string, unknown>>): unknown {
  try {
    return template(values)
  } catch (error) {
    throw new StepError(`a value could not be made: ${(error as Error).message}`)
  }
}

const isTruthy = (value: unknown): boolean => Boolean(value) && !(Array.isArray(value) && !value.length)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
