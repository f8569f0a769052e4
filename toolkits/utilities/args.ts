import { ToolFailure } from '../../src/catalog/code-tool.ts'

export type Args = Record<string, unknown>

/**
 * Readers of single arguments. They hold without the input schema, so the functions behind them never see a
 * wrong type or a huge text.
 */
export const TEXT_CHARS_MAX = 200_000
export const DATA_CHARS_MAX = 500_000
export const RESULT_CHARS_MAX = 1_000_000

export function text(args: Args, name: string, limits: { max?: number; fallback?: string } = {}): string {
  const value = args[name] ?? limits.fallback
  if (typeof value !== 'string') throw new ToolFailure(`${name} must be a text`)
  const max = limits.max ?? TEXT_CHARS_MAX
  if (value.length > max * 2) throw new ToolFailure(`${name} is longer than ${max} characters`)
  return value
}

export function optionalText(args: Args, name: string, max = TEXT_CHARS_MAX): string | undefined {
  return args[name] === undefined || args[name] === null ? undefined : text(args, name, { max })
}

export function choice<const T extends string>(
  args: Args,
  name: string,
  choices: readonly T[],
  fallback?: T,
): T {
  const value = args[name] ?? fallback
  const found = choices.find((option) => option === value)
  if (found === undefined) throw new ToolFailure(`${name} must be one of ${choices.join(', ')}`)
  return found
}

export function flag(args: Args, name: string, fallback = false): boolean {
  const value = args[name] ?? fallback
  if (typeof value !== 'boolean') throw new ToolFailure(`${name} must be true or false`)
  return value
}

export function numeric(
  args: Args,
  name: string,
  limits: { min: number; max: number; fallback?: number },
): number {
  const value = args[name] ?? limits.fallback
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new ToolFailure(`${name} must be a number`)
  if (value < limits.min || value > limits.max)
    throw new ToolFailure(`${name} must be between ${limits.min} and ${limits.max}`)
  return value
}

export function integer(
  args: Args,
  name: string,
  limits: { min: number; max: number; fallback?: number },
): number {
  const value = numeric(args, name, limits)
  if (!Number.isInteger(value)) throw new ToolFailure(`${name} must be a whole number`)
  return value
}

/** Rejects a result that would be far larger than the input. */
export function bounded(result: string): string {
  if (result.length > RESULT_CHARS_MAX)
    throw new ToolFailure(`The result is longer than ${RESULT_CHARS_MAX} characters`)
  return result
}
