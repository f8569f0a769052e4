import type { JsonObject } from './merge.ts'
import type { SchemaFormat } from './formats.ts'
import { isNullable } from './kinds.ts'
import type { SizeLimits } from './compile.ts'

/** What the dialect knows of the words that say how far a value may go. */
export function supportedKeywords(
  schema: JsonObject,
  { keywords: words, formats }: SchemaFormat,
): JsonObject {
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

export const allowNull = (schema: JsonObject, format: SchemaFormat): JsonObject => {
  if (format.null === 'nullable') return { ...schema, nullable: true }
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

export function titleAndDescription(
  { title, description }: JsonObject,
  { descriptionMax }: SizeLimits,
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

export const joinTexts = (...parts: readonly (string | undefined)[]): string =>
  parts.filter(Boolean).join(' ')
