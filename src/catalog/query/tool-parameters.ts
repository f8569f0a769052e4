import { copyJson } from '../../platform/copy-json.ts'
import { isObject } from '../../platform/json-object.ts'
import { propertiesOf } from '../manifest/json-schema.ts'
import { inlineReferences } from '../schema-formats/index.ts'
import type { JsonSchema, Tool } from '../types/index.ts'

/** The parameters and the result of a tool in the two forms of the API. Immutable. */
export interface ToolParameters {
  /** API v3: name to descriptor, each with a boolean `required`. */
  readonly flatInput: JsonSchema
  readonly flatOutput: JsonSchema
  /** API v3.1, sessions and MCP: JSON Schema. */
  readonly input: JsonSchema
  readonly output: JsonSchema
}

/** The form of parameters: `map` is that of API v3, `json_schema` that of v3.1. */
export type ParametersForm = 'map' | 'json_schema'

const parametersByTool = new WeakMap<Tool, ToolParameters>()

/** Returns the parameters of a tool. Each form is computed at its first use, and stays as long as the tool does. */
export function toolParameters(tool: Tool): ToolParameters {
  let parameters = parametersByTool.get(tool)
  if (!parameters) parametersByTool.set(tool, (parameters = lazyParameters(tool)))
  return parameters
}

function lazyParameters(tool: Tool): ToolParameters {
  const known: { -readonly [Name in keyof ToolParameters]?: ToolParameters[Name] } = {}
  const frozenCopy = (schema: JsonSchema) => deepFreeze(copyJson(schema))
  return Object.freeze<ToolParameters>({
    get flatInput() {
      return (known.flatInput ??= frozenCopy(inputIn(tool, 'map')))
    },
    get flatOutput() {
      return (known.flatOutput ??= frozenCopy(outputIn(tool, 'map')))
    },
    get input() {
      return (known.input ??= frozenCopy(inputIn(tool, 'json_schema')))
    },
    get output() {
      return (known.output ??= frozenCopy(outputIn(tool, 'json_schema')))
    },
  })
}

/**
 * Computes the parameters of a tool in one form, for a caller that reads them once. They share objects with the tool:
 * nobody may change them.
 */
export const computeParameters = (tool: Tool, form: ParametersForm) => ({
  input: inputIn(tool, form),
  output: outputIn(tool, form),
})

function inputIn(tool: Tool, form: ParametersForm): JsonSchema {
  const input = inlineReferences(tool.input)
  return form === 'map' ? flatParameters(input) : objectSchema(input, `${schemaTitle(tool)}Request`)
}

function outputIn(tool: Tool, form: ParametersForm): JsonSchema {
  const output = wrapOutput(inlineReferences(tool.output))
  return form === 'map' ? flatParameters(output) : objectSchema(output, `${schemaTitle(tool)}ResponseWrapper`)
}

/** Returns a JSON Schema as an object schema that always has a title, `properties` and `required`. */
export const toObjectSchema = (schema: JsonSchema, title: string): JsonSchema =>
  copyJson(objectSchema(schema, title))

function objectSchema(schema: JsonSchema, title: string): JsonSchema {
  const { $schema: _, type: __, title: ___, properties: ____, required, ...rest } = schema
  return {
    type: 'object',
    title,
    properties: propertiesOf(schema),
    required: Array.isArray(required) ? required : [],
    ...rest,
  }
}

/**
 * Returns the v3 form of a schema: parameter name to `{type, description, required, examples}` and, where
 * they apply, `default`, `enum`, `items`, `properties`.
 */
export const toFlatParameters = (schema: JsonSchema): Record<string, unknown> =>
  copyJson(flatParameters(schema))

function flatParameters(schema: JsonSchema): Record<string, unknown> {
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
    description: typeof property.description === 'string' ? property.description : '',
    required,
    examples: Array.isArray(property.examples) ? property.examples : [],
  }
}

/** Describes the value of a property, without what depends on its parent. */
function flatValue(property: JsonSchema): Record<string, unknown> {
  const inner = firstNonNullBranch(property)
  const type = typeOf(inner)
  const { items } = inner
  return {
    type,
    ...(Object.hasOwn(property, 'default') && { default: property.default }),
    ...(Array.isArray(inner.enum) && { enum: inner.enum }),
    ...(type === 'array' &&
      isObject(items) && {
        items: {
          ...flatValue(items),
          ...(typeof items.description === 'string' && { description: items.description }),
        },
      }),
    ...(Object.keys(propertiesOf(inner)).length > 0 && { properties: flatParameters(inner) }),
  }
}

/** Returns the first alternative that is not null: a parameter in the flat form has one type. */
function firstNonNullBranch(property: JsonSchema): JsonSchema {
  const { anyOf, oneOf, ...own } = property
  const branches = [anyOf, oneOf].find(Array.isArray)
  const first = (branches as unknown[] | undefined)?.find(
    (branch): branch is JsonSchema => isObject(branch) && branch.type !== 'null',
  )
  return first ? { ...own, ...firstNonNullBranch(first) } : property
}

function typeOf(schema: JsonSchema): string {
  const type = Array.isArray(schema.type) ? schema.type.find((name) => name !== 'null') : schema.type
  if (typeof type === 'string') return type
  if (isObject(schema.properties)) return 'object'
  if (isObject(schema.items)) return 'array'
  const example: unknown = Array.isArray(schema.enum) ? schema.enum[0] : schema.const
  if (Array.isArray(example)) return 'array'
  return example === undefined || example === null ? 'string' : typeof example
}

/** Wraps the output schema of a tool in the response of an execution. */
function wrapOutput(data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      data: { description: 'Result of the tool.', ...data, type: 'object' },
      error: {
        anyOf: [{ type: 'string' }, { type: 'null' }],
        default: null,
        description: 'Why the tool failed; null if it succeeded.',
      },
      successful: { type: 'boolean', description: 'Whether the tool succeeded.' },
    },
    required: ['data', 'successful'],
  }
}

/** Returns `SendEmail` for `GMAIL_SEND_EMAIL`. */
function schemaTitle(tool: Tool): string {
  return tool.slug
    .slice(tool.toolkit.length + 1)
    .toLowerCase()
    .replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object')
    for (const inner of Object.values(Object.freeze(value))) deepFreeze(inner)
  return value
}
