export type JsonObject = Record<string, unknown>

export const isSchema = (value: unknown): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Words that say how far a value may go; where two say it, the stricter one holds. */
const STRICTER_OF: Readonly<Record<string, (a: number, b: number) => number>> = {
  minimum: Math.max,
  exclusiveMinimum: Math.max,
  minLength: Math.max,
  minItems: Math.max,
  minProperties: Math.max,
  maximum: Math.min,
  exclusiveMaximum: Math.min,
  maxLength: Math.min,
  maxItems: Math.min,
  maxProperties: Math.min,
}

/**
 * One schema for a value that fits both; texts of the first. Where the two cannot be said together (two
 * patterns), the first is kept: wider, never wrong.
 */
export function mergeSchemas(a: JsonObject, b: JsonObject): JsonObject {
  const result: JsonObject = { ...a }
  for (const [key, value] of Object.entries(b))
    result[key] = Object.hasOwn(a, key) ? mergeKeyword(key, a[key], value) : value
  return result
}

function mergeKeyword(key: string, a: unknown, b: unknown): unknown {
  const stricter = STRICTER_OF[key]
  if (Object.hasOwn(STRICTER_OF, key) && stricter && typeof a === 'number' && typeof b === 'number')
    return stricter(a, b)
  switch (key) {
    case 'required':
      return [...new Set([...toList(a), ...toList(b)])]
    case 'enum':
      return intersectValues(toList(a), toList(b))
    case 'type':
      return intersectTypes(a, b)
    case 'properties':
      return isSchema(a) && isSchema(b) ? mergeProperties(a, b) : a
    case 'items':
      return isSchema(a) && isSchema(b) ? mergeSchemas(a, b) : a
    case 'additionalProperties':
      return a === false || b === false ? false : isSchema(a) ? a : b
    default:
      return a
  }
}

function mergeProperties(a: JsonObject, b: JsonObject): JsonObject {
  const result: JsonObject = { ...a }
  for (const [name, schema] of Object.entries(b)) {
    const known = Object.hasOwn(a, name) ? a[name] : undefined
    Object.defineProperty(result, name, {
      value: isSchema(known) && isSchema(schema) ? mergeSchemas(known, schema) : (known ?? schema),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return result
}

/** `number` and `integer` together are `integer`. Types that exclude each other: the first. */
function intersectTypes(a: unknown, b: unknown): unknown {
  const left = [a].flat()
  const right = [b].flat()
  const shared = left.flatMap((one) =>
    right.includes(one)
      ? [one]
      : one === 'integer' && right.includes('number')
        ? ['integer']
        : one === 'number' && right.includes('integer')
          ? ['integer']
          : [],
  )
  return shared.length === 0 ? a : shared.length === 1 ? shared[0] : shared
}

function intersectValues(a: readonly unknown[], b: readonly unknown[]): unknown[] {
  const texts = new Set(b.map((value) => JSON.stringify(value)))
  const shared = a.filter((value) => texts.has(JSON.stringify(value)))
  return shared.length > 0 ? shared : [...a]
}

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
