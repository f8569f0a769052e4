import { canonicalJson } from '../src/catalog/importers/versions/canonical-json.ts'
import { mapInnerSchemas } from '../src/catalog/manifest/json-schema.ts'
import { isObject } from '../src/platform/json-object.ts'

type Schema = Record<string, unknown>
export interface Tool extends Schema {
  slug: string
}
export interface SharedSchemas {
  tools: Tool[]
  /** By name, in alphabetical order. */
  definitions: Readonly<Record<string, Schema>>
}

/** A schema is worth a name if it has at least as many characters, and if so many are saved in total. */
const CHARACTERS_MIN = 150
const SAVED_MIN = 400
const REFERENCE_CHARACTERS = 40
const SIDES = ['input', 'output'] as const

interface Candidate {
  schema: Schema
  /** Descriptions where it is used; undefined where a use has none. */
  descriptions: (string | undefined)[]
  places: Place[]
}

/** Where a schema is used. */
interface Place {
  /** What the tool or the definition is about, such as `pull_request`. */
  noun: string
  /** The property, or `input` or `output`. */
  key: string
}
type Visit = (schema: Schema, place: Place) => Schema
/** Properties whose names say nothing about their content. */
const GENERIC_KEYS = [
  'item',
  'result',
  'data',
  'value',
  'node',
  'entry',
  'list',
  'output',
  'object',
  'record',
]

/**
 * Moves schemas that tools repeat to definitions. Descriptions may differ: those of the uses replace that of the
 * definition. The largest saving comes first, so that a definition may refer to smaller ones.
 */
export function shareSchemas(toolkit: string, tools: readonly Tool[]): SharedSchemas {
  const definitions: Record<string, Schema> = {}
  let current = [...tools]
  for (;;) {
    const best = bestCandidate(toolkit, current, definitions)
    if (!best) break
    const [key, candidate] = best
    const name = nameOf(candidate, definitions)
    const sameDescription = new Set(candidate.descriptions).size === 1
    const replace: Visit = (schema) =>
      keyOf(schema) === key ? referenceTo(name, schema, sameDescription) : schema
    current = current.map((tool) => mapTool(toolkit, tool, replace))
    for (const [other, schema] of Object.entries(definitions))
      definitions[other] = mapInner(schema, { noun: other, key: other }, replace)
    const { description, ...rest } = candidate.schema
    definitions[name] = sameDescription && description !== undefined ? { description, ...rest } : rest
  }
  return { tools: current, definitions: sorted(definitions) }
}

const sorted = (definitions: Readonly<Record<string, Schema>>) =>
  Object.fromEntries(Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1)))

function referenceTo(name: string, { description }: Schema, sameDescription: boolean): Schema {
  const reference = { $ref: `#/$defs/${name}` }
  return sameDescription || description === undefined ? reference : { ...reference, description }
}

/** Schemas that differ only in their description have the same key. */
function keyOf({ description: _, ...schema }: Schema): string {
  return canonicalJson(schema)
}

function bestCandidate(
  toolkit: string,
  tools: readonly Tool[],
  definitions: Readonly<Record<string, Schema>>,
): [string, Candidate] | undefined {
  const candidates = new Map<string, Candidate>()
  const collect: Visit = (schema, place) => {
    const key = keyOf(schema)
    if (key.length < CHARACTERS_MIN) return schema
    const candidate = candidates.get(key) ?? { schema, descriptions: [], places: [] }
    candidate.descriptions.push(schema['description'] as string | undefined)
    candidate.places.push(place)
    candidates.set(key, candidate)
    return schema
  }
  for (const tool of tools) mapTool(toolkit, tool, collect)
  for (const [name, schema] of Object.entries(definitions))
    mapInner(schema, { noun: name, key: name }, collect)
  const savings = [...candidates]
    .map((entry) => ({ entry, saved: savedCharacters(...entry) }))
    .filter(({ saved }) => saved >= SAVED_MIN)
  return savings.sort((a, b) => b.saved - a.saved)[0]?.entry
}

function savedCharacters(key: string, { descriptions }: Candidate): number {
  // A definition without a description adds none to a use, so uses with and without one can share it.
  return (descriptions.length - 1) * (key.length - REFERENCE_CHARACTERS)
}

/** Visits schemas from the outside to the inside. The result of a visit is visited further. */
function mapTool(toolkit: string, tool: Tool, visit: Visit): Tool {
  const copy = { ...tool }
  const noun = nounOf(toolkit, tool.slug)
  for (const key of SIDES) {
    const schema = tool[key]
    if (isObject(schema)) copy[key] = mapInner(visit(schema, { noun, key }), { noun, key: '' }, visit)
  }
  return copy
}

function mapInner(schema: Schema, { noun, key: outerKey }: Place, visit: Visit): Schema {
  return mapInnerSchemas(schema, '', (inner, at) => {
    if (!isObject(inner)) return inner
    const place = { noun, key: keyAt(at, outerKey) }
    return mapInner(visit(inner, place), place, visit)
  })
}

/** The name of a property, or the singular of the name of a list. */
function keyAt(at: string, outerKey: string): string {
  const property = /\/properties\/([^/]+)$/.exec(at)?.[1]
  if (property !== undefined) return property
  return at === '/items' ? singular(outerKey) : outerKey
}

function singular(name: string): string {
  if (/ies$/i.test(name)) return name.replace(/ies$/i, 'y')
  if (/(ss|x|ch|sh)es$/i.test(name)) return name.slice(0, -2)
  return /[^su]s$/i.test(name) ? name.slice(0, -1) : name
}

/** The words of a slug behind the toolkit, the verb and an article, in the singular. */
function nounOf(toolkit: string, slug: string): string {
  const words = slug
    .toLowerCase()
    .slice(toolkit.length + 1)
    .split('_')
    .slice(1)
  return singular(words.join('_').replace(/^(?:an?|my|the|to)_/, '')) || toolkit
}

/** The first free name of those that most uses suggest. */
function nameOf({ places }: Candidate, definitions: Readonly<Record<string, Schema>>): string {
  const options = [places.map(plainName), places.map(({ noun, key }) => `${noun}_${key}`)]
  const names = options.map((option) =>
    mostFrequent(option)
      .replace(/[^A-Za-z0-9_-]/g, '_')
      .replace(/^[^A-Za-z]+/, ''),
  )
  const free = names.find((name) => !(name in definitions))
  if (free !== undefined) return free
  let number = 2
  while (`${names[0]}_${number}` in definitions) number++
  return `${names[0]}_${number}`
}

function plainName({ noun, key }: Place): string {
  if (key === 'input') return `${noun}_input`
  return GENERIC_KEYS.includes(singular(key)) || key === '' ? noun : key
}

function mostFrequent(values: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]![0]
}
