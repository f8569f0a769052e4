import type { JsonSchema } from '../../../../catalog/index.ts'

/** Ways to say a schema in fewer characters, until it has room; all of them can be called by. */
const TRIES: readonly { examples: boolean; description: number }[] = [
  { examples: true, description: 4_000 },
  { examples: false, description: 300 },
  { examples: false, description: 120 },
  { examples: false, description: 60 },
]
const LEFT_OUT = new Set(['title', '$schema'])

/** A schema as it is told, and its size as JSON. */
interface Telling {
  readonly schema: JsonSchema
  readonly bytes: number
  /** The same in fewer bytes, with every argument: examples go first, then the ends of descriptions. */ readonly shorter:
    | (() => Telling)
    | undefined
}

/** @param schema without references */
function telling(schema: JsonSchema, level = 0): Telling {
  const { examples, description } = TRIES[level]!
  const told = shorter(schema, examples, description) as JsonSchema
  return {
    schema: told,
    bytes: Buffer.byteLength(JSON.stringify(told)),
    shorter: level + 1 < TRIES.length ? () => telling(told, level + 1) : undefined,
  }
}

/** Schemas that have room in so many bytes together: the largest gives way first, and is left out when it cannot. */
export function fitting(schemas: ReadonlyMap<string, JsonSchema>, bytes: number): Map<string, Telling> {
  const told = new Map([...schemas].map(([name, schema]) => [name, telling(schema)]))
  for (let sum = [...told.values()].reduce((all, one) => all + one.bytes, 0); sum > bytes;) {
    const largest = (list: readonly (readonly [string, Telling])[]) =>
      list.reduce((most, one) => (one[1].bytes > most[1].bytes ? one : most))
    const open = [...told].filter(([, one]) => one.shorter)
    const [name, one] = largest(open.length ? open : [...told])
    const next = one.shorter?.()
    if (next) told.set(name, next)
    else told.delete(name)
    sum += (next?.bytes ?? 0) - one.bytes
  }
  return told
}

/** Every schema inside; members of `properties` may have any name. */
function shorter(value: unknown, examples: boolean, description: number, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => shorter(item, examples, description))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
      if (isNames) return [[key, shorter(inner, examples, description)]]
      if (LEFT_OUT.has(key) || (key === 'examples' && !examples)) return []
      if (key === 'description' && typeof inner === 'string') return [[key, beginning(inner, description)]]
      if (key === 'default' || key === 'const' || key === 'enum' || key === 'examples') return [[key, inner]]
      return [
        [key, shorter(inner, examples, description, key === 'properties' || key === 'patternProperties')],
      ]
    }),
  )
}

/** The beginning of a text, whole sentences where there is room for one. */
export function beginning(text: string, max: number): string {
  if (text.length <= max) return text
  const cut = text.slice(0, max)
  const end = cut.lastIndexOf('. ')
  return end > max / 3
    ? cut.slice(0, end + 1)
    : `${cut
        .slice(0, max - 1)
        .trimEnd()
        .toWellFormed()}…`
}
