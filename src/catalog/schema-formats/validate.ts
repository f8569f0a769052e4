import { Ajv2020 } from 'ajv/dist/2020.js'
import type { SchemaFormat } from './formats.ts'
import { isSchema, type JsonObject } from './merge.ts'

const VIOLATIONS_MAX = 5
const REJECTED_AT_ROOT = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', '$ref']
const ALWAYS_ALLOWED = new Set(['type', 'description', 'properties', 'required', 'items', 'enum', 'anyOf'])
/** Not kept in memory: a catalogue has a hundred thousand schemas. */
const ajv = new Ajv2020({ strict: false, addUsedSchema: false })

/**
 * Returns at most five violations of the vendor's rules in a tool; empty when it is valid. Checks the
 * finished schema, independently of the compiler.
 */
export function findViolations(name: string, schema: JsonObject, format: SchemaFormat): string[] {
  const faults: string[] = []
  const add = (at: string, fault: string) => {
    if (faults.length < VIOLATIONS_MAX) faults.push(`${at || 'the schema'}: ${fault}`)
  }
  if (!format.toolName.test(name)) add(name, `${format.title} takes no such name of a tool`)
  if (schema.type !== 'object') add('', 'must be of type object')
  for (const word of REJECTED_AT_ROOT)
    if (Object.hasOwn(schema, word)) add('', `${word} may not stand at the root`)
  if (!ajv.validateSchema(schema)) add('', `is no JSON Schema (${ajv.errorsText(ajv.errors).slice(0, 200)})`)
  const counted = { properties: 0, enumValues: 0 }
  look(schema, '', 0)
  if (counted.properties > format.propertiesMax) add('', `has more than ${format.propertiesMax} properties`)
  if (counted.enumValues > format.enumValuesMax)
    add('', `has more than ${format.enumValuesMax} values in enums`)
  const characters = JSON.stringify(schema).length
  if (characters > format.charactersMax)
    add('', `has ${characters} characters, more than ${format.charactersMax}`)
  return faults

  function look(node: JsonObject, at: string, depth: number): void {
    if (depth > format.depthMax * 2 + 2) return add(at, 'is nested too deep')
    const { properties, required, items, anyOf, enum: values } = node
    if (Object.hasOwn(node, '$ref')) add(at, 'has a reference')
    if (format.keywords) rules(node, at)
    if (isSchema(properties)) {
      for (const [key, inner] of Object.entries(properties)) {
        counted.properties++
        if (!format.propertyName.test(key))
          add(`${at}/${key.slice(0, 80)}`, `${format.title} takes no such name of a property`)
        if (isSchema(inner)) look(inner, `${at}/${key}`, depth + 1)
      }
    }
    if (required !== undefined)
      checkRequired(
        Array.isArray(required) ? required : [undefined],
        isSchema(properties) ? properties : {},
        at,
      )
    if (Array.isArray(values)) counted.enumValues += values.length
    if (isSchema(items)) look(items, `${at}/items`, depth + 1)
    if (Array.isArray(anyOf))
      anyOf.forEach((one, index) => {
        if (isSchema(one)) look(one, `${at}/${index}`, depth + 1)
      })
  }

  function checkRequired(names: readonly unknown[], properties: JsonObject, at: string): void {
    if (new Set(names).size !== names.length) add(at, 'required names a property twice')
    for (const name of names)
      if (typeof name !== 'string' || !Object.hasOwn(properties, name))
        add(at, `required names ${String(name)}, which is no property`)
  }

  /** The rules of the dialects that take few words. */
  function rules(node: JsonObject, at: string): void {
    const { type, properties, required, items, enum: values } = node
    for (const word of Object.keys(node)) {
      const known =
        ALWAYS_ALLOWED.has(word) ||
        format.keywords?.has(word) ||
        (word === 'nullable' && format.null === 'nullable') ||
        (word === 'additionalProperties' && format.allRequired)
      if (!known) add(at, `${format.title} does not know ${word}`)
    }
    if (type === undefined && !Array.isArray(node.anyOf)) add(at, 'has neither a type nor alternatives')
    if (Array.isArray(type) && format.null === 'nullable') add(at, 'has several types')
    const types = [type].flat()
    if (types.includes('array') && !isSchema(items)) add(at, 'is a list without items')
    if (types.includes('object') && format.allRequired && node.additionalProperties !== false)
      add(at, 'is an object that is not closed')
    if (
      types.includes('object') &&
      format.allRequired &&
      Object.keys(isSchema(properties) ? properties : {}).some(
        (key) => !Array.isArray(required) || !required.includes(key),
      )
    )
      add(at, 'has a property that is not required')
    if (types.includes('object') && format.freeObject === 'text' && !isSchema(properties))
      add(at, 'is an object without properties')
    if (format.formats && typeof node.format === 'string' && !format.formats.has(node.format))
      add(at, `has the format ${node.format}`)
    if (
      format.enumOfTexts &&
      Array.isArray(values) &&
      !values.every((one) => typeof one === 'string' && one !== '')
    )
      add(at, 'has an enum of other values than texts')
  }
}
