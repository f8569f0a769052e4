import { isObject, type Json, list, object, getOwn, nonEmptyString } from '../json.ts'
import { plainText } from '../tools/words.ts'

export const TYPES: readonly string[] = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null']
/** What people write where a type belongs. */
const MEANT: Readonly<Record<string, string>> = {
  int: 'integer',
  int32: 'integer',
  int64: 'integer',
  long: 'integer',
  short: 'integer',
  float: 'number',
  double: 'number',
  decimal: 'number',
  bool: 'boolean',
  date: 'string',
  datetime: 'string',
  'date-time': 'string',
  uuid: 'string',
  text: 'string',
  str: 'string',
  uri: 'string',
  url: 'string',
  email: 'string',
  enum: 'string',
  file: 'string',
  list: 'array',
  map: 'object',
  dict: 'object',
  hash: 'object',
  json: 'object',
}
/** Formats that the validator checks and models understand; others would reject valid values. */
const FORMATS: readonly string[] = ['date', 'date-time', 'email', 'uuid', 'uri', 'ipv4', 'ipv6', 'hostname']
const ENUM_MAX = 120
const EXAMPLE_MAX = 100

/** The types that a schema names or that follow from its keywords; empty when it may be anything. */
export function typesOf(schema: Json): string[] {
  const declaredTypes = (
    Array.isArray(schema['type']) ? (schema['type'] as unknown[]) : [schema['type']]
  ).flatMap((one) => {
    const word = typeof one === 'string' ? one.toLowerCase() : ''
    return TYPES.includes(word) ? [word] : Object.hasOwn(MEANT, word) ? [MEANT[word]!] : []
  })
  const types =
    declaredTypes.length > 0
      ? declaredTypes
      : isObject(getOwn(schema, 'properties'))
        ? ['object']
        : getOwn(schema, 'items') !== undefined
          ? ['array']
          : []
  const nullable = schema['nullable'] === true || schema['x-nullable'] === true
  return [...new Set(types.length > 0 && nullable ? [...types, 'null'] : types)]
}

/** `type` as JSON Schema writes it. */
export const typeKeyword = (types: readonly string[]): Json =>
  types.length === 0 ? {} : { type: types.length === 1 ? types[0] : [...types] }

/** `{{id}}` is a place of a collection that the document was made from, not a value. */
export const isPlaceholder = (value: unknown): boolean =>
  typeof value === 'string' && value.includes('{{') && value.includes('}}', value.indexOf('{{') + 2)

/**
 * Values that fit the type; those that only a quoting mistake keeps from it are put right. Too many are left
 * to the description.
 */
export function enumOf(schema: Json, types: readonly string[]): unknown[] | undefined {
  const allowedValues = Object.hasOwn(schema, 'const') ? [schema['const']] : list(getOwn(schema, 'enum'))
  if (allowedValues.length === 0 || allowedValues.length > ENUM_MAX) return undefined
  const fitting = allowedValues
    .filter((value) => !isPlaceholder(value))
    .flatMap((value) => fitted(value, types))
    .filter((value) => value === null || typeof value !== 'object')
  const distinct = [...new Set(fitting)]
  if (distinct.length === 0 || (distinct.length === 1 && distinct[0] === null)) return undefined
  return types.includes('null') && !distinct.includes(null) ? [...distinct, null] : distinct
}

function fitted(value: unknown, types: readonly string[]): unknown[] {
  if (types.length === 0) return [value]
  if (value === null) return types.includes('null') ? [null] : []
  if (types.some((type) => isOf(value, type))) return [value]
  if (types.includes('string') && (typeof value === 'number' || typeof value === 'boolean'))
    return [String(value)]
  if (typeof value !== 'string') return []
  const number = Number(value)
  if (value.trim() !== '' && types.some((type) => isOf(number, type))) return [number]
  return types.includes('boolean') && /^(true|false)$/i.test(value) ? [value.toLowerCase() === 'true'] : []
}

export function isOf(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value)
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  return type === 'object' ? isObject(value) : typeof value === type
}

const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 2 ** 31 ? value : undefined

function range(low: number | undefined, high: number | undefined, names: readonly [string, string]): Json {
  // A range that nothing fits is a mistake of the document.
  if (low !== undefined && high !== undefined && low > high) return {}
  return {
    ...(low !== undefined && low > 0 && { [names[0]]: low }),
    ...(high !== undefined && high > 0 && { [names[1]]: high }),
  }
}

/**
 * Format, length and range. Foreign patterns can run without end, so they are described and never executed.
 */
export function scalarRules(schema: Json, types: readonly string[]): Json {
  const format = getOwn(schema, 'format')
  return {
    ...(types.includes('string') && typeof format === 'string' && FORMATS.includes(format) && { format }),
    ...(types.includes('string') && isFile(schema) && { format: 'binary' }),
    // A format has its own length; documents that give another contradict themselves.
    ...(types.includes('string') &&
      !(typeof format === 'string' && FORMATS.includes(format)) &&
      range(count(schema['minLength']), count(schema['maxLength']), ['minLength', 'maxLength'])),
    ...(types.includes('array') &&
      range(count(schema['minItems']), count(schema['maxItems']), ['minItems', 'maxItems'])),
    ...(types.some((type) => type === 'integer' || type === 'number') && numberRange(schema)),
  }
}

/** `format: binary` in OpenAPI 3.0, `contentMediaType` in 3.1, `type: file` in Swagger 2. */
const isFile = (schema: Json) =>
  schema['format'] === 'binary' ||
  schema['type'] === 'file' ||
  (typeof schema['contentMediaType'] === 'string' && schema['contentEncoding'] === undefined)

/** `format: byte` in Swagger 2 and OpenAPI 3.0, `contentEncoding: base64` in 3.1. */
const isBase64 = (schema: Json) =>
  getOwn(schema, 'format') === 'byte' || getOwn(schema, 'contentEncoding') === 'base64'

/** Formats of texts that say no more than the type. */
const PLAIN_FORMATS: readonly string[] = ['byte', 'binary', 'string', 'text', 'password']
const FORMAT_MAX = 60

/** A format that the validator does not check, in words: a model that knows it writes the right text. */
function otherFormat(schema: Json): string {
  const format = nonEmptyString(getOwn(schema, 'format'))
  const isText = typesOf(schema).includes('string')
  if (format === undefined || !isText || FORMATS.includes(format) || PLAIN_FORMATS.includes(format)) return ''
  return format.length <= FORMAT_MAX ? `Format: ${plainText(format, FORMAT_MAX)}.` : ''
}

function numberRange(schema: Json): Json {
  const number = (key: string) => {
    const value = schema[key]
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined
  }
  const out: Json = {}
  // `exclusiveMinimum` is a boolean in OpenAPI 3.0 and a number in 3.1.
  for (const [plain, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (number(exclusive) !== undefined) out[exclusive] = number(exclusive)
    else if (number(plain) !== undefined) out[schema[exclusive] === true ? exclusive : plain] = number(plain)
  }
  const low = (out['minimum'] ?? out['exclusiveMinimum'] ?? -Infinity) as number
  const high = (out['maximum'] ?? out['exclusiveMaximum'] ?? Infinity) as number
  return low > high || (low === high && ('exclusiveMinimum' in out || 'exclusiveMaximum' in out)) ? {} : out
}

/** What the keywords that are left out mean, in words, after the description. */
export function describe(schema: Json, most: number): string | undefined {
  const said = nonEmptyString(getOwn(schema, 'description')) ?? nonEmptyString(getOwn(schema, 'title'))
  const values = list(getOwn(schema, 'enum'))
  const fallback = getOwn(schema, 'default')
  const notes = [
    schema['deprecated'] === true ? 'Deprecated.' : '',
    isBase64(schema) ? 'Base64-encoded.' : '',
    otherFormat(schema),
    values.length > ENUM_MAX
      ? `One of ${values.length} values, e.g. ${values
          .slice(0, 8)
          .map((one) => String(one))
          .join(', ')
          .slice(0, 200)}.`
      : '',
    fallback !== undefined &&
    fallback !== null &&
    fallback !== '' &&
    typeof fallback !== 'object' &&
    !isPlaceholder(fallback)
      ? `Default: ${String(fallback).slice(0, 60)}.`
      : '',
    typeof schema['pattern'] === 'string' && schema['pattern'].length <= 80
      ? `Pattern: ${schema['pattern']}`
      : '',
  ]
    .filter(Boolean)
    .join(' ')
  const description = [said === undefined ? '' : plainText(said, Math.max(40, most - notes.length)), notes]
    .filter(Boolean)
    .join(' ')
  return description === '' ? undefined : description.toWellFormed()
}

/** One example, if it is short. */
export function exampleOf(schema: Json, types: readonly string[]): Json {
  const example =
    getOwn(schema, 'example') ??
    list(getOwn(schema, 'examples'))[0] ??
    object(getOwn(schema, 'x-example'))['value']
  const fits =
    (typeof example === 'string' || typeof example === 'number') &&
    String(example).length <= EXAMPLE_MAX &&
    !isPlaceholder(example) &&
    (types.length === 0 || types.some((type) => isOf(example, type)))
  return fits ? { examples: [typeof example === 'string' ? example.toWellFormed() : example] } : {}
}
