// Read by the console and by the Markdown of the reference.

/** The part of a JSON Schema that the reference shows. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  default?: unknown
  deprecated?: boolean
  maxLength?: number
  minimum?: number
  maximum?: number
  format?: string
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  deprecated?: boolean
  schema: Schema
  example?: unknown
}

interface Content {
  schema?: Schema
  example?: unknown
}

export interface Operation {
  operationId: string
  summary: string
  description?: string
  deprecated?: boolean
  'x-permission'?: { area: string; level: string }
  security: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Content> }
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, Content> }>
}

/** The OpenAPI document of one operation. */
export interface OperationDocument {
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

/** Returns what a reference refers to, with the description of the place where it is used. */
export function resolve<T extends { $ref?: string }>(value: T, { components }: OperationDocument): T {
  if (value.$ref === undefined) return value
  const [, , kind = '', name = ''] = value.$ref.split('/')
  const { $ref: _, ...own } = value
  return { ...(components[kind]?.[name] as T), ...own }
}

/** Returns the type in words, such as `array of string`. */
export function typeOf(schema: Schema, document: OperationDocument): string {
  const resolved = resolve(schema, document)
  const { type, items, anyOf, oneOf, enum: values, const: constant, format } = resolved
  if (constant !== undefined) return JSON.stringify(constant)
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ')
  const choices = anyOf ?? oneOf
  if (choices) return [...new Set(choices.map((choice) => typeOf(choice, document)))].join(' | ')
  if (items) return `array of ${typeOf(items, document)}`
  const name = Array.isArray(type) ? type.join(' | ') : (type ?? 'any')
  return format ? `${name} (${format})` : name
}

/** Returns the fields below a value: those of the object, of the items of a list, or of all choices. */
export function fieldsOf(
  schema: Schema,
  document: OperationDocument,
): { fields: [string, Schema][]; required: Set<string> } {
  const { properties, items, anyOf, oneOf, required = [] } = resolve(schema, document)
  if (properties) return { fields: Object.entries(properties), required: new Set(required) }
  if (items) return fieldsOf(items, document)
  const all = (anyOf ?? oneOf ?? []).map((choice) => fieldsOf(choice, document))
  return {
    fields: [...new Map(all.flatMap(({ fields }) => fields))],
    required: new Set(all.length === 1 ? all[0]?.required : []),
  }
}
