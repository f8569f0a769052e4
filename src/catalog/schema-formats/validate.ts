import type { Ajv2020 } from 'ajv/dist/2020.js'
import { ajv as library } from '../../platform/ajv.ts'
import type { SchemaFormat } from './formats.ts'
import { isSchema, type JsonObject } from './merge.ts'

const VIOLATIONS_MAX = 5
const REJECTED_AT_ROOT = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', '$ref']
const ALWAYS_ALLOWED = new Set(['type', 'description', 'properties', 'required', 'items', 'enum', 'anyOf'])
const NAME_CHARACTERS_MAX = 80
let validator: Ajv2020 | undefined

/** The state of one validation. */
interface Validation {
  readonly format: SchemaFormat
  readonly violations: string[]
  properties: number
  enumValues: number
}

/**
 * Returns at most five violations of the vendor's rules in a tool; empty when it is valid. Checks the
 * finished schema, independently of the compiler.
 */
export function findViolations(name: string, schema: JsonObject, format: SchemaFormat): string[] {
  const validation: Validation = { format, violations: [], properties: 0, enumValues: 0 }
  const add = (path: string, violation: string) => addViolation(validation, path, violation)
  if (!format.toolName.test(name)) add(name, `is not a tool name that ${format.title} accepts`)
  if (schema.type !== 'object') add('', 'must be of type object')
  for (const keyword of REJECTED_AT_ROOT)
    if (Object.hasOwn(schema, keyword)) add('', `must not have ${keyword} at the root`)
  const ajv = metaSchemaValidator()
  if (!ajv.validateSchema(schema)) add('', `is not JSON Schema (${ajv.errorsText(ajv.errors).slice(0, 200)})`)
  visitSchema(validation, schema, '', 0)
  if (validation.properties > format.propertiesMax)
    add('', `has more than ${format.propertiesMax} properties`)
  if (validation.enumValues > format.enumValuesMax)
    add('', `has more than ${format.enumValuesMax} values in enums`)
  const characters = JSON.stringify(schema).length
  if (characters > format.charactersMax)
    add('', `has ${characters} characters, more than ${format.charactersMax}`)
  return validation.violations
}

/** Does not cache schemas: a catalogue has a hundred thousand. */
const metaSchemaValidator = (): Ajv2020 =>
  (validator ??= new library.Ajv2020({ strict: false, addUsedSchema: false }))

function addViolation({ violations }: Validation, path: string, violation: string): void {
  if (violations.length < VIOLATIONS_MAX) violations.push(`${path || 'the schema'}: ${violation}`)
}

function visitSchema(validation: Validation, node: JsonObject, path: string, depth: number): void {
  const { format } = validation
  if (depth > format.depthMax * 2 + 2) return addViolation(validation, path, 'is nested too deep')
  const { properties, required, items, anyOf, enum: values } = node
  if (Object.hasOwn(node, '$ref')) addViolation(validation, path, 'has a reference')
  if (format.keywords) checkKeywords(validation, node, path)
  for (const [key, inner] of Object.entries(isSchema(properties) ? properties : {})) {
    validation.properties++
    if (!format.propertyName.test(key))
      addViolation(
        validation,
        `${path}/${key.slice(0, NAME_CHARACTERS_MAX)}`,
        `is not a property name that ${format.title} accepts`,
      )
    if (isSchema(inner)) visitSchema(validation, inner, `${path}/${key}`, depth + 1)
  }
  if (required !== undefined) {
    const names = Array.isArray(required) ? required : [undefined]
    checkRequired(validation, names, isSchema(properties) ? properties : {}, path)
  }
  if (Array.isArray(values)) validation.enumValues += values.length
  if (isSchema(items)) visitSchema(validation, items, `${path}/items`, depth + 1)
  for (const [index, one] of (Array.isArray(anyOf) ? anyOf : []).entries())
    if (isSchema(one)) visitSchema(validation, one, `${path}/${index}`, depth + 1)
}

function checkRequired(
  validation: Validation,
  names: readonly unknown[],
  properties: JsonObject,
  path: string,
): void {
  if (new Set(names).size !== names.length) addViolation(validation, path, 'required names a property twice')
  for (const name of names)
    if (typeof name !== 'string' || !Object.hasOwn(properties, name))
      addViolation(validation, path, `required names ${String(name)}, which is not a property`)
}

/** Checks one schema against a format that accepts few keywords. */
function checkKeywords(validation: Validation, node: JsonObject, path: string): void {
  const { format } = validation
  const add = (violation: string) => addViolation(validation, path, violation)
  const { type, items, enum: values } = node
  for (const keyword of Object.keys(node)) {
    const isKnown =
      ALWAYS_ALLOWED.has(keyword) ||
      format.keywords?.has(keyword) ||
      (keyword === 'nullable' && format.null === 'nullable') ||
      (keyword === 'additionalProperties' && format.allRequired)
    if (!isKnown) add(`has ${keyword}, which ${format.title} does not know`)
  }
  if (type === undefined && !Array.isArray(node.anyOf)) add('has neither a type nor alternatives')
  if (Array.isArray(type) && format.null === 'nullable') add('has several types')
  const types = [type].flat()
  if (types.includes('array') && !isSchema(items)) add('is a list without items')
  if (types.includes('object')) checkObject(validation, node, path)
  if (format.formats && typeof node.format === 'string' && !format.formats.has(node.format))
    add(`has the format ${node.format}`)
  const hasOtherValues =
    Array.isArray(values) && !values.every((one) => typeof one === 'string' && one !== '')
  if (format.enumOfTexts && hasOtherValues) add('has an enum with values that are not text')
}

function checkObject(validation: Validation, node: JsonObject, path: string): void {
  const { format } = validation
  const { properties, required } = node
  if (format.allRequired) {
    const names = Object.keys(isSchema(properties) ? properties : {})
    if (node.additionalProperties !== false)
      addViolation(validation, path, 'is an object without additionalProperties: false')
    if (names.some((name) => !Array.isArray(required) || !required.includes(name)))
      addViolation(validation, path, 'has a property that is not required')
  }
  if (format.freeObject === 'text' && !isSchema(properties))
    addViolation(validation, path, 'is an object without properties')
}
