import { isObject, type Json, getOwn } from '../json.ts'
import { quoted, ImportRejected } from '../import-rejected.ts'

const MARK = 'x-mcp-header'
const TOKEN = /^[\w!#$%&'*+.^`|~-]{1,100}$/
const PRIMITIVE: readonly unknown[] = ['string', 'integer', 'boolean']
/** What a path of the manifest can name. */
const SEGMENT = /^[^.\s[\]]+$/
const STEPS_MAX = 20_000

/**
 * Returns the arguments that are also sent in a header, by the name of the header (MCP 2026-07-28 "Custom
 * Headers from Tool Parameters"). A tool with an invalid mark must one that must not be offered. @throws
 * ImportRejected
 */
export function headerArguments(schema: Json): Record<string, string> {
  const found: Record<string, string> = {}
  const reached = new Set<unknown>()
  const collect = (properties: unknown, path: readonly string[]) => {
    if (!isObject(properties)) return
    for (const [name, property] of Object.entries(properties)) {
      if (!isObject(property)) continue
      const mark = getOwn(property, MARK)
      if (mark !== undefined) {
        reached.add(property)
        if (typeof mark !== 'string' || !TOKEN.test(mark) || !PRIMITIVE.includes(getOwn(property, 'type')))
          throw wrong(mark)
        if (
          ![...path, name].every((one) => SEGMENT.test(one)) ||
          Object.keys(found).some((other) => other.toLowerCase() === mark.toLowerCase())
        )
          throw wrong(mark)
        found[mark] = [...path, name].join('.')
      }
      collect(getOwn(property, 'properties'), [...path, name])
    }
  }
  collect(getOwn(schema, 'properties'), [])
  if (marksIn(schema) > reached.size)
    throw new ImportRejected(
      'not_readable',
      `The tool wants an argument in a header (\`${MARK}\`) that does not stand at a fixed place.`,
    )
  return found
}

const wrong = (mark: unknown) =>
  new ImportRejected(
    'not_readable',
    `The tool wants an argument in the header ${quoted(String(mark))} (\`${MARK}\`), which cannot be sent.`,
  )

/** How many schemas carry the mark, wherever they stand; names of properties are no marks. */
function marksIn(schema: Json): number {
  let count = 0
  const rest: { value: unknown; names: boolean }[] = [{ value: schema, names: false }]
  for (let steps = 0; rest.length > 0 && steps < STEPS_MAX; steps++) {
    const { value, names } = rest.pop()!
    if (Array.isArray(value)) {
      for (const one of value) rest.push({ value: one, names: false })
      continue
    }
    if (!isObject(value)) continue
    if (!names && Object.hasOwn(value, MARK)) count++
    for (const [key, inner] of Object.entries(value))
      if (isObject(inner) || Array.isArray(inner))
        rest.push({
          value: inner,
          names: !names && (key === 'properties' || key === '$defs' || key === 'definitions'),
        })
  }
  return count
}
