import { isObject, type Json, object } from '../json.ts'
import type { ToolManifest } from '../../manifest/format/index.ts'

/** Note of a lenient import, for the report. */
export const UNCHECKED_BODY_NOTE =
  'Arguments of JSON bodies are not checked against the schemas of the document: the API checks them.'

const SCHEMA_CHARACTERS_MAX = 400

/**
 * Returns the tool with optional arguments of any type in a JSON body: the schemas of some documents are wrong.
 * A model reads the declared schema in the description.
 */
export function withUncheckedBody(tool: ToolManifest): ToolManifest {
  const names = bodyArguments(tool)
  if (names.size === 0) return tool
  const input = tool.input as Json
  const properties = Object.entries(object(input['properties'])).map(
    ([name, schema]) => [name, names.has(name) ? unchecked(object(schema)) : schema] as const,
  )
  const { required: declared, ...rest } = input
  const required = (Array.isArray(declared) ? declared : []).filter((name) => !names.has(String(name)))
  return {
    ...tool,
    input: {
      ...rest,
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
    },
  }
}

/** Names of the arguments that fill the JSON body of a request. */
function bodyArguments({ request }: ToolManifest): ReadonlySet<string> {
  const body: unknown = request?.body
  if (!isObject(body) || request?.body_type !== undefined) return new Set()
  return new Set(
    [body, ...Object.values(body)].flatMap((value) => {
      const name = isObject(value) ? value['$'] : undefined
      return typeof name === 'string' ? [name] : []
    }),
  )
}

function unchecked({ description, ...schema }: Json): Json {
  const declared = JSON.stringify(schema)
  const text =
    declared.length > SCHEMA_CHARACTERS_MAX ? `${declared.slice(0, SCHEMA_CHARACTERS_MAX)}…` : declared
  return {
    description: [typeof description === 'string' ? description : '', `Declared as ${text}`]
      .filter(Boolean)
      .join(' '),
  }
}
