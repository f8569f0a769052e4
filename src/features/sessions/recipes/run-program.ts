import type { ToolExecution } from '../../../engine/index.ts'
import type { Program, Read, Step } from './parse-program.ts'

export interface Outcome {
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
const CALLS_MAX = 200
const AT_ONCE = 5
/** Of everything that the steps answer, as JSON. */
const BYTES_MAX = 20_000_000

/** `isBound`: a bound of the whole run, which is no failure that a step may have. */
class Stopped extends Error {
  readonly isBound: boolean
  readonly data: Readonly<Record<string, unknown>>
  constructor(
    message: string,
    { isBound = false, data = {} }: { isBound?: boolean; data?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message)
    this.isBound = isBound
    this.data = data
  }
}

/** Runs the steps of a recipe one after the other. A step that fails ends it, unless it may fail; what was done before stays done, and the outcome tells which steps those are. */
export async function runProgram(
  { steps, output }: Program,
  inputs: Readonly<Record<string, unknown>>,
  call: CallTool,
  signal: AbortSignal,
  tellError: (error: unknown) => string,
): Promise<Outcome> {
  const values: Record<string, unknown> = { inputs }
  const done: string[] = []
  let calls = 0
  let bytes = 0

  async function one(
    { tool, arguments: args, account }: Step,
    scope: Readonly<Record<string, unknown>>,
  ): Promise<unknown> {
    if (++calls > CALLS_MAX) throw new Stopped(`a recipe may make ${CALLS_MAX} calls`, { isBound: true })
    signal.throwIfAborted()
    // What a call fills in, such as defaults, must not become a value of later steps.
    const given = structuredClone(read(args, scope))
    const { data, error, successful } = await call(tool, isObject(given) ? given : {}, account, signal)
    if (!successful) throw new Stopped(error ?? 'the tool failed', { data })
    bytes += Buffer.byteLength(JSON.stringify(data))
    if (bytes > BYTES_MAX)
      throw new Stopped(`its steps answered more than ${BYTES_MAX / 1_000_000} MB`, { isBound: true })
    return data
  }

  /** Answers of items in their order; a few at a time. */
  async function each(step: Step, list: unknown): Promise<unknown[]> {
    if (!Array.isArray(list)) throw new Stopped('for_each is no list')
    if (list.length > ITEMS_MAX)
      throw new Stopped(`for_each has ${list.length} items; it may have ${ITEMS_MAX}`)
    const answers: unknown[] = new Array(list.length).fill(null)
    let next = 0
    const worker = async (): Promise<void> => {
      for (let at = next++; at < list.length; at = next++) {
        const scope = { ...values, item: list[at] }
        if (step.when && !isTrue(read(step.when, scope))) continue
        answers[at] = await one(step, scope).catch(orNull(step))
      }
    }
    const running = Array.from({ length: Math.min(AT_ONCE, list.length) }, worker)
    // After a failure no further item begins, and nothing goes on behind the answer.
    await Promise.all(running).catch(async (error: unknown) => {
      next = list.length
      await Promise.allSettled(running)
      throw error
    })
    return answers
  }

  const orNull =
    ({ mayFail }: Step) =>
    (error: unknown): null => {
      if (mayFail && !signal.aborted && !(error instanceof Stopped && error.isBound)) return null
      throw error
    }

  for (const step of steps) {
    try {
      if (!step.forEach && step.when && !isTrue(read(step.when, values))) values[step.id] = null
      else
        values[step.id] = step.forEach
          ? await each(step, read(step.forEach, values))
          : await one(step, values).catch(orNull(step))
      done.push(step.id)
    } catch (error) {
      signal.throwIfAborted()
      const reason = error instanceof Stopped ? error.message : tellError(error)
      // Where the call waits for a person, whoever runs the recipe has to hear of whom and where.
      const { approval } = error instanceof Stopped ? error.data : {}
      return {
        data: {
          completed_steps: done,
          failed_step: step.id,
          ...(approval === undefined ? {} : { approval }),
        },
        error: `Stopped at step "${step.id}" (${step.tool}): ${reason}`,
      }
    }
  }
  try {
    const result = output ? (read(output, values) ?? null) : values[steps.at(-1)!.id]
    return { data: isObject(result) ? result : { result }, error: null }
  } catch (error) {
    return { data: { completed_steps: done }, error: `Its output failed: ${(error as Error).message}` }
  }
}

function read(template: Read, values: Readonly<Record<string, unknown>>): unknown {
  try {
    return template(values)
  } catch (error) {
    throw new Stopped(`a value could not be made: ${(error as Error).message}`)
  }
}

const isTrue = (value: unknown): boolean => Boolean(value) && !(Array.isArray(value) && !value.length)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
