/** A JSON Schema of the OpenAPI document. */
export interface Schema extends Partial<Record<'oneOf' | 'anyOf' | 'allOf', Schema[]>> {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  patternProperties?: Record<string, Schema>
  description?: string
  deprecated?: boolean
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** Returns the name of a property as TypeScript writes it. */
export const propertyName = (name: string): string => (IDENTIFIER.test(name) ? name : JSON.stringify(name))

/** Returns a description as a comment above a declaration, or an empty text. */
export function docComment(description: string | undefined, indent: string, isDeprecated = false): string {
  const text = [description, isDeprecated && '@deprecated'].filter(Boolean).join('\n')
  if (!text) return ''
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  return lines.length === 1
    ? `${indent}/** ${lines[0]} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

/** Returns the TypeScript type of a schema. References are names of interfaces. */
export function typeOf(schema: Schema, indent = ''): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) as string
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return literals(schema)
  const variants = schema.oneOf ?? schema.anyOf
  if (variants) return union(variants.map((one) => typeOf(one, indent)))
  if (schema.allOf) return schema.allOf.map((one) => parenthesized(typeOf(one, indent))).join(' & ')
  const { type } = schema
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one }, indent)))
  if (type === 'array') return `${parenthesized(schema.items ? typeOf(schema.items, indent) : 'unknown')}[]`
  if (type === 'object' || schema.properties) return objectType(schema, indent)
  return PLAIN[type ?? ''] ?? 'unknown'
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

function literals({ enum: values = [], type }: Schema): string {
  const all = [...values, ...(Array.isArray(type) && type.includes('null') ? [null] : [])]
  return union(all.map((value) => JSON.stringify(value)))
}

function objectType(schema: Schema, indent: string): string {
  const { properties = {}, additionalProperties: others, patternProperties } = schema
  const names = Object.keys(properties)
  const rest =
    typeof others === 'object'
      ? typeOf(others, indent)
      : patternProperties
        ? union(Object.values(patternProperties).map((one) => typeOf(one, indent)))
        : undefined
  if (names.length === 0) return `Record<string, ${rest ?? 'unknown'}>`
  const fields = `{\n${fieldLines(schema, `${indent}  `)}${indent}}`
  return rest !== undefined || others === true
    ? `${fields} & Record<string, ${others === true ? 'unknown' : rest}>`
    : fields
}

/** Returns the fields of an object, one below the other, with their descriptions. */
export function fieldLines({ properties = {}, required = [] }: Schema, indent: string): string {
  return Object.entries(properties)
    .map(([name, field]) => {
      const mark = required.includes(name) ? '' : '?'
      const comment = docComment(field.description, indent, field.deprecated)
      return `${comment}${indent}${propertyName(name)}${mark}: ${typeOf(field, indent)}\n`
    })
    .join('')
}

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ') || 'never'
const parenthesized = (type: string): string => (/[|&]/.test(type) ? `(${type})` : type)
