import { type Json, getOwn, list, object } from '../json.ts'
import type { LocatedValue } from '../openapi/references.ts'
import { describe } from './scalars.ts'

export const DESCRIPTION_MAX = 200
const MEMBERS_CHARACTERS_MAX = 160

export const itemsOf = (schema: Json, base: string): LocatedValue => ({
  value: Array.isArray(schema['items']) ? {} : (getOwn(schema, 'items') ?? {}),
  base,
})

/** Describes an object whose members are left out. */
export function listMembers(members: readonly string[], description: string | undefined): Json {
  const names = members.join(', ')
  return {
    description:
      `${description === undefined ? '' : `${description} `}Members: ` +
      `${names.length > MEMBERS_CHARACTERS_MAX ? `${names.slice(0, MEMBERS_CHARACTERS_MAX)}…` : names}.`,
  }
}

/** A member with a default is not required: the server has a value of its own. One with a single value is sent. */
export function requirements(schema: Json): Json {
  const properties = object(getOwn(schema, 'properties'))
  const isFilledIn = (name: string): boolean => {
    const member = object(getOwn(properties, name))
    const isConstant = Object.hasOwn(member, 'const') || list(getOwn(member, 'enum')).length === 1
    return getOwn(member, 'default') !== undefined && !isConstant
  }
  const names = list(getOwn(schema, 'required')).filter((name) => typeof name === 'string')
  const required = [...new Set(names)].filter((name) => !isFilledIn(name))
  return required.length > 0 ? { required } : {}
}

/** In OpenAPI 3.1 a reference may have a description next to it. */
export function besides(schema: Json, written: Json): Json {
  const description = describe({ description: getOwn(schema, 'description') }, DESCRIPTION_MAX)
  return nulled(description === undefined ? written : { ...written, description }, schema)
}

/** Handles `nullable` next to a union or a reference. */
export function nulled(written: Json, schema: Json): Json {
  if (schema['nullable'] !== true && schema['x-nullable'] !== true) return written
  if (written['type'] === undefined)
    return Array.isArray(written['anyOf'])
      ? { ...written, anyOf: [...written['anyOf'], { type: 'null' }] }
      : written
  const types = [written['type']].flat()
  if (types.includes('null')) return written
  return {
    ...written,
    type: [...types, 'null'],
    ...(Array.isArray(written['enum']) && { enum: [...written['enum'], null] }),
  }
}

/** Only what is a property can be required, whichever part of an `allOf` said so. */
export function closed(written: Json): Json {
  if (!Array.isArray(written['required'])) return written
  const properties = object(written['properties'])
  const required = written['required'].filter((name) => Object.hasOwn(properties, name as string))
  if (required.length === written['required'].length) return written
  const { required: _, ...rest } = written
  return required.length > 0 ? { ...rest, required } : rest
}
