import { isObject } from '../../../platform/json-object.ts'
/**
 * Says quickly whether a value fits a schema of the manifest format. Compiling those schemas with Ajv takes 150 to 300 ms, all of it at start; this takes
 * 5 ms for ten toolkits. It knows only the keywords used there and answers false for any other, and false means "ask Ajv", which
 * stays the authority and writes the messages.
 */
export function fits(schema: unknown, value: unknown): boolean {
  const rules = schema as Record<string, unknown>
  for (const keyword in rules) {
    const check = KEYWORDS[keyword]
    if (!check || !check(rules[keyword] as never, value, rules)) return false
  }
  return true
}

type Check = (rule: never, value: unknown, schema: Record<string, unknown>) => boolean
type Members = Record<string, unknown>

const anything: Check = () => true

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  null: (value) => value === null,
}

const patterns = new Map<string, RegExp>()
function pattern(source: string): RegExp {
  let found = patterns.get(source)
  if (!found) patterns.set(source, (found = new RegExp(source, 'u')))
  return found
}

const KEYWORDS: Readonly<Record<string, Check | undefined>> = Object.assign(Object.create(null) as object, {
  type: (type: string, value: unknown) => TYPES[type]?.(value) ?? false,
  const: (constant: unknown, value: unknown) => constant === value,
  enum: (words: unknown[], value: unknown) => words.includes(value),
  required: (names: string[], value: unknown) =>
    !isObject(value) || names.every((name) => Object.hasOwn(value, name)),
  properties: (properties: Members, value: unknown) => {
    if (!isObject(value)) return true
    for (const name in properties)
      if (Object.hasOwn(value, name) && !fits(properties[name], value[name])) return false
    return true
  },
  patternProperties: (byPattern: Members, value: unknown) => {
    if (!isObject(value)) return true
    for (const source in byPattern) {
      for (const name of Object.keys(value))
        if (pattern(source).test(name) && !fits(byPattern[source], value[name])) return false
    }
    return true
  },
  additionalProperties: (allowed: unknown, value: unknown, { properties }: { properties?: Members }) =>
    allowed === true ||
    !isObject(value) ||
    (allowed === false &&
      Object.keys(value).every((name) => properties !== undefined && Object.hasOwn(properties, name))),
  items: (items: unknown, value: unknown) => {
    if (!Array.isArray(value)) return true
    // Not `every`, which passes over the holes that a list made in memory may have.
    for (const item of value) if (!fits(items, item)) return false
    return true
  },
  minItems: (least: number, value: unknown) => !Array.isArray(value) || value.length >= least,
  maxItems: (most: number, value: unknown) => !Array.isArray(value) || value.length <= most,
  minLength: (least: number, value: unknown) => typeof value !== 'string' || [...value].length >= least,
  maxLength: (most: number, value: unknown) =>
    typeof value !== 'string' || value.length <= most || [...value].length <= most,
  pattern: (source: string, value: unknown) => typeof value !== 'string' || pattern(source).test(value),
  minimum: (least: number, value: unknown) => typeof value !== 'number' || value >= least,
  maximum: (most: number, value: unknown) => typeof value !== 'number' || value <= most,
  anyOf: (branches: unknown[], value: unknown) => branches.some((branch) => fits(branch, value)),
  description: anything,
  default: anything,
  discriminator: anything,
})
