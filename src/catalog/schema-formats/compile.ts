import { type ValueType, isNullable, isValueType, valueTypeOf, withoutNull } from './kinds.ts'
import { type JsonObject, isSchema, mergeSchemas } from './merge.ts'
import type { SchemaFormat } from './formats.ts'
import { allowNull, joinTexts, supportedKeywords, titleAndDescription } from './keywords.ts'
import { safePropertyNames } from './property-names.ts'

export interface SizeLimits {
  depth: number
  descriptionMax: number
}

const OPTIONS_LISTED_MAX = 50
const SCALARS: readonly ValueType[] = ['string', 'number', 'boolean']

/**
 * Writes a schema without references (`plainSchema`) in a schema format, up to a depth; deeper values become
 * a text that contains their JSON.
 */
export function compileSchema(schema: JsonObject, format: SchemaFormat, limits: SizeLimits): JsonObject {
  return compileObjectSchema(mergeRootUnions(schema), format, {
    ...limits,
    depth: Math.min(limits.depth, format.depthMax),
  })
}

/**
 * The root of arguments is one object, whatever alternatives it has: all their properties, and required what
 * all of them require.
 */
function mergeRootUnions({ anyOf, oneOf, ...own }: JsonObject): JsonObject {
  const branches = [anyOf, oneOf].flatMap((list) =>
    Array.isArray(list) ? list.filter(isSchema).map(mergeRootUnions) : [],
  )
  if (branches.length === 0) return own
  const needed = branches.map(
    ({ required }) => new Set(Array.isArray(required) ? (required as string[]) : []),
  )
  const always = [...(needed[0] ?? [])].filter((name) => needed.every((names) => names.has(name)))
  const properties = branches.reduce<JsonObject>(
    (all, { properties }) =>
      isSchema(properties)
        ? (mergeSchemas({ properties: all }, { properties }).properties as JsonObject)
        : all,
    {},
  )
  return mergeSchemas(own, { properties, required: always })
}

function compileValueSchema(schema: JsonObject, format: SchemaFormat, limits: SizeLimits): JsonObject {
  const nullable = isNullable(schema)
  const inner = withoutNull(schema)
  const compiled = compileNonNull(inner, format, limits)
  return nullable ? allowNull(compiled, format) : compiled
}

function compileNonNull(schema: JsonObject, format: SchemaFormat, limits: SizeLimits): JsonObject {
  const branches = branchesOf(schema)
  if (branches.length === 1)
    return compileNonNull(mergeSchemas(withoutBranches(schema), branches[0] as JsonObject), format, limits)
  if (branches.length > 1) return compileUnion(schema, branches, format, limits)
  const kind = valueTypeOf(schema)
  switch (kind) {
    case 'object':
      return (allowsAnyProperty(schema) && format.freeObject === 'text') || limits.depth <= 0
        ? jsonTextSchema(schema, 'object', limits)
        : compileObjectSchema(schema, format, limits)
    case 'array':
      return limits.depth <= 0
        ? jsonTextSchema(schema, 'array', limits)
        : compileArraySchema(schema, format, limits)
    case 'any':
      return compileUntyped(schema, format, limits)
    default:
      return compileScalar(schema, kind, format, limits)
  }
}

function compileUnion(
  schema: JsonObject,
  branches: readonly JsonObject[],
  format: SchemaFormat,
  limits: SizeLimits,
): JsonObject {
  const siblings = withoutBranches(schema)
  const { description: _, title: __, default: ___, examples: ____, ...shared } = siblings
  return {
    ...titleAndDescription(schema, limits),
    anyOf: branches.map((branch) =>
      compileValueSchema(mergeSchemas(shared, branch), format, { ...limits, depth: limits.depth - 1 }),
    ),
  }
}

function compileObjectSchema(schema: JsonObject, format: SchemaFormat, limits: SizeLimits): JsonObject {
  const own = isSchema(schema.properties) ? schema.properties : {}
  const written = safePropertyNames(Object.keys(own))
  const required = new Set(Array.isArray(schema.required) ? (schema.required as string[]) : [])
  const deeper = { ...limits, depth: limits.depth - 1 }
  const properties: [string, JsonObject][] = []
  const needed: string[] = []
  for (const [name, property] of Object.entries(own)) {
    const writtenName = format.propertyName.test(name) ? name : (written.get(name) ?? name)
    const compiled = compileValueSchema(isSchema(property) ? property : {}, format, deeper)
    properties.push([
      writtenName,
      format.allRequired && !required.has(name) ? allowNull(compiled, format) : compiled,
    ])
    if (format.allRequired || required.has(name)) needed.push(writtenName)
  }
  return {
    type: 'object',
    ...titleAndDescription(schema, limits),
    ...(!format.keywords && supportedKeywords(schema, format)),
    properties: Object.fromEntries(properties),
    ...((needed.length > 0 || format.allRequired) && { required: needed }),
    ...(format.allRequired && { additionalProperties: false }),
  }
}

function compileArraySchema(schema: JsonObject, format: SchemaFormat, limits: SizeLimits): JsonObject {
  const first: unknown = Array.isArray(schema.prefixItems) ? { anyOf: schema.prefixItems } : undefined
  const items = isSchema(schema.items) ? schema.items : isSchema(first) ? first : {}
  return {
    type: 'array',
    ...titleAndDescription(schema, limits),
    ...supportedKeywords(schema, format),
    items: compileValueSchema(items, format, { ...limits, depth: limits.depth - 1 }),
  }
}

/** Of several types, or of none that is said. */
function compileUntyped(schema: JsonObject, format: SchemaFormat, limits: SizeLimits): JsonObject {
  const types = [schema.type].flat().filter(isValueType)
  if (!format.keywords) {
    const { enum: values, const: only } = schema
    return {
      ...titleAndDescription(schema, limits),
      ...(types.length > 0 && { type: types }),
      ...supportedKeywords(schema, format),
      ...(Array.isArray(values) && { enum: values }),
      ...(only !== undefined && { const: only }),
    }
  }
  const texts = titleAndDescription(schema, limits)
  const description = joinTexts(texts.description, oneOfSentence(allowedValues(schema) ?? []))
  const bare = {
    ...supportedKeywords(schema, format),
    ...(isSchema(schema.items) && { items: schema.items }),
    ...(isSchema(schema.properties) && { properties: schema.properties }),
  }
  return {
    ...texts,
    ...(description && { description }),
    anyOf: (types.length > 0 ? types : SCALARS).map((type) =>
      compileNonNull({ ...bare, type }, format, { ...limits, depth: limits.depth - 1 }),
    ),
  }
}

function compileScalar(
  schema: JsonObject,
  kind: ValueType,
  format: SchemaFormat,
  limits: SizeLimits,
): JsonObject {
  const options = allowedValues(schema)
  const texts = titleAndDescription(schema, limits)
  if (!options) return { type: kind, ...texts, ...supportedKeywords(schema, format) }
  const usable = options.filter(
    (option) => option !== null && (!format.enumOfTexts || (typeof option === 'string' && option !== '')),
  )
  if (usable.length === options.length && usable.length <= format.enumValuesMax)
    return { type: kind, ...texts, enum: [...new Set(usable)] }
  return { type: kind, ...texts, description: joinTexts(texts.description, oneOfSentence(options)) }
}

const allowedValues = (schema: JsonObject): unknown[] | undefined =>
  Array.isArray(schema.enum) ? schema.enum : Object.hasOwn(schema, 'const') ? [schema.const] : undefined

const oneOfSentence = (options: readonly unknown[]): string =>
  options.length === 0
    ? ''
    : `One of ${options
        .slice(0, OPTIONS_LISTED_MAX)
        .map((option) => JSON.stringify(option))
        .join(', ')}${options.length > OPTIONS_LISTED_MAX ? ' …' : ''}.`

/** A value that the dialect cannot describe, as text. `restoreArguments` reads it. */
const jsonTextSchema = (schema: JsonObject, kind: 'object' | 'array', limits: SizeLimits): JsonObject => {
  const names = isSchema(schema.properties) ? Object.keys(schema.properties).slice(0, 30) : []
  const members = names.length > 0 ? ` with the members ${names.join(', ')}` : ''
  return {
    type: 'string',
    description: joinTexts(
      titleAndDescription(schema, limits).description,
      `Give the JSON text of an ${kind}${members}.`,
    ),
  }
}

const allowsAnyProperty = (schema: JsonObject): boolean =>
  Object.keys(isSchema(schema.properties) ? schema.properties : {}).length === 0 &&
  schema.additionalProperties !== false

const branchesOf = ({ anyOf, oneOf }: JsonObject): JsonObject[] =>
  [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list.filter(isSchema) : []))
const withoutBranches = ({ anyOf: _, oneOf: __, ...own }: JsonObject): JsonObject => own
