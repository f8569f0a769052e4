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

type AnyRun = (context: never, deps: never, ended: never) => unknown
type LineKind = 'step' | 'finally' | 'mapOutcome' | 'recover'
interface Line {
  readonly kind: LineKind
  readonly run: AnyRun
}

/** Starts a list. `Input` is the type of the fields that every run begins with. */
export function pipeline<Input extends object, Deps, Outcome>(): Pipeline<Input, Input, Deps, Outcome> {
  return builder([])
}

function builder<Input extends object, Context, Deps, Outcome>(
  lines: readonly Line[],
): Pipeline<Input, Context, Deps, Outcome> {
  const add = <Next>(kind: LineKind, run: AnyRun) =>
    builder<Input, Next, Deps, Outcome>([...lines, { kind, run }])
  return {
    step: (run) => add('step', run),
    finally: (run) => add('finally', run),
    mapOutcome: (run) => add('mapOutcome', run),
    recover: (run) => add('recover', run),
    end: (run) => {
      const all: Line[] = [...lines, { kind: 'step', run }]
      return (input, deps) => runLines(all, { ...input }, deps, tracingOf(deps)) as Promise<Outcome>
    },
  }
}

/** Records steps as spans. Dependencies that have it as the field `tracing` make a run record its steps. */
export interface StepTracing {
  step<T>(name: string, work: () => T): T
}
const tracingOf = (deps: unknown): StepTracing | undefined =>
  (deps as { readonly tracing?: StepTracing | undefined }).tracing

type Ended = { readonly outcome: unknown } | { readonly error: unknown }

/**
 * Runs the steps, then the other lines that were passed, from below. One asynchronous function for all lines: a
 * nested function for each of them costs 0.5 µs a line more.
 */
async function runLines(
  lines: readonly Line[],
  context: object,
  deps: unknown,
  tracing: StepTracing | undefined,
): Promise<unknown> {
  let index = 0
  let ended: Ended
  try {
    for (; ; index++) {
      const { kind, run } = lines[index] as Line
      if (kind !== 'step') continue
      let result = tracing
        ? tracing.step(run.name, () => run(context as never, deps as never, undefined as never))
        : run(context as never, deps as never, undefined as never)
      if (result instanceof Promise) result = await result
      if (result instanceof Finished) {
        ended = result
        break
      }
      if (index === lines.length - 1) {
        ended = { outcome: result }
        break
      }
      // The context is changed here only, between steps. A copy for each step costs 2 µs a run more.
      if (result !== UNCHANGED) Object.assign(context, result)
    }
  } catch (error) {
    ended = { error }
  }
  while (--index >= 0) {
    const line = lines[index] as Line
    if (line.kind === 'step') continue
    try {
      const next = tracing
        ? traceLine(tracing, line, context, deps, ended)
        : applyLine(line, context, deps, ended)
      ended = next instanceof Promise ? await next : next
    } catch (error) {
      ended = { error }
    }
  }
  if ('error' in ended) throw ended.error
  return ended.outcome
}

const traceLine = (tracing: StepTracing, line: Line, context: object, deps: unknown, ended: Ended) =>
  tracing.step(line.run.name, () => applyLine(line, context, deps, ended))

function applyLine(
  { kind, run }: Line,
  context: object,
  deps: unknown,
  ended: Ended,
): Ended | Promise<Ended> {
  const isError = 'error' in ended
  if (kind === (isError ? 'mapOutcome' : 'recover')) return ended
  const received = kind === 'finally' ? ended : isError ? ended.error : ended.outcome
  const result = run(context as never, deps as never, received as never)
  if (kind === 'finally') return result instanceof Promise ? result.then(() => ended) : ended
  return result instanceof Promise ? result.then((outcome) => ({ outcome })) : { outcome: result }
}
