import { propertiesOf } from '../manifest/compile/toolkit.ts'
import { inlineReferences } from '../schema-formats/index.ts'
import type { JsonSchema, Tool } from '../types/index.ts'

/** The parameters of a tool in the two forms of the API. Immutable and made once a tool. */
export interface ToolParameters {
  /** v3: name to descriptor, `required` a boolean in each. */
  readonly flatInput: JsonSchema
  readonly flatOutput: JsonSchema
  /** v3.1, sessions and MCP: JSON Schema. */
  readonly input: JsonSchema
  readonly output: JsonSchema
}

const parametersByTool = new WeakMap<Tool, ToolParameters>()

/** The views of a tool; lists of a thousand tools ask again and again. */
export function toolParameters(tool: Tool): ToolParameters {
  let found = parametersByTool.get(tool)
  if (!found) {
    const title = schemaTitle(tool)
    const input = inlineReferences(tool.input)
    const output = wrapOutput(inlineReferences(tool.output))
    found = deepFreeze({
      flatInput: toFlatParameters(input),
      flatOutput: toFlatParameters(output),
      input: toObjectSchema(input, `${title}Request`),
      output: toObjectSchema(output, `${title}ResponseWrapper`),
    })
    parametersByTool.set(tool, found)
  }
  return found
}

/** A JSON Schema as an object schema with a title, `properties` and `required` always there. */
export function toObjectSchema(schema: JsonSchema, title: string): JsonSchema {
  const { $schema: _, type: __, title: ___, properties: ____, required, ...rest } = schema
  return {
    type: 'object',
    title,
    properties: structuredClone(propertiesOf(schema)),
    required: Array.isArray(required) ? [...required] : [],
    ...structuredClone(rest),
  }
}

/** The v3 form: parameter name to `{type, description, required, examples}` and, where they apply, `default`, `enum`, `items`, `properties`. */
export function toFlatParameters(schema: JsonSchema): Record<string, unknown> {
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  return Object.fromEntries(
    Object.entries(propertiesOf(schema)).map(([name, property]) => [
      name,
      flatParameter(property, required.has(name)),
    ]),
  )
}

function flatParameter(property: JsonSchema, required: boolean): Record<string, unknown> {
  return {
    ...flatValue(property),
    description: text(property.description),
    required,
    examples: Array.isArray(property.examples) ? [...property.examples] : [],
  }
}

/** What a value may be, without its place in a parent. */
function flatValue(property: JsonSchema): Record<string, unknown> {
  const inner = firstNonNullBranch(property)
  const type = typeOf(inner)
  const { items } = inner
  const nested = propertiesOf(inner)
  return {
    type,
    ...(Object.hasOwn(property, 'default') && { default: structuredClone(property.default) }),
    ...(Array.isArray(inner.enum) && { enum: [...inner.enum] }),
    ...(type === 'array' &&
      isSchema(items) && {
        items: {
          ...flatValue(items),
          ...(typeof items.description === 'string' && { description: items.description }),
        },
      }),
    ...(Object.keys(nested).length > 0 && { properties: toFlatParameters(inner) }),
  }
}

/** The first alternative that is not null: the flat form has one type a parameter. */
function firstNonNullBranch(property: JsonSchema): JsonSchema {
  const { anyOf, oneOf, ...own } = property
  const branches = [anyOf, oneOf].find(Array.isArray)
  const first = (branches as unknown[] | undefined)?.find(
    (one): one is JsonSchema => isSchema(one) && one.type !== 'null',
  )
  return first ? { ...own, ...firstNonNullBranch(first) } : property
}

function typeOf(schema: JsonSchema): string {
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type
  if (typeof type === 'string') return type
  if (isSchema(schema.properties)) return 'object'
  if (isSchema(schema.items)) return 'array'
  const example: unknown = Array.isArray(schema.enum) ? schema.enum[0] : schema.const
  return Array.isArray(example)
    ? 'array'
    : example === undefined || example === null
      ? 'string'
      : typeof example
}

/** What execution answers around the output of a tool. */
function wrapOutput(data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      data: { description: 'What the tool answers.', ...data, type: 'object' },
      error: {
        anyOf: [{ type: 'string' }, { type: 'null' }],
        default: null,
        description: 'Why the tool failed; null when it did not.',
      },
      successful: { type: 'boolean', description: 'Whether the tool did what it was asked.' },
    },
    required: ['data', 'successful'],
  }
}

/** `GMAIL_SEND_EMAIL` is `SendEmail`. */
function schemaTitle(tool: Tool): string {
  return tool.slug
    .slice(tool.toolkit.length + 1)
    .toLowerCase()
    .replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const isSchema = (value: unknown): value is JsonSchema =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object')
    for (const inner of Object.values(Object.freeze(value))) deepFreeze(inner)
  return value
}
