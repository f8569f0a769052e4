import { existsSync, readFileSync } from 'node:fs'
import { type Static, Type } from '../../src/contract/schema-type.ts'
import { Value } from 'typebox/value'
import { Pagination } from '../../src/catalog/manifest/format/pagination.ts'

const { Array: list, Boolean: flag, Optional: optional, Record: record, String: text, Union: union } = Type
const Strict = <P extends Parameters<typeof Type.Object>[0]>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

const Effect = union(['read', 'create', 'update', 'delete'].map((value) => Type.Literal(value)))

/** What is written by hand about one operation; the rest follows from the documents. */
const OperationOverlay = Strict({
  slug: optional(text({ pattern: '^[A-Z0-9_]+$', maxLength: 64 })),
  name: optional(text({ maxLength: 80 })),
  description: optional(text({ minLength: 20, maxLength: 1024 })),
  aliases: optional(list(text({ pattern: '^[A-Z0-9_]+$', maxLength: 64 }))),
  effect: optional(Effect),
  important: optional(flag()),
  /** Parameters that a model is not asked for. */
  hidden: optional(list(text())),
  /** Parameters that always have this value. */
  fixed: optional(record(text(), union([text(), Type.Number(), flag()]))),
  /** Descriptions of arguments. */
  arguments: optional(record(text(), text({ minLength: 3, maxLength: 400 }))),
  pagination: optional(Pagination),
})

/** `toolkits/<slug>/overlay.json`: the part of the generated tools that is written by hand. */
export const OverlaySchema = Strict({
  $schema: optional(text()),
  /** The only documents that are read, the preferred one first. Default: all, by trust. */
  documents: optional(list(text())),
  /** Documents that are not read, and why. */
  ignored_documents: optional(record(text(), text({ minLength: 10 }))),
  /** Documents that only confirm what names mean: their operations are no tools. With the reason. */
  name_documents: optional(record(text(), text({ minLength: 10 }))),
  /** URL of a server of the documents to the path below `base_url`, or to the absolute URL, that it stands for. */
  servers: optional(record(text(), text())),
  /** Beginnings of paths to what replaces them. */
  paths: optional(record(text(), text())),
  hidden: optional(list(text())),
  /** Parameters of paths whose values have slashes that stay as they are, as resource names of Google, with texts. */
  multi_segment: optional(record(text(), text({ minLength: 20, maxLength: 400 }))),
  /** Names of parameters that the documents misspell to those that the vendor reads. */
  renamed: optional(record(text(), text())),
  /**
   * Arguments that the documents require and the vendor does not, by operation (`POST /path`). A `*` in the operation
   * stands for any text, and as a name for all of them.
   */
  optional: optional(record(text(), list(text()))),
  /** Arguments that the documents do not require and a safe call does, by operation (`DELETE /path`). */
  required: optional(record(text(), list(text()))),
  /**
   * Tools that create or update and can also delete, by slug, with the sentence that says how: they have the hint
   * `destructiveHint`.
   */
  destructive: optional(record(text({ pattern: '^[A-Z0-9_]+$' }), text({ minLength: 20, maxLength: 200 }))),
  /** Operations that are no tools (`GET /path`, or a beginning of paths with `*` at its end), and why. */
  exclude: optional(record(text(), text({ minLength: 10 }))),
  /** Effects of tools, by slug, where neither method, path nor sentence tell the true one. */
  effects: optional(record(text({ pattern: '^[A-Z0-9_]+$' }), Effect)),
  /**
   * Members of bodies that the vendor sets, where the document does not mark them as `readOnly`: those of schemas that
   * require them are no arguments.
   */
  read_only: optional(list(text())),
  /** Names of the original platform that mean none of the operations, and why. */
  unresolved: optional(record(text({ pattern: '^[A-Z0-9_]+$' }), text({ minLength: 10 }))),
  /** By method and path, as the document has them: `GET /repos/{owner}`. */
  operations: optional(record(text(), OperationOverlay)),
  /**
   * Names of the original platform to the tool that they mean, by its slug or by method and path, where no document
   * tells.
   */
  aliases: optional(record(text({ pattern: '^[A-Z0-9_]+$' }), text())),
  /** Operations that a second source confirms (`GET /path` to a URL or package), for documents of low trust. */
  confirmed: optional(record(text(), text({ minLength: 8 }))),
  /** How lists of this vendor are paged, if it differs from what the names of parameters tell. */
  pagination: optional(union([Pagination, Type.Literal('none'), Type.Literal('link')])),
})

export type Overlay = Static<typeof OverlaySchema>
export type OperationOverlay = Static<typeof OperationOverlay>

/** Names of the arguments of an operation that are not required. */
export const optionalNames = ({ optional: byOperation = {} }: Overlay, operation: string): string[] =>
  Object.entries(byOperation).flatMap(([pattern, names]) => {
    const [before = '', after] = pattern.split('*')
    const fits =
      after === undefined
        ? operation === pattern
        : operation.startsWith(before) &&
          operation.endsWith(after) &&
          operation.length >= before.length + after.length
    return fits ? names : []
  })

/** Reads an overlay; an empty one where there is no file. @throws for one that does not fit the format */
export function readOverlay(file: string): Overlay {
  if (!existsSync(file)) return {}
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const [error] = Value.Errors(OverlaySchema, value)
  if (error) throw new Error(`${file}${error.instancePath}: ${error.message}`)
  return value as Overlay
}
