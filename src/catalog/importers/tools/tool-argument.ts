import { isObject, type Json, getOwn } from '../json.ts'
import type { LocatedValue } from '../openapi/references.ts'
import { isOf, isPlaceholder } from '../schema/scalars.ts'
import type { SchemaWriter, Written } from '../schema/writer.ts'
import { plainText } from './words.ts'

/** One property of a tool's input, written when its depth is known. */
export interface Argument {
  readonly name: string
  readonly required: boolean
  /** Undefined when it is too large at this depth. */
  write(writer: SchemaWriter, depth: number): Written | undefined
  /** Its type and description, whatever it holds. */
  bare(): Json
}

interface Given {
  readonly name: string
  readonly required: boolean
  readonly place: LocatedValue
  readonly description: string | undefined
  readonly fallback: string
  readonly example?: unknown
  readonly filled?: boolean
}

const EXAMPLE_MAX = 100

/**
 * An argument described by a schema of the document. Every argument has a description: its own, that of its
 * schema, else its name in words.
 */
export function argumentOf({
  name,
  required,
  place,
  description,
  fallback,
  example,
  filled = false,
}: Given): Argument {
  const described = (json: Json): Json => ({
    ...json,
    description: describedAs(json, description, fallback),
    ...exampleFor(json, example),
    ...(filled && atLeastOne(json)),
  })
  return {
    name,
    required,
    write(writer, depth) {
      const written = writer.write(place, depth)
      return written && { ...written, json: described(written.json) }
    },
    bare: () => described({ ...typeOf(place) }),
  }
}

/** A place of a path cannot be empty: "this one" would become "all of them". */
function atLeastOne(json: Json): Json {
  const types = [json['type']].flat()
  return {
    ...(types.includes('array') && json['minItems'] === undefined && { minItems: 1 }),
    ...(types.includes('string') &&
      json['minLength'] === undefined &&
      json['enum'] === undefined &&
      json['format'] === undefined && { minLength: 1 }),
  }
}

/**
 * What is said of the argument, or of its schema, or its name in words; and after it what the schema means
 * beyond its keywords.
 */
export function describedAs(json: Json, description: string | undefined, fallback: string): string {
  const inner = typeof json['description'] === 'string' ? json['description'] : ''
  const notes =
    /(?:^|\s)((?:Deprecated\.|Base64-encoded\.|One of \d+ values|Default: |Pattern: |Members: ).*)$/s.exec(
      inner,
    )?.[1] ?? ''
  const said = description ?? (inner === notes ? `${fallback}.` : inner)
  return notes === '' || said.includes(notes) ? said : `${said} ${notes}`
}

/** An argument whose schema is known. */
export const fixedArgument = (name: string, required: boolean, json: Json): Argument => ({
  name,
  required,
  write: () => ({ json, cut: false }),
  bare: () => json,
})

function typeOf({ value }: LocatedValue): Json {
  const type = getOwn(value, 'type')
  return typeof type === 'string' &&
    ['object', 'array', 'string', 'integer', 'number', 'boolean'].includes(type)
    ? { type, ...(type === 'array' && { items: {} }) }
    : isObject(getOwn(value, 'properties'))
      ? { type: 'object' }
      : {}
}

function exampleFor(json: Json, example: unknown): Json {
  if (
    json['examples'] !== undefined ||
    (typeof example !== 'string' && typeof example !== 'number') ||
    String(example).length > EXAMPLE_MAX ||
    isPlaceholder(example)
  )
    return {}
  const types = [json['type']].flat().filter((type) => typeof type === 'string')
  return types.length === 0 || types.some((type) => isOf(example, type))
    ? { examples: [typeof example === 'string' ? plainText(example, EXAMPLE_MAX) : example] }
    : {}
}
