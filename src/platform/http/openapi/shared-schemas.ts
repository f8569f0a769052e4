import { isDeepStrictEqual } from 'node:util'

export type JsonObject = Record<string, unknown>

/** Collects named schemas, so that the document contains each once. */
export interface SharedSchemas {
  /** Returns the schema in the form of the document: a reference for a named schema. */
  show(schema: object): JsonObject
  /** Every named schema so far. */
  components: Record<string, JsonObject>
}

export function sharedSchemas(): SharedSchemas {
  const components: Record<string, JsonObject> = {}

  function show(schema: object): JsonObject {
    const { $id, ...rest } = plain(schema) as JsonObject
    if (typeof $id !== 'string') return rest
    // A schema that was spread from a named one, such as a nullable one, has its name and other content.
    const { description: sharedDescription, ...shared } = (components[$id] ??= rest)
    const { description, ...own } = rest
    if (!isDeepStrictEqual(shared, own)) return rest
    const reference = { $ref: `#/components/schemas/${$id}` }
    return description === sharedDescription ? reference : { ...reference, description }
  }

  /** Returns what JSON would contain. The marks of the schema library are hidden properties. */
  function plain(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => nested(item))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]): [string, unknown] => [key, nested(item)])
    if (describesDeprecated(value as JsonObject)) entries.push(['deprecated', true])
    return Object.fromEntries(entries)
  }

  function nested(value: unknown): unknown {
    return typeof value === 'object' && value !== null && '$id' in value ? show(value) : plain(value)
  }

  return { show, components }
}

/** Returns whether the description of a schema marks it as deprecated. */
export const describesDeprecated = ({ description }: { description?: unknown }): boolean =>
  typeof description === 'string' && description.startsWith('Deprecated: ')
