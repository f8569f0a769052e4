import type { JsonSchema } from '../../src/catalog/index.ts'
import type { Notes } from './notes.ts'
import { hasIdentity, innerOf } from './place.ts'
import type { Plan } from './plan.ts'
import { merged } from './overlay.ts'
import { propertiesOf } from './read-arguments.ts'
import { plain, wordsOf } from './words.ts'
import { isIdName } from './values.ts'

/** A kind of object of one application. */
export interface Kind {
  readonly name: string
  /** All that any tool shows of it. */
  readonly schema: JsonSchema
  /** Dotted path of the member that tools ask by. */
  readonly id: string
  /** Identifiers that examples of the manifest name: these objects are there from the beginning. */
  readonly examples: readonly unknown[]
  readonly seeds: readonly Readonly<Record<string, unknown>>[]
  /** Arguments that stand before the identifier in the path: each of their values has objects of its own. */
  readonly home: readonly string[]
  readonly isMail: boolean
  /** Members that other kinds have which tools show in the same shape. */
  readonly omit: readonly string[]
}

const EXAMPLES_MAX = 3

/** The kinds of objects that the plans of an application are about. */
export function kindsOf(plans: readonly Plan[], notes: Notes): ReadonlyMap<string, Kind> {
  const kinds = new Map<string, Kind>()
  for (const name of new Set(plans.map(({ type }) => type))) {
    const own = plans.filter((plan) => plan.type === name)
    const note = notes.types?.[name]
    const noted = note?.id
    const isTold = (one: JsonSchema) =>
      hasIdentity(one) || own.length === 1 || Object.hasOwn(propertiesOf(one), noted?.split('.')[0] ?? '')
    const schema = own
      .filter(({ op, place }) => place && op !== 'answer' && place.kind !== 'ids')
      .map(({ place }) => innerOf(place!.schema)?.schema ?? place!.schema)
      .filter(isTold)
      .reduce<JsonSchema>((all, one) => merged(all, one), { type: 'object', properties: {} })
    const items = own.filter(({ id }) => id !== undefined)
    const asked = items[0]?.id
    const examples = [
      ...new Set(items.flatMap(({ id, route }) => examplesOf(propertiesOf(route.input)[id!]))),
    ]
    kinds.set(name, {
      name,
      schema,
      id: noted ?? memberFor(asked, name, schema),
      examples: examples.slice(0, EXAMPLES_MAX),
      seeds: note?.seeds ?? [],
      home: items.find(({ op }) => op !== 'create')?.within ?? [],
      isMail: note?.mail ?? false,
      omit: note?.omit ?? [],
    })
  }
  return kinds
}

function examplesOf(schema: JsonSchema | undefined): unknown[] {
  const examples = schema?.['examples'] ?? (schema?.['items'] as JsonSchema | undefined)?.['examples']
  return Array.isArray(examples) ? examples.flat().filter((one) => typeof one !== 'object') : []
}

/** The member that an argument asks for: `issue_number` is the `number` of an `issue`. */
function memberFor(argument: string | undefined, type: string, schema: JsonSchema): string {
  const names = Object.keys(propertiesOf(schema))
  const words = wordsOf(argument ?? 'id')
  const rest = plain(words.join('')).replace(type, '')
  return (
    names.find((name) => plain(name) === plain(argument ?? 'id')) ??
    names.find((name) => rest !== '' && plain(name) === rest) ??
    names.find((name) => plain(name) === words.at(-1)) ??
    names.find((name) => /^(id|Id)$/.test(name)) ??
    names.find(isIdName) ??
    names.find((name) => name === 'name') ??
    names[0] ??
    'id'
  )
}
