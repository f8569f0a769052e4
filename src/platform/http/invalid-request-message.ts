/** Names of the parts of a request in messages. Details use the names of the wire. */
const PART_NAMES: Readonly<Record<string, string>> = {
  payload: 'request body',
  query: 'query',
  params: 'path',
  headers: 'headers',
}
/** A field name, and a list of allowed values, may be as long as the body. */
const LENGTH_MAX = 500
/** Longest text of a received value. Longer ones are described by their length. */
const TEXT_SHOWN_MAX = 40

/** Wording of the validator, and the plain one. */
const WORDINGS: readonly (readonly [RegExp, string])[] = [
  [/^must be <= /, 'must be at most '],
  [/^must be >= /, 'must be at least '],
  [/^must be < /, 'must be less than '],
  [/^must be > /, 'must be more than '],
  [/^must NOT have more than /, 'must have at most '],
  [/^must NOT have fewer than /, 'must have at least '],
]
/** One type of JSON Schema or several. */
const TYPES = /^must be ((?:(?:string|number|integer|boolean|array|object|null)(?:,|$))+)$/
const PREDICATE = /^(is|are|must|may|cannot|differs|belongs|contains|has|needs) /

/**
 * Returns the first detail of an invalid request as a sentence, and the number of the others:
 * `Invalid request body: arguments.limit must be at most 100 (received 500).`
 */
export function invalidRequestMessage(details: readonly string[], received?: string): string {
  const [first] = details
  if (first === undefined) return 'The request is not valid.'
  const [, part = '', path = '', reason = first] =
    /^Error in (payload|query|params|headers)\.?(.*?): (.*)$/s.exec(first) ?? []
  const text = `${plainReason(reason)}${received === undefined ? '' : ` (received ${received})`}`
  const stop = /[?!]$/.test(text) ? '' : '.'
  const end = details.length > 1 ? `${stop} errors contains ${details.length - 1} more.` : stop
  const subject = PART_NAMES[part]
  if (subject === undefined) return `${text}${end}`
  if (path === '')
    return PREDICATE.test(text) ? `The ${subject} ${text}${end}` : `Invalid ${subject}: ${text}${end}`
  const field = path.slice(0, LENGTH_MAX)
  return `Invalid ${subject}: ${field}${PREDICATE.test(text) ? ' ' : ': '}${text}${end}`
}

function plainReason(reason: string): string {
  const text = reason.replace(/[.]$/, '').slice(0, LENGTH_MAX)
  const types = TYPES.exec(text)?.[1]
  if (types !== undefined) return `must be ${listOfTypes(types.split(','))}`
  const [pattern, wording] = WORDINGS.find(([one]) => one.test(text)) ?? []
  return pattern === undefined
    ? text
    : text.replace(pattern, wording as string).replace(/ 1 (character|item)s$/, ' 1 $1')
}

/** Returns `an object or null`. */
function listOfTypes(types: readonly string[]): string {
  const words = types.map((type) => (type === 'null' ? type : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`))
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** One error of the schema validator. */
export interface SchemaIssue {
  instancePath: string
  /** The place of the rule in the schema. */
  schemaPath?: string
  message?: string
  keyword?: string
  params?: Record<string, unknown>
  /** The schema of the object that has the value. */
  parentSchema?: object
  /** The invalid value. */
  data?: unknown
}

/**
 * Describes the value that a schema rejects, or returns undefined where that says nothing. Text may be a
 * secret in the wrong field, so that only the values of enums are repeated.
 */
export function describeReceived({ keyword, data }: SchemaIssue): string | undefined {
  switch (keyword) {
    case 'maxLength':
    case 'minLength':
      return typeof data === 'string' ? count([...data].length, 'character') : undefined
    case 'maxItems':
    case 'minItems':
      return Array.isArray(data) ? count(data.length, 'item') : undefined
    case 'enum':
      return typeof data === 'string' && data.length <= TEXT_SHOWN_MAX ? JSON.stringify(data) : kindOf(data)
    case 'type':
    case 'maximum':
    case 'minimum':
    case 'exclusiveMaximum':
    case 'exclusiveMinimum':
      return kindOf(data)
    default:
      return undefined
  }
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

function kindOf(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string') return 'a string'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
