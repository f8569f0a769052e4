import type { JsonSchema } from '../../src/catalog/index.ts'
import { isObject } from './read-back.ts'
import { propertiesOf, typesOf } from './read-arguments.ts'
import { plain } from './words.ts'

const DEPTH_MAX = 8
/** Tried in this order where a schema has a pattern and no example. */
const TEXTS = [
  'example',
  '1',
  '10000000',
  '2026-01-05',
  '2026-01-05T09:00:00Z',
  'ada@example.com',
  'https://example.com',
  '/example.txt',
  'US',
  'en',
  'app1',
  'rec1',
  'tbl1',
  'fld1',
  '01',
  '2026',
  '20260105',
  '1.0',
  'a',
]

/**
 * Arguments for a tool, made from its schema: every one, or only those that it needs. Examples and defaults
 * first, then whatever fits.
 */
export function exampleArguments(
  schema: JsonSchema,
  which: 'all' | 'required',
  overrides: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const required = new Set((schema['required'] as string[] | undefined) ?? [])
  const made = Object.entries(propertiesOf(schema))
    .filter(([name]) => which === 'all' || required.has(name))
    .map(([name, inner]) => [name, exampleOf(inner, name, which)] as const)
  return { ...Object.fromEntries(made.filter(([, value]) => value !== undefined)), ...overrides }
}

function exampleOf(schema: JsonSchema, name: string, which: 'all' | 'required', depth = 0): unknown {
  const [example] = (schema['examples'] as unknown[] | undefined) ?? []
  if (example !== undefined) return structuredClone(example)
  const known = [schema['const'], schema['default'], (schema['enum'] as unknown[] | undefined)?.[0]].find(
    (value) => value !== undefined && value !== null,
  )
  if (known !== undefined) return structuredClone(known)
  const [alternative] = (schema['anyOf'] ?? schema['oneOf'] ?? []) as JsonSchema[]
  if (!typesOf(schema).length && alternative) return exampleOf(alternative, name, which, depth)
  if (depth > DEPTH_MAX) return undefined
  switch (typesOf(schema).find((type) => type !== 'null')) {
    case 'string':
      return textOf(schema, name)
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'boolean':
      return true
    case 'array':
      return Array.from({ length: Math.max(1, Number(schema['minItems'] ?? 1)) }, () =>
        exampleOf((schema['items'] ?? {}) as JsonSchema, name, which, depth + 1),
      ).filter((item) => item !== undefined)
    case 'object':
      return fileOf(schema) ?? objectOf(schema, which, depth)
    default:
      return 'example'
  }
}

function numberOf(schema: JsonSchema): number {
  const [above, low, high] = [schema['exclusiveMinimum'], schema['minimum'], schema['maximum']].map((bound) =>
    typeof bound === 'number' ? bound : undefined,
  )
  return above !== undefined ? above + 1 : Math.max(low ?? 1, Math.min(1, high ?? 1))
}

function objectOf(schema: JsonSchema, which: 'all' | 'required', depth: number): Record<string, unknown> {
  const required = new Set((schema['required'] as string[] | undefined) ?? [])
  const own = Object.entries(propertiesOf(schema))
    // A file needs its content.
    .filter(([name]) => which === 'all' || schema['file_uploadable'] === true || required.has(name))
    .map(([name, inner]) => [name, exampleOf(inner, name, which, depth + 1)])
  const more = schema['additionalProperties']
  const isOpen = !own.length && isObject(more) && Number(schema['minProperties'] ?? 0) > 0
  return {
    ...Object.fromEntries(own),
    ...(isOpen ? { example: exampleOf(more as JsonSchema, 'example', which, depth + 1) } : {}),
  }
}

/** A file that can be given in several ways, so that none of its fields is required. */
function fileOf(schema: JsonSchema): Record<string, unknown> | undefined {
  const hasChoice =
    schema['file_uploadable'] === true && !(schema['required'] as unknown[] | undefined)?.length
  return hasChoice && Object.hasOwn(propertiesOf(schema), 'content') ? { content: 'example' } : undefined
}

function textOf(schema: JsonSchema, name: string): string {
  const format = {
    date: '2026-01-05',
    'date-time': '2026-01-05T09:00:00Z',
    email: 'ada@example.com',
    uri: 'https://example.com',
    time: '09:00:00Z',
    uuid: '5b6f1f9e-58a4-4d36-8a3e-1f9f0c3f7a11',
  }[String(schema['format'])]
  if (format !== undefined) return format
  const low = Number(schema['minLength'] ?? 0)
  const fits = (text: string) =>
    text.length >= low &&
    text.length <= Number(schema['maxLength'] ?? Infinity) &&
    (typeof schema['pattern'] !== 'string' || matches(schema['pattern'], text))
  const usual = /mail/.test(plain(name))
    ? 'ada@example.com'
    : /url|link/.test(plain(name))
      ? 'https://example.com'
      : /(date|time)$/.test(plain(name))
        ? '2026-01-05T09:00:00Z'
        : `example ${name.replaceAll('_', ' ')}`
  const fixed = /^\^\(?([A-Z]{2})(?:\|[A-Z]{2})*\)?\[[^\]]+\]\{(\d+)\}\$$/.exec(String(schema['pattern']))
  return (
    [
      usual,
      ...TEXTS,
      ...(fixed ? [fixed[1]! + '0'.repeat(Number(fixed[2]))] : []),
      'a'.repeat(Math.max(1, low)),
      '1'.repeat(Math.max(1, low)),
    ].find(fits) ?? usual
  )
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return true
  }
}
