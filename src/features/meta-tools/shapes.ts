import { type JsonSchema, plainSchema } from '../../catalog/index.ts'

/** Ways to say a schema in fewer characters, until it has room; all of them can be called by. */
const TRIES: readonly { examples: boolean, description: number }[] = [{ examples: true, description: 4_000 }, { examples: false, description: 300 }, { examples: false, description: 120 }, { examples: false, description: 60 }]
const LEFT_OUT = new Set(['title', '$schema'])

/** A schema with every argument in at most so many bytes of JSON: examples go first, then the ends of descriptions. Undefined when it has no room even so. */
export function schemaWithin(schema: JsonSchema, bytesMax: number): JsonSchema | undefined {
  const plain = plainSchema(schema)
  for (const { examples, description } of TRIES) {
    const told = shorter(plain, examples, description) as JsonSchema
    if (Buffer.byteLength(JSON.stringify(told)) <= bytesMax) return told
  }
  return undefined
}

/** Every schema inside; members of `properties` may have any name. */
function shorter(value: unknown, examples: boolean, description: number, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => shorter(item, examples, description))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    if (isNames) return [[key, shorter(inner, examples, description)]]
    if (LEFT_OUT.has(key) || (key === 'examples' && !examples)) return []
    if (key === 'description' && typeof inner === 'string') return [[key, beginning(inner, description)]]
    if (key === 'default' || key === 'const' || key === 'enum' || key === 'examples') return [[key, inner]]
    return [[key, shorter(inner, examples, description, key === 'properties' || key === 'patternProperties')]]
  }))
}

/** The beginning of a text, whole sentences where there is room for one. */
export function beginning(text: string, max: number): string {
  if (text.length <= max) return text
  const cut = text.slice(0, max)
  const end = cut.lastIndexOf('. ')
  return end > max / 3 ? cut.slice(0, end + 1) : `${cut.slice(0, max - 1).trimEnd().toWellFormed()}…`
}
