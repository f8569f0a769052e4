import { isDeepStrictEqual } from 'node:util'

export type JsonObject = Record<string, unknown>

/** Collects the shapes that have a name of their own, so that the document says each of them once. */
export interface SharedSchemas {
  /** The schema as the document shows it; a named one becomes a reference. */
  show(schema: object): JsonObject
  /** Every named schema shown so far. */
  components: Record<string, JsonObject>
}

export function sharedSchemas(): SharedSchemas {
  const components: Record<string, JsonObject> = {}

  function show(schema: object): JsonObject {
    const { $id, ...rest } = plain(schema) as JsonObject
    if (typeof $id !== 'string') return rest
    // Variations made by spreading a named schema (a nullable one, say) keep its name: only the first keeps the reference.
    const known = (components[$id] ??= rest)
    return isDeepStrictEqual(known, rest) ? { $ref: `#/components/schemas/${$id}` } : rest
  }

  /** Only what JSON would keep: the library's own marks are hidden properties. */
  function plain(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => nested(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => [key, nested(item)]),
    )
  }

  function nested(value: unknown): unknown {
    return typeof value === 'object' && value !== null && '$id' in value ? show(value) : plain(value)
  }

  return { show, components }
}
