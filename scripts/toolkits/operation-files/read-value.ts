import type { Json } from '../../../src/catalog/importers/json.ts'
import { FILE_ARGUMENT } from '../../../src/catalog/importers/tools/body.ts'
import { Value } from 'typebox/value'
import { type StatedParts, type StatedValue, type StatedValues, StatedValueSchema } from './format.ts'

/** A value of a request or a result: its schema, and how it is sent. */
export interface ReadValue {
  readonly schema: Json
  readonly isRequired: boolean
  readonly isFile: boolean
  readonly argument: string | undefined
  readonly style: string | undefined
  readonly as: string | undefined
}

const BASE_TYPES: Readonly<Record<string, Json>> = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  object: { type: 'object' },
  any: {},
  file: FILE_ARGUMENT,
  date: { type: 'string', format: 'date' },
  'date-time': { type: 'string', format: 'date-time' },
  uuid: { type: 'string', format: 'uuid' },
  email: { type: 'string', format: 'email' },
  url: { type: 'string', format: 'uri' },
}
/** Type, list, required, default and description: `asc|desc=asc: Direction.` */
const NOTATION = /^([^\s:![\]=]+)(\[\])?(!)?(?:=([^:!]*))?(?:: (.+))?$/s

/**
 * Reads the notation of a value: a type of `BASE_TYPES` or allowed texts separated by `|`, `[]` for a list, `!` for
 * required, `=` and a default, then a colon and the description.
 *
 * @throws Error for another notation
 */
export function readValue(stated: StatedValue, where: string): ReadValue {
  if (!Value.Check(StatedValueSchema, stated))
    throw new Error(
      `${where} is no value: a text such as "string!: Id of the list.", or an object with it as "is".`,
    )
  const {
    is,
    members,
    argument,
    style,
    as,
    schema: more,
  } = typeof stated === 'string' ? ({ is: stated } as StatedParts) : stated
  const found = NOTATION.exec(is)
  if (!found) throw new Error(`${where}: "${is.slice(0, 60)}" must be like "string!: Id of the list."`)
  const [, type = '', isList, required, fallback, description] = found
  const one = withMembers(typeOf(type, where), members, where)
  const schema = isList === undefined ? one : { type: 'array', items: withoutText(one) }
  return {
    schema: {
      ...schema,
      ...(description !== undefined && { description }),
      ...(fallback !== undefined && { default: defaultOf(type, fallback) }),
      ...more,
    },
    isRequired: required !== undefined,
    isFile: type === 'file',
    argument,
    style,
    as,
  }
}

/** The properties and the required names of values that belong to one object. */
export function readMembers(values: StatedValues, where: string): Json {
  const read = Object.entries(values).map(
    ([name, value]) => [name, readValue(value, `${where}.${name}`)] as const,
  )
  const required = read.filter(([, { isRequired }]) => isRequired).map(([name]) => name)
  return {
    properties: Object.fromEntries(read.map(([name, { schema }]) => [name, schema])),
    ...(required.length > 0 && { required }),
  }
}

function typeOf(type: string, where: string): Json {
  const base = Object.hasOwn(BASE_TYPES, type) ? BASE_TYPES[type] : undefined
  if (base) return base
  if (type.includes('|')) return { type: 'string', enum: type.split('|') }
  throw new Error(
    `${where}: ${type} is no type. There are ${Object.keys(BASE_TYPES).join(', ')}, and texts with |.`,
  )
}

function withMembers(schema: Json, members: StatedValues | undefined, where: string): Json {
  if (!members) return schema
  if (schema['type'] !== 'object') throw new Error(`${where}: only an object has members.`)
  return { ...schema, ...readMembers(members, where) }
}

const withoutText = ({ description: _, ...schema }: Json): Json => schema

function defaultOf(type: string, text: string): unknown {
  if (type === 'integer' || type === 'number') return Number(text)
  return type === 'boolean' ? text === 'true' : text
}
