import { routes } from '../../contract/index.ts'
import { toOperation } from '../operations/operations.ts'

/**
 * Joins each boolean flag with its value: `--enabled ca_1` becomes `--enabled=true ca_1`, and `--enabled
 * false` becomes `--enabled=false`. The parser would take any next word as the value.
 */
export function normalizeBooleans(args: readonly string[]): string[] {
  const booleans = booleanFlags()
  const normalized: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string
    if (arg === '--') return [...normalized, ...args.slice(at)]
    const next = args[at + 1]
    if (!booleans.has(arg)) normalized.push(arg)
    else if (next === 'true' || next === 'false') normalized.push(`${arg}=${args[++at]}`)
    else normalized.push(`${arg}=true`)
  }
  return normalized
}

/** Returns the flags that are boolean in every operation. */
function booleanFlags(): Set<string> {
  const flags = routes.flatMap((route) => toOperation(route).flags)
  const others = new Set(flags.filter(({ kind }) => kind !== 'boolean').map(({ name }) => name))
  return new Set(flags.filter(({ name }) => !others.has(name)).map(({ name }) => `--${name}`))
}
