import { existsSync, readFileSync } from 'node:fs'
import { Value } from 'typebox/value'
import type { Json } from '../../../src/catalog/importers/json.ts'
import { type Static, Type } from '../../../src/contract/schema-type.ts'
import { OneOfText } from '../../../src/catalog/manifest/format/shapes.ts'
import { QUERY_STYLES } from '../../../src/catalog/manifest/format/tool-request.ts'
import { Tool } from '../../../src/catalog/manifest/format/tool.ts'
import { TARGET } from './source-target.ts'

const { Array: list, Boolean: flag, Optional: optional, Record: record, String: text, Union: union } = Type
const Strict = <P extends Parameters<typeof Type.Object>[0]>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })
const name = text({ pattern: '^[A-Z0-9_]+$', maxLength: 64 })

/** A value with parts or further rules. */
export interface StatedParts {
  /** Type and description, as `readValue` reads them. */
  readonly is: string
  /** Properties of an object, or of each item of a list of objects. */
  readonly members?: StatedValues
  /** Name of the argument, where it is not the last part of the vendor's name. */
  readonly argument?: string
  /** Serialization of a list or an object in a query or a form. */
  readonly style?: (typeof QUERY_STYLES)[number]
  /** Conversion of the value, as `as` of a template. */
  readonly as?: string
  /** Further keywords of JSON Schema: `minimum`, `pattern`, `examples`. */
  readonly schema?: Json
}

/** Type and description of a value: `string!: Id of the list.` */
export type StatedValue = string | StatedParts
export type StatedValues = Readonly<Record<string, StatedValue>>

const notation = text({ minLength: 3, maxLength: 600 })
/** Members are read by `readValue`, which checks each with this schema. */
export const StatedValueSchema = Type.Unsafe<StatedValue>(
  union([
    notation,
    Strict({
      is: notation,
      members: optional(record(text(), Type.Unknown())),
      argument: optional(text({ pattern: '^[A-Za-z_][A-Za-z0-9_.-]{0,63}$' })),
      style: optional(OneOfText(QUERY_STYLES)),
      as: optional(OneOfText(['csv', 'json', 'string', 'number', 'base64', 'pairs'])),
      schema: optional(record(text(), Type.Unknown())),
    }),
  ]),
)
const Values = record(text(), StatedValueSchema)

const Operation = Strict({
  slug: name,
  /** Default: the words of the slug. */
  name: optional(text({ maxLength: 80 })),
  /** Method and path below `base_url`, or method and URL: `GET /lists/{list_id}`. */
  request: text({ pattern: String.raw`^(GET|POST|PUT|PATCH|DELETE|HEAD) (/|https://)\S*$` }),
  /** What it does, what it returns and when to use it. */
  description: text({ minLength: 20, maxLength: 1024 }),
  /** Default: by the method and the verb of the slug. */
  effect: optional(OneOfText(['read', 'create', 'update', 'delete'])),
  path: optional(Values),
  query: optional(Values),
  headers: optional(Values),
  /** Members of the body by the vendor's names; `data.values` is the member `values` of the member `data`. */
  body: optional(Values),
  /** The whole body is one argument. */
  whole_body: optional(StatedValueSchema),
  body_type: optional(OneOfText(['json', 'form', 'text', 'multipart', 'binary'])),
  /** Text of a GraphQL operation, whose arguments are `variables`. */
  graphql: optional(text({ minLength: 5 })),
  variables: optional(Values),
  /** What is always sent. Texts are templates, which may contain fields of the connection. */
  fixed: optional(
    Strict({
      query: optional(record(text(), Type.Unknown())),
      headers: optional(record(text(), Type.Unknown())),
      body: optional(record(text(), Type.Unknown())),
    }),
  ),
  /** Properties of the result. */
  returns: optional(Values),
  response: optional(Tool.properties.response),
  success_when: optional(Tool.properties.success_when),
  pagination: optional(Tool.properties.pagination),
  scopes: optional(list(text())),
  important: optional(flag()),
  idempotent: optional(flag()),
  no_auth: optional(flag()),
  tags: optional(list(text())),
  aliases: optional(list(name)),
  docs_url: optional(text({ pattern: '^https://' })),
  /** Names of the sources that state method and path. */
  sources: list(text(), { minItems: 1 }),
})

const Source = Strict({
  /** `vendor`: published by the vendor, and enough alone. `other`: one of two that are independent. */
  by: OneOfText(['vendor', 'other']),
  /** A file or folder of a package or repository of a version, or a page of the vendor. */
  at: text({ pattern: TARGET.source, maxLength: 300 }),
  /** Day on which a page was read. */
  read: optional(text({ pattern: String.raw`^\d{4}-\d\d-\d\d$` })),
})

/**
 * `toolkits/<slug>/operations.json`: operations of a vendor for which there is no API document, as facts and sentences
 * that are written by hand, with the sources of each.
 */
export const OperationFileSchema = Strict({
  $schema: optional(text()),
  sources: record(text({ pattern: '^[a-z0-9_]+$' }), Source),
  operations: list(Operation, { minItems: 1 }),
})

export type OperationFile = Static<typeof OperationFileSchema>
export type StatedOperation = OperationFile['operations'][number]
export type Source = OperationFile['sources'][string]

/** Reads the file of a toolkit. Undefined where there is none. @throws Error for one that does not fit the format */
export function readOperationFile(file: string): OperationFile | undefined {
  if (!existsSync(file)) return undefined
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const [error] = Value.Errors(OperationFileSchema, value)
  if (error) throw new Error(`${file}${error.instancePath}: ${error.message}`)
  return value as OperationFile
}
