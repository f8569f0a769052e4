import type { Json } from '../json.ts'

const moment: Json = {
  type: 'string',
  description: 'Date and time (ISO 8601).',
  examples: ['2026-01-31T09:00:00Z'],
}
const day: Json = { type: 'string', description: 'Date (ISO 8601).', examples: ['2026-01-31'] }
const whole: Json = { type: 'integer' }
const number: Json = { type: 'number' }
const text: Json = { type: 'string' }
const address: Json = { type: 'string', description: 'Web address.' }
const big: Json = {
  type: ['integer', 'string'],
  description: 'Whole number; as text when it is longer than 15 digits.',
}
const decimal: Json = { type: ['string', 'number'], description: 'Decimal number, best as text.' }

/**
 * What scalars are in JSON, by their name in lower case: those of the language, and those that servers
 * usually add.
 */
const KNOWN: Readonly<Record<string, Json>> = {
  string: text,
  id: text,
  int: whole,
  float: number,
  boolean: { type: 'boolean' },
  datetime: moment,
  isodatetime: moment,
  iso8601datetime: moment,
  timestamptz: moment,
  timestamp: moment,
  datetimeiso: moment,
  date: day,
  isodate: day,
  iso8601date: day,
  localdate: day,
  time: { type: 'string', description: 'Time of day (ISO 8601).' },
  uri: address,
  url: address,
  uuid: { type: 'string', description: 'UUID.' },
  guid: { type: 'string', description: 'UUID.' },
  emailaddress: { type: 'string', description: 'E-mail address.' },
  email: { type: 'string', description: 'E-mail address.' },
  bigint: big,
  long: big,
  unsignedint64: big,
  int64: big,
  short: whole,
  byte: whole,
  positiveint: whole,
  nonnegativeint: whole,
  unsignedint: whole,
  uint: whole,
  decimal,
  bigdecimal: decimal,
  money: decimal,
  numeric: decimal,
  double: number,
  positivefloat: number,
  nonnegativefloat: number,
  json: {},
  jsonb: {},
  any: {},
  jsonobject: { type: 'object' },
  map: { type: 'object' },
  html: text,
  markdown: text,
  base64string: text,
  gitobjectid: text,
  cursor: text,
  locale: text,
  timezone: text,
  duration: text,
}

/**
 * An unknown scalar accepts any value; the description contains its name and its description in the schema.
 */
export function scalarSchema(name: string, description: string | null | undefined): Json {
  const key = name.toLowerCase()
  const known = Object.hasOwn(KNOWN, key) ? KNOWN[key]! : undefined
  if (
    known &&
    (!description ||
      known['description'] !== undefined ||
      ['string', 'id', 'int', 'float', 'boolean'].includes(key))
  )
    return known
  return { ...known, description: description?.trim() || `A value of the type ${name}.` }
}

/** Files are sent next to the document, and each server has its own rules for that. */
export const isUpload = (name: string): boolean => /^(upload|file|inputfile)$/i.test(name)
