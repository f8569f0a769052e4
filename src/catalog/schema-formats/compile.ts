import type { Dialect } from './formats.ts'
import { isSchema, merge, type JsonObject } from './merge.ts'
import { writtenNames } from './property-names.ts'
import { isKind, isNullable, kindOf, type Kind, withoutNull } from './kinds.ts'

interface Limits {
  depth: number
  descriptionMax: number
}

const OPTIONS_TOLD_MAX = 50
const SCALARS: readonly Kind[] = ['string', 'number', 'boolean']

/** A schema without references (`plainSchema`) as a dialect writes it, to a depth; deeper values are told as text that holds their JSON. */
export function compileSchema(schema: JsonObject, dialect: Dialect, limits: Limits): JsonObject {
  return asObject(withoutUnions(schema), dialect, {
    ...limits,
    depth: Math.min(limits.depth, dialect.depthMax),
  })
}

/** The root of arguments is one object, whatever alternatives it has: all their properties, and required what all of them require. */
function withoutUnions({ anyOf, oneOf, ...own }: JsonObject): JsonObject {
  const branches = [anyOf, oneOf].flatMap((list) =>
    Array.isArray(list) ? list.filter(isSchema).map(withoutUnions) : [],
  )
  if (branches.length === 0) return own
  const needed = branches.map(
    ({ required }) => new Set(Array.isArray(required) ? (required as string[]) : []),
  )
  const always = [...(needed[0] ?? [])].filter((name) => needed.every((names) => names.has(name)))
  const properties = branches.reduce<JsonObject>(
    (all, { properties }) =>
      isSchema(properties) ? (merge({ properties: all }, { properties }).properties as JsonObject) : all,
    {},
  )
  return merge(own, { properties, required: always })
}

function value(schema: JsonObject, dialect: Dialect, limits: Limits): JsonObject {
  const nullable = isNullable(schema)
  const inner = withoutNull(schema)
  const compiled = notNull(inner, dialect, limits)
  return nullable ? orNull(compiled, dialect) : compiled
}

function notNull(schema: JsonObject, dialect: Dialect, limits: Limits): JsonObject {
  const branches = branchesOf(schema)
  if (branches.length === 1)
    return notNull(merge(withoutBranches(schema), branches[0] as JsonObject), dialect, limits)
  if (branches.length > 1) return union(schema, branches, dialect, limits)
  const kind = kindOf(schema)
  switch (kind) {
    case 'object':
      return (isFree(schema) && dialect.freeObject === 'text') || limits.depth <= 0
        ? jsonText(schema, 'object', limits)
        : asObject(schema, dialect, limits)
    case 'array':
      return limits.depth <= 0 ? jsonText(schema, 'array', limits) : asArray(schema, dialect, limits)
    case 'any':
      return anything(schema, dialect, limits)
    default:
      return scalar(schema, kind, dialect, limits)
  }
}

function union(
  schema: JsonObject,
  branches: readonly JsonObject[],
  dialect: Dialect,
  limits: Limits,
): JsonObject {
  const beside = withoutBranches(schema)
  const { description: _, title: __, default: ___, examples: ____, ...shared } = beside
  return {
    ...text(schema, limits),
    anyOf: branches.map((branch) =>
      value(merge(shared, branch), dialect, { ...limits, depth: limits.depth - 1 }),
    ),
  }
}

function asObject(schema: JsonObject, dialect: Dialect, limits: Limits): JsonObject {
  const own = isSchema(schema.properties) ? schema.properties : {}
  const written = writtenNames(Object.keys(own))
  const required = new Set(Array.isArray(schema.required) ? (schema.required as string[]) : [])
  const deeper = { ...limits, depth: limits.depth - 1 }
  const properties: [string, JsonObject][] = []
  const needed: string[] = []
  for (const [name, property] of Object.entries(own)) {
    const shown = dialect.propertyName.test(name) ? name : (written.get(name) ?? name)
    const compiled = value(isSchema(property) ? property : {}, dialect, deeper)
    properties.push([
      shown,
      dialect.allRequired && !required.has(name) ? orNull(compiled, dialect) : compiled,
    ])
    if (dialect.allRequired || required.has(name)) needed.push(shown)
  }
  return {
    type: 'object',
    ...text(schema, limits),
    ...(!dialect.words && kept(schema, dialect)),
    properties: Object.fromEntries(properties),
    ...((needed.length > 0 || dialect.allRequired) && { required: needed }),
    ...(dialect.allRequired && { additionalProperties: false }),
  }
}

function asArray(schema: JsonObject, dialect: Dialect, limits: Limits): JsonObject {
  const first: unknown = Array.isArray(schema.prefixItems) ? { anyOf: schema.prefixItems } : undefined
  const items = isSchema(schema.items) ? schema.items : isSchema(first) ? first : {}
  return {
    type: 'array',
    ...text(schema, limits),
    ...kept(schema, dialect),
    items: value(items, dialect, { ...limits, depth: limits.depth - 1 }),
  }
}

/** Of several types, or of none that is said. */
function anything(schema: JsonObject, dialect: Dialect, limits: Limits): JsonObject {
  const types = [schema.type].flat().filter(isKind)
  if (!dialect.words) {
    const { enum: values, const: only } = schema
    return {
      ...text(schema, limits),
      ...(types.length > 0 && { type: types }),
      ...kept(schema, dialect),
      ...(Array.isArray(values) && { enum: values }),
      ...(only !== undefined && { const: only }),
    }
  }
  const told = text(schema, limits)
  const description = joined(told.description, oneOf(optionsOf(schema) ?? []))
  const bare = {
    ...kept(schema, dialect),
    ...(isSchema(schema.items) && { items: schema.items }),
    ...(isSchema(schema.properties) && { properties: schema.properties }),
  }
  return {
    ...told,
    ...(description && { description }),
    anyOf: (types.length > 0 ? types : SCALARS).map((type) =>
      notNull({ ...bare, type }, dialect, { ...limits, depth: limits.depth - 1 }),
    ),
  }
}

function scalar(schema: JsonObject, kind: Kind, dialect: Dialect, limits: Limits): JsonObject {
  const options = optionsOf(schema)
  const told = text(schema, limits)
  if (!options) return { type: kind, ...told, ...kept(schema, dialect) }
  const usable = options.filter(
    (option) => option !== null && (!dialect.enumOfTexts || (typeof option === 'string' && option !== '')),
  )
  if (usable.length === options.length && usable.length <= dialect.enumValuesMax)
    return { type: kind, ...told, enum: [...new Set(usable)] }
  return { type: kind, ...told, description: joined(told.description, oneOf(options)) }
}

const optionsOf = (schema: JsonObject): unknown[] | undefined =>
  Array.isArray(schema.enum) ? schema.enum : Object.hasOwn(schema, 'const') ? [schema.const] : undefined

const oneOf = (options: readonly unknown[]): string =>
  options.length === 0
    ? ''
    : `One of ${options
        .slice(0, OPTIONS_TOLD_MAX)
        .map((option) => JSON.stringify(option))
        .join(', ')}${options.length > OPTIONS_TOLD_MAX ? ' …' : ''}.`

/** What the dialect knows of the words that say how far a value may go. */
function kept(schema: JsonObject, { words, formats }: Dialect): JsonObject {
  const skip = new Set([
    'type',
    'title',
    'description',
    'properties',
    'required',
    'items',
    'prefixItems',
    'enum',
    'const',
    'anyOf',
    'oneOf',
  ])
  return Object.fromEntries(
    Object.entries(schema).filter(
      ([key, rule]) =>
        !skip.has(key) &&
        (!words || words.has(key)) &&
        (key !== 'format' || !formats || formats.has(rule as string)),
    ),
  )
}

const orNull = (schema: JsonObject, dialect: Dialect): JsonObject => {
  if (dialect.null === 'nullable') return { ...schema, nullable: true }
  if (Array.isArray(schema.anyOf))
    return isNullable(schema) ? schema : { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] }
  if (schema.type === undefined) return schema
  const types = [schema.type].flat()
  return {
    ...schema,
    type: types.includes('null') ? types : [...types, 'null'],
    ...(Array.isArray(schema.enum) && { enum: [...schema.enum.filter((one) => one !== null), null] }),
  }
}

/** A value that the dialect cannot describe, as text. `restoreArguments` reads it. */
const jsonText = (schema: JsonObject, kind: 'object' | 'array', limits: Limits): JsonObject => {
  const names = isSchema(schema.properties) ? Object.keys(schema.properties).slice(0, 30) : []
  const members = names.length > 0 ? ` with the members ${names.join(', ')}` : ''
  return {
    type: 'string',
    description: joined(text(schema, limits).description, `Give the JSON text of an ${kind}${members}.`),
  }
}

const isFree = (schema: JsonObject): boolean =>
  Object.keys(isSchema(schema.properties) ? schema.properties : {}).length === 0 &&
  schema.additionalProperties !== false

const branchesOf = ({ anyOf, oneOf }: JsonObject): JsonObject[] =>
  [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list.filter(isSchema) : []))
const withoutBranches = ({ anyOf: _, oneOf: __, ...own }: JsonObject): JsonObject => own

function text(
  { title, description }: JsonObject,
  { descriptionMax }: Limits,
): { title?: string; description?: string } {
  return {
    ...(typeof title === 'string' && descriptionMax > 200 && { title: title.slice(0, 100) }),
    ...(typeof description === 'string' &&
      description !== '' && {
        description:
          description.length > descriptionMax ? `${description.slice(0, descriptionMax - 1)}…` : description,
      }),
  }
}

const joined = (...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(' ')
