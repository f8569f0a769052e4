import { EXAMPLES } from './examples.ts'
import type { Flag, Operation } from './operations.ts'
import type { Schema } from '../arguments/values.ts'

/** Returns an example of a command line. */
export function exampleOf({ route, group, name, pathParameters: places, flags, hasBody }: Operation): string {
  const known = EXAMPLES[route.id]
  if (known) return known
  const params = (route.params as Schema).properties ?? {}
  const words = ['patchbay', group, name, ...places.map((place) => sample(params[place], place))]
  const needed = flags.filter(({ required }) => required)
  for (const flag of needed) words.push(`--${flag.name} ${ofKind(flag)}`)
  if (needed.length === 0 && hasBody) words.push('--data @body.json')
  return words.filter(Boolean).join(' ')
}

const sample = (schema: Schema | undefined, place: string): string =>
  String(schema?.examples?.[0] ?? schema?.enum?.[0] ?? place.toUpperCase())

function ofKind({ kind, choices, name, soleField: field }: Flag): string {
  if (choices?.[0]) return choices[0]
  if (field !== undefined) return field.toUpperCase()
  if (kind === 'json' || kind === 'mixed') return `@${name}.json`
  return kind === 'number' ? '20' : kind === 'boolean' ? 'true' : name.toUpperCase()
}
