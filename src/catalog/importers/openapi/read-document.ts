import { load, YAMLException } from 'js-yaml'
import { BOUNDS } from '../bounds.ts'
import { isObject, type Json } from '../json.ts'
import { quoted, ImportRejected } from '../import-rejected.ts'

const MB = 1024 * 1024

/**
 * Reads the text of a document, JSON or YAML. With `faults`, keys that a YAML mapping repeats are added to them
 * and the last value is used, as in JSON. @throws ImportRejected for what is too large, too deep, unreadable, or
 * no object.
 */
export function readDocument(source: string, faults?: Set<string>): Json {
  const text = source.replace(/^\uFEFF/, '')
  const value = (/^\s*[{[]/.test(text) ? readJson(text) : undefined) ?? readYaml(text, faults)
  if (!isObject(value))
    throw new ImportRejected(
      'not_openapi',
      'This is not an OpenAPI or Swagger document: expected a YAML or JSON object at the top level.',
    )
  checkShape(value)
  return value
}

/** Undefined when it is not JSON; it may be YAML in flow style then. */
function readJson(text: string): unknown {
  if (text.length > BOUNDS.jsonCharacters) throw tooLarge(text.length, BOUNDS.jsonCharacters)
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Without tags and types of its own: a date stays the text it is in JSON. */
function readYaml(text: string, faults: Set<string> | undefined): unknown {
  if (text.length > BOUNDS.yamlCharacters) throw tooLarge(text.length, BOUNDS.yamlCharacters)
  const options = { maxDepth: BOUNDS.depth, maxAliases: BOUNDS.yamlAliases }
  try {
    return load(text, options)
  } catch (error) {
    if (!isRepeatedKey(error)) throw unreadable(error)
    const place = `A YAML mapping repeats a key${lineOf(error)}`
    if (!faults)
      throw new ImportRejected(
        'not_readable',
        `${place}. Correct the document, or import it with \`lenient\` (--lenient): the last value is used then.`,
      )
    faults.add(`${place}. Of repeated keys, the last value is used.`)
  }
  try {
    return load(text, { ...options, json: true })
  } catch (error) {
    throw unreadable(error)
  }
}

const isRepeatedKey = (error: unknown): error is YAMLException =>
  error instanceof YAMLException && error.reason === 'duplicated mapping key'

const lineOf = ({ mark }: YAMLException): string => (mark ? `, line ${mark.line + 1}` : '')

function unreadable(error: unknown): ImportRejected {
  const reason = error instanceof YAMLException ? `${error.reason}${lineOf(error)}` : (error as Error).message
  return new ImportRejected(
    'not_readable',
    `The document is neither JSON nor YAML: ${quoted(reason, 200)}. Correct it, or send its JSON form.`,
  )
}

const tooLarge = (size: number, most: number) =>
  new ImportRejected(
    'too_large',
    `The document has ${(size / MB).toFixed(1)} million characters; at most ${(most / MB).toFixed(0)} ` +
      'million are read. Split it by the areas of the API.',
  )

/**
 * Counts values as if every alias were expanded, and checks depth and cycles; each object is visited once.
 * @throws ImportRejected
 */
export function checkShape(root: Json): void {
  const known = new Map<object, { values: number; depth: number }>()
  const under = new Set<object>()
  const stack: { value: object; entered: boolean }[] = [{ value: root, entered: false }]
  while (stack.length > 0) {
    const top = stack.at(-1)!
    if (known.has(top.value)) {
      stack.pop()
      continue
    }
    const children = Object.values(top.value).filter(
      (one): one is object => one !== null && typeof one === 'object',
    )
    if (!top.entered) {
      if (under.size > BOUNDS.depth)
        throw new ImportRejected('too_large', `The document is nested deeper than ${BOUNDS.depth} levels.`)
      top.entered = true
      under.add(top.value)
      for (const value of children) {
        if (under.has(value))
          throw new ImportRejected(
            'not_readable',
            'A YAML anchor of the document holds itself. Write it as a `$ref`.',
          )
        if (!known.has(value)) stack.push({ value, entered: false })
      }
      continue
    }
    stack.pop()
    under.delete(top.value)
    const inner = children.map((value) => known.get(value)!)
    const values = inner.reduce((sum, one) => sum + one.values, Object.keys(top.value).length + 1)
    const depth = inner.reduce((most, one) => Math.max(most, one.depth), 0) + 1
    if (values > BOUNDS.values)
      throw new ImportRejected(
        'too_large',
        `The document holds more than ${BOUNDS.values} values. Split it by the areas of the API.`,
      )
    if (depth > BOUNDS.depth)
      throw new ImportRejected('too_large', `The document is nested deeper than ${BOUNDS.depth} levels.`)
    known.set(top.value, { values, depth })
  }
}
