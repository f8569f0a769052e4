import { ABSENT, compilePath, compileValue, type ValueTemplate } from '../../../catalog/index.ts'
import type { JsonObject } from '../../../platform/json-object.ts'

/** Reports a problem at a JSON pointer. */
export type AddProblem = (path: string, reason: string) => void

/** Renders a template with the values so far. Returns undefined for a missing value. */
export type TemplateReader = (values: Readonly<Record<string, unknown>>) => unknown

const DEPTH_MAX = 40

/**
 * Compiles `{"$": "path"}` and texts with `{path}`. A path starts with `inputs`, `item`, or the id of an
 * earlier step.
 */
export function compileTemplate(
  json: unknown,
  roots: readonly string[],
  path: string,
  add: AddProblem,
): TemplateReader {
  const unknown = new Set<string>()
  const rootOf = (name: string) => name.split(/[.[]/, 1)[0] as string
  const args = {
    has: (name: string) => {
      const isKnown = roots.includes(rootOf(name))
      if (!isKnown) unknown.add(name)
      return isKnown
    },
  } as ReadonlySet<string>
  let compiled: ValueTemplate
  try {
    compiled = compileValue(
      json,
      {
        args,
        usedArgs: new Set(),
        usedConnection: new Set(),
        report: { add: (at, reason) => add(at, reason) },
      },
      path,
    )
  } catch (error) {
    add(path, (error as Error).message)
    return () => undefined
  }
  if (castsToFile(json)) add(path, 'a value cannot be converted to a file here.')
  for (const name of unknown)
    add(path, `\`${name.slice(0, 50)}\` is not known here; a value is one of ${roots.join(', ')}.`)
  return (values) => {
    const lookup = (name: string): unknown => {
      try {
        return compilePath(name)(values)
      } catch {
        return undefined
      }
    }
    const value = compiled(lookup, () => undefined)
    return value === ABSENT ? undefined : value
  }
}

function castsToFile(json: unknown, depth = 0): boolean {
  if (typeof json !== 'object' || json === null || depth > DEPTH_MAX) return false
  if (Object.hasOwn(json, '$')) return String((json as JsonObject)['as']).startsWith('file')
  return Object.values(json).some((inner) => castsToFile(inner, depth + 1))
}
