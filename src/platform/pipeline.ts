/** Ends a run early: the steps below are skipped and the caller receives `outcome`. */
export class Finished<Outcome> {
  readonly outcome: Outcome

  constructor(outcome: Outcome) {
    this.outcome = outcome
  }
}

export const finish = <Outcome>(outcome: Outcome): Finished<Outcome> => new Finished(outcome)

/**
 * Fields that a step adds or replaces. The two reserved names keep `Finished` and promises out of this type.
 */
type NewFields = object & { readonly outcome?: never; readonly then?: never }

/** Returned by a step that adds nothing. */
export interface Unchanged extends NewFields {}
export const UNCHANGED: Unchanged = Object.freeze({})

type Awaitable<Value> = Value | Promise<Value>

/** Describes how a run ended. Either `outcome` or `error` is present. */
export interface RunReport<Outcome> {
  readonly outcome?: Outcome
  readonly error?: unknown
}

/**
 * A list of steps. Each step receives a read-only context and returns the fields it adds, `UNCHANGED`, or
 * `finish(outcome)`. `Context` is the type of the fields that exist at this line of the list, so a step that
 * reads a field that no step above adds does not compile.
 *
 * `finally`, `mapOutcome` and `recover` apply to the steps below their line. Of several, the lowest runs
 * first. At run time their context also has the fields that the steps below have added so far.
 *
 * Every method returns a new list, so a list can be the beginning of several others.
 */
export interface Pipeline<Input, Context, Deps, Outcome> {
  step<Added extends NewFields>(
    run: (context: Context, deps: Deps) => Awaitable<Added | Finished<Outcome>>,
  ): Pipeline<Input, Context & Added, Deps, Outcome>

  /** Runs `run` once at the end, for every outcome and every error of the steps below this line. */
  finally(
    run: (context: Context, deps: Deps, report: RunReport<Outcome>) => Awaitable<void>,
  ): Pipeline<Input, Context, Deps, Outcome>

  /** Replaces each outcome of the steps below this line, early ones included. */
  mapOutcome(
    run: (context: Context, deps: Deps, outcome: Outcome) => Awaitable<Outcome>,
  ): Pipeline<Input, Context, Deps, Outcome>

  /** Makes an outcome of an error of the steps below this line, or throws. */
  recover(
    run: (context: Context, deps: Deps, error: unknown) => Awaitable<Outcome>,
  ): Pipeline<Input, Context, Deps, Outcome>

  /** Adds the step that makes the outcome, and returns the function that runs the list. */
  end(
    run: (context: Context, deps: Deps) => Awaitable<Outcome>,
  ): (input: Input, deps: Deps) => Promise<Outcome>
}

type RunStep = (context: never, deps: never) => unknown
type RunAround = (context: never, deps: never, runBelow: () => Promise<unknown>) => Promise<unknown>
type Line = { readonly step: RunStep } | { readonly around: RunAround }

/** Starts a list. `Input` is the type of the fields that every run begins with. */
export function pipeline<Input extends object, Deps, Outcome>(): Pipeline<Input, Input, Deps, Outcome> {
  return builder([])
}

function builder<Input extends object, Context, Deps, Outcome>(
  lines: readonly Line[],
): Pipeline<Input, Context, Deps, Outcome> {
  const around = (run: RunAround) => builder<Input, Context, Deps, Outcome>([...lines, { around: run }])
  return {
    step: (run) => builder([...lines, { step: run }]),
    finally: (run) =>
      around(async (context, deps, runBelow) => {
        let report: RunReport<Outcome> = {}
        try {
          const outcome = (await runBelow()) as Outcome
          report = { outcome }
          return outcome
        } catch (error) {
          report = { error }
          throw error
        } finally {
          await run(context, deps, report)
        }
      }),
    mapOutcome: (run) =>
      around(async (context, deps, runBelow) => run(context, deps, (await runBelow()) as Outcome)),
    recover: (run) =>
      around(async (context, deps, runBelow) => {
        try {
          return await runBelow()
        } catch (error) {
          return await run(context, deps, error)
        }
      }),
    end: (run) => {
      const all = [...lines, { step: run }]
      // One object a run, changed only between steps. A copy for each step costs 2 µs a run more.
      return (input, deps) => runFrom(all, 0, { ...input }, deps) as Promise<Outcome>
    },
  }
}

async function runFrom(
  lines: readonly Line[],
  first: number,
  context: object,
  deps: unknown,
): Promise<unknown> {
  for (let index = first; ; index++) {
    const line = lines[index] as Line
    if ('around' in line) {
      return line.around(context as never, deps as never, () => runFrom(lines, index + 1, context, deps))
    }
    let result = line.step(context as never, deps as never)
    if (result instanceof Promise) result = await result
    if (result instanceof Finished) return result.outcome
    if (index === lines.length - 1) return result
    if (result !== UNCHANGED) Object.assign(context, result)
  }
}
