import type { JsonSchema } from '../../../catalog/index.ts'

const DEPTH_MAX = 6
const TEXT = 'sample'
const TIME = '2026-01-05T09:00:00Z'

type Schema = Readonly<Record<string, unknown>>

/** Returns data that matches the schema of a trigger's payload: its examples and defaults, else values by type. */
export const samplePayload = (schema: JsonSchema): Record<string, unknown> =>
  sampleObject(schema as Schema, 0)

function sampleObject({ properties }: Schema, depth: number): Record<string, unknown> {
  if (depth >= DEPTH_MAX) return {}
  return Object.fromEntries(
    Object.entries((properties ?? {}) as Record<string, Schema>).map(([name, schema]) => [
      name,
      sampleValue(schema, depth + 1),
    ]),
  )
}

function sampleValue(schema: Schema, depth: number): unknown {
  const { examples, default: preset, const: fixed, enum: choices } = schema
  const declared = [fixed, preset, ...listOf(examples), ...listOf(choices)].find(
    (value) => value !== undefined,
  )
  if (declared !== undefined) return declared
  const [alternative] = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])] as Schema[]
  if (alternative) return sampleValue(alternative, depth)
  const type = [schema['type']].flat().find((one) => one !== 'null')
  switch (type) {
    case 'object':
      return sampleObject(schema, depth)
    case 'array':
      return schema['items'] && depth < DEPTH_MAX ? [sampleValue(schema['items'] as Schema, depth + 1)] : []
    case 'integer':
    case 'number':
      return Number(schema['minimum'] ?? 1)
    case 'boolean':
      return true
    case 'string':
      return sampleText(schema)
    default:
      return null
  }
}

function sampleText({ format, minLength }: Schema): string {
  if (format === 'date-time') return TIME
  if (format === 'date') return TIME.slice(0, 10)
  if (format === 'uri') return 'https://example.com/sample'
  if (format === 'email') return 'sample@example.com'
  return TEXT.padEnd(Number(minLength ?? 0), '-')
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
