import type { JsonSchema } from '../../../../catalog/index.ts'

/** Ways to say a schema in fewer characters, until it has room; all of them can be called by. */
const SHORTENING_LEVELS: readonly { examples: boolean; description: number }[] = [
  { examples: true, description: 4_000 },
  { examples: false, description: 300 },
  { examples: false, description: 120 },
  { examples: false, description: 60 },
]
const OMITTED_KEYWORDS = new Set(['title', '$schema'])

/** A schema as it is returned, and its size as JSON. */
interface FittedSchema {
  readonly schema: JsonSchema
  readonly bytes: number
  /** The same in fewer bytes, with every argument: examples go first, then the ends of descriptions. */
  readonly shorter: (() => FittedSchema) | undefined
}

/** @param schema without references */
function fitSchema(schema: JsonSchema, level = 0): FittedSchema {
  const { examples, description } = SHORTENING_LEVELS[level]!
  const fitted = shortenSchema(schema, examples, description) as JsonSchema
  return {
    schema: fitted,
    bytes: Buffer.byteLength(JSON.stringify(fitted)),
    shorter: level + 1 < SHORTENING_LEVELS.length ? () => fitSchema(fitted, level + 1) : undefined,
  }
}

/** Schemas that have room in so many bytes together: the largest gives way first, and is left out when it cannot. */
export function fitSchemas(
  schemas: ReadonlyMap<string, JsonSchema>,
  bytes: number,
): Map<string, FittedSchema> {
  const fitted = new Map([...schemas].map(([name, schema]) => [name, fitSchema(schema)]))
  for (let sum = [...fitted.values()].reduce((all, one) => all + one.bytes, 0); sum > bytes;) {
    const largest = (list: readonly (readonly [string, FittedSchema])[]) =>
      list.reduce((most, one) => (one[1].bytes > most[1].bytes ? one : most))
    const open = [...fitted].filter(([, one]) => one.shorter)
    const [name, one] = largest(open.length ? open : [...fitted])
    const next = one.shorter?.()
    if (next) fitted.set(name, next)
    else fitted.delete(name)
    sum += (next?.bytes ?? 0) - one.bytes
  }
  return fitted
}

/** Every schema inside; members of `properties` may have any name. */
function shortenSchema(
  value: unknown,
  examples: boolean,
  description: number,
  isPropertyMap = false,
): unknown {
  if (Array.isArray(value)) return value.map((item) => shortenSchema(item, examples, description))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
      if (isPropertyMap) return [[key, shortenSchema(inner, examples, description)]]
      if (OMITTED_KEYWORDS.has(key) || (key === 'examples' && !examples)) return []
      if (key === 'description' && typeof inner === 'string') return [[key, truncateText(inner, description)]]
      if (key === 'default' || key === 'const' || key === 'enum' || key === 'examples') return [[key, inner]]
      return [
        [
          key,
          shortenSchema(inner, examples, description, key === 'properties' || key === 'patternProperties'),
        ],
      ]
    }),
  )
}

/** The beginning of a text, whole sentences where there is room for one. */
export function truncateText(text: string, max: number): string {
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
