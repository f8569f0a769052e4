import { routes } from '../../contract/index.ts'
import { toOperation } from '../operations/operations.ts'

/**
 * Ties each boolean flag to its value: `--enabled ca_1` becomes `--enabled=true ca_1`, `--enabled false` becomes `--enabled=false`.
 * The parser would take any next word for the value.
 */
export function normalizeBooleans(args: readonly string[]): string[] {
  const booleans = booleanFlags()
  const settled: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string
    if (arg === '--') return [...settled, ...args.slice(at)]
    const next = args[at + 1]
    if (!booleans.has(arg)) settled.push(arg)
    else if (next === 'true' || next === 'false') settled.push(`${arg}=${args[++at]}`)
    else settled.push(`${arg}=true`)
  }
  return settled
}

/** Flags that are boolean wherever they occur. */
function booleanFlags(): Set<string> {
  const flags = routes.flatMap((route) => toOperation(route).flags)
  const others = new Set(flags.filter(({ kind }) => kind !== 'boolean').map(({ name }) => name))
  return new Set(flags.filter(({ name }) => !others.has(name)).map(({ name }) => `--${name}`))
}
