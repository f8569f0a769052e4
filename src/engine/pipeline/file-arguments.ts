import { FileBytes, fileType, type JsonSchema, type Tool, ToolFailure } from '../../catalog/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { EngineDeps, Execution } from '../types.ts'
import { isObject } from '../../platform/json-object.ts'

/** Of one call. */
const FILES_MAX = 20

type Members = Record<string, unknown>

const known = new WeakMap<JsonSchema, boolean>()

/** Whether an input has a place for files. */
export function takesFiles({ input }: Tool): boolean {
  let takes = known.get(input)
  if (takes === undefined) known.set(input, (takes = hasMark(input)))
  return takes
}

const hasMark = (schema: unknown): boolean =>
  isObject(schema) && (schema['file_uploadable'] === true || inner(schema).some(hasMark))
const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const variantsOf = (schema: Members): unknown[] =>
  ['anyOf', 'oneOf', 'allOf'].flatMap((word) => listed(schema[word]))
const inner = (schema: Members): unknown[] => [
  ...Object.values(isObject(schema['properties']) ? schema['properties'] : {}),
  schema['items'],
  ...listed(schema['prefixItems']),
  schema['additionalProperties'],
  ...variantsOf(schema),
]

/**
 * The call with the bytes of its files in place of their keys; arguments themselves stay as they came, for the log. @throws ToolFailure for a file that
 * is not there, which a model can be told, whosever else it is
 */
export async function withFiles(
  { files }: EngineDeps,
  execution: Execution,
  { input }: Tool,
): Promise<Execution> {
  let [count, bytes] = [0, 0]

  async function filled(value: unknown, schema: unknown): Promise<unknown> {
    if (!isObject(schema) || value instanceof FileBytes) return value
    if (schema['file_uploadable'] === true && isObject(value) && typeof value['s3key'] === 'string')
      return taken(value['s3key'], value)
    const { items, prefixItems, properties, additionalProperties } = schema as {
      items?: unknown
      prefixItems?: unknown[]
      properties?: Members
      additionalProperties?: unknown
    }
    let out = value
    if (Array.isArray(value))
      out = await inOrder(value.map((one, index) => [one, prefixItems?.[index] ?? items] as const))
    else if (isObject(value)) {
      const names = Object.keys(value)
      const each = await inOrder(
        names.map(
          (name) =>
            [
              value[name],
              properties && Object.hasOwn(properties, name) ? properties[name] : additionalProperties,
            ] as const,
        ),
      )
      out = Object.fromEntries(names.map((name, index) => [name, each[index]]))
    }
    for (const variant of variantsOf(schema)) out = await filled(out, variant)
    return out
  }

  /** One after another: each may be as large as a file may be. */
  async function inOrder(pairs: readonly (readonly [unknown, unknown])[]): Promise<unknown[]> {
    const out: unknown[] = []
    for (const [value, schema] of pairs) out.push(await filled(value, schema))
    return out
  }

  async function taken(key: string, { name, mimetype }: Members): Promise<FileBytes> {
    if (++count > FILES_MAX) throw new ToolFailure(`One call takes at most ${FILES_MAX} files.`)
    const file = await files.read(execution.projectId, key).catch((error: unknown) => {
      if (error instanceof ApiError && error.slug === 'File_NotFound')
        throw new ToolFailure(`${error.message} Upload it with this project, and before it is used.`, {
          statusCode: 404,
          cause: error,
        })
      throw error
    })
    bytes += file.bytes.length
    if (bytes > files.bytesMax)
      throw new ToolFailure(
        `The files of one call may have ${Math.floor(files.bytesMax / 1_000_000)} MB together.`,
        { statusCode: 413 },
      )
    return new FileBytes(
      typeof name === 'string' && name !== '' ? name : file.filename,
      fileType(mimetype) ?? fileType(file.mimetype),
      file.bytes,
    )
  }

  return { ...execution, arguments: (await filled(execution.arguments, input)) as Execution['arguments'] }
}
