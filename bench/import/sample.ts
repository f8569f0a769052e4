type Json = Record<string, unknown>

const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  email: 'a@example.com',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
  uri: 'https://example.com/a',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  hostname: 'example.com',
}

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** A value that fits a schema as the importer writes them: with every member, or with the required ones only. */
export function sampleOf(schema: unknown, everything: boolean): unknown {
  if (!isObject(schema)) return 'x'
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  const branches = [
    schema['anyOf'],
    ...(Array.isArray(schema['allOf']) ? schema['allOf'].map((one: Json) => one['anyOf']) : []),
  ].filter(Array.isArray)
  const chosen = branches.map((all) => sampleOf(all[0], everything))
  const type = [schema['type']].flat()[0]
  if (type === undefined && chosen.length > 0)
    return chosen.every(isObject) ? Object.assign({}, ...chosen) : chosen[0]
  switch (type) {
    case 'object':
      return Object.assign(members(schema, everything), ...chosen.filter(isObject))
    case 'array':
      return Array.from({ length: Math.max(everything ? 1 : 0, Number(schema['minItems'] ?? 0)) }, () =>
        sampleOf(schema['items'], everything),
      )
    case 'integer':
    case 'number':
      return number(schema, type)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return text(schema)
  }
}

/** Properties of a file that is sent with the arguments, and not uploaded before. */
const INLINE_FILE = ['name', 'content']

function members(schema: Json, everything: boolean): Json {
  const { properties, required, additionalProperties, file_uploadable: isFile } = schema
  const names = isObject(properties) ? Object.keys(properties) : []
  const isSelected = (name: string) =>
    isFile ? INLINE_FILE.includes(name) : everything || (Array.isArray(required) && required.includes(name))
  const selected = names.filter(isSelected)
  const filled = Object.fromEntries(
    selected.map((name) => [name, sampleOf((properties as Json)[name], everything)]),
  )
  return everything && isObject(additionalProperties)
    ? { ...filled, ...(names.includes('extra') ? {} : { extra: sampleOf(additionalProperties, true) }) }
    : filled
}

function number(schema: Json, type: string): number {
  const low =
    schema['minimum'] ??
    (typeof schema['exclusiveMinimum'] === 'number'
      ? schema['exclusiveMinimum'] + (type === 'integer' ? 1 : 1e-3)
      : undefined)
  const high =
    schema['maximum'] ??
    (typeof schema['exclusiveMaximum'] === 'number'
      ? schema['exclusiveMaximum'] - (type === 'integer' ? 1 : 1e-3)
      : undefined)
  const bound = typeof low === 'number' ? low : typeof high === 'number' ? Math.min(high, 1) : 1
  return type === 'integer' ? Math.ceil(bound) : bound
}

function text(schema: Json): string {
  const {
    format,
    minLength = 0,
    maxLength = Infinity,
  } = schema as { format?: string; minLength?: number; maxLength?: number }
  const known = format === undefined ? undefined : FORMATS[format]
  const [example] = Array.isArray(schema['examples']) ? (schema['examples'] as unknown[]) : []
  if (
    known === undefined &&
    typeof example === 'string' &&
    example.length >= minLength &&
    example.length <= maxLength
  )
    return example
  if (known !== undefined) return known
  return 'x'.repeat(Math.min(Math.max(1, minLength), maxLength))
}
