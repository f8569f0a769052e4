import { parseJsonInPieces } from '../json-pieces.ts'
import { REQUEST_BOUNDS } from '../request-json.ts'
import { defineMember, isPartlyUnparsed, unparsedMember } from './unparsed-object.ts'

// Properties that have not been parsed are parsed by the code that reads them, in one piece, which takes 40 ms for five
// megabytes. What will be read is therefore parsed before, in slices.

/** Keywords for which a validator reads no value of a property, except those that are handled below. */
const HARMLESS = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
  'minProperties',
  'maxProperties',
  'title',
  'description',
  'examples',
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
])

type Schema = Readonly<Record<string, unknown>>
/** What a schema says about a property. `any`: nothing, so that no validator reads it. `read`: something else. */
type Rule = 'any' | 'read' | Schema

/**
 * Parses all properties of an object that have not been parsed, with those of the objects in it.
 * @param name only the property of this name
 */
export const parseAllMembers = (value: unknown, name?: string): Generator<void, void> =>
  parseMembers(value, 'read', name)

/** Parses the properties of an object that a validator reads to compare it with a schema. */
export const parseCheckedMembers = (value: unknown, schema: object): Generator<void, void> =>
  parseMembers(value, schema as Schema)

function* parseMembers(value: unknown, rule: Rule, only?: string): Generator<void, void> {
  if (rule === 'any' || !isPartlyUnparsed(value)) return
  for (const name of Object.keys(value)) {
    if (only !== undefined && name !== only) continue
    const inner = ruleOf(rule, name)
    const bytes = unparsedMember(value, name)
    if (!bytes) yield* parseMembers(value[name], inner)
    else if (inner !== 'any') yield* parseMember(value, name, bytes)
  }
}

function* parseMember(object: object, name: string, bytes: Buffer): Generator<void, void> {
  const text = bytes.toString('utf8')
  yield
  defineMember(object, name, yield* parseJsonInPieces(text, REQUEST_BOUNDS))
}

function ruleOf(rule: Rule, name: string): Rule {
  if (typeof rule === 'string') return rule
  if (!Object.keys(rule).every((keyword) => HARMLESS.has(keyword))) return 'read'
  const { properties, patternProperties, additionalProperties, required } = rule
  // A validator compares the value with undefined.
  if (Array.isArray(required) && required.includes(name)) return declared(properties, name) ?? 'read'
  const patterns = Object.values((patternProperties ?? {}) as object) as unknown[]
  if (!patterns.every(isEmpty)) return 'read'
  const own = declared(properties, name)
  if (own !== undefined) return isEmpty(own) ? 'any' : own
  return isEmpty(additionalProperties) ? 'any' : 'read'
}

function declared(properties: unknown, name: string): Schema | undefined {
  if (typeof properties !== 'object' || properties === null || !Object.hasOwn(properties, name))
    return undefined
  return (properties as Record<string, Schema>)[name]
}

/** Whether every value fits a schema, or none does, so that the value need not be read. */
const isEmpty = (schema: unknown): boolean =>
  typeof schema !== 'object' || schema === null || Object.keys(schema).length === 0
