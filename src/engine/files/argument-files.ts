import { FileBytes, type JsonSchema, type Tool, ToolFailure, validMediaType } from '../../catalog/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { isObject } from '../../platform/json-object.ts'
import type { FileStorage } from '../dependencies.ts'

/** The largest number of files in one call. */
const FILES_MAX = 20

type Fields = Record<string, unknown>

const acceptsFilesBySchema = new WeakMap<JsonSchema, boolean>()

/** Returns whether the input of a tool has arguments that are files. */
export function acceptsFiles({ input }: Tool): boolean {
  let accepts = acceptsFilesBySchema.get(input)
  if (accepts === undefined) acceptsFilesBySchema.set(input, (accepts = hasFileMark(input)))
  return accepts
}

const hasFileMark = (schema: unknown): boolean =>
  isObject(schema) && (schema['file_uploadable'] === true || innerSchemas(schema).some(hasFileMark))
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const variantsOf = (schema: Fields): unknown[] =>
  ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => listOf(schema[keyword]))
const innerSchemas = (schema: Fields): unknown[] => [
  ...Object.values(isObject(schema['properties']) ? schema['properties'] : {}),
  schema['items'],
  ...listOf(schema['prefixItems']),
  schema['additionalProperties'],
  ...variantsOf(schema),
]

/**
 * Returns the arguments with the contents of files in place of their keys.
 * @throws ToolFailure for a file that is missing or belongs to another project, alike
 */
export async function withFileContents(
  files: FileStorage,
  projectId: string,
  args: Fields,
  { input }: Tool,
): Promise<Fields> {
  const loader = createFileLoader(files, projectId)
  return (await fillFiles(args, input, loader)) as Fields
}

type LoadFile = (key: string, argument: Fields) => Promise<FileBytes>

async function fillFiles(value: unknown, schema: unknown, load: LoadFile): Promise<unknown> {
  if (!isObject(schema) || value instanceof FileBytes) return value
  if (schema['file_uploadable'] === true && isObject(value) && typeof value['s3key'] === 'string') {
    return load(value['s3key'], value)
  }
  let filled = value
  if (Array.isArray(value)) filled = await fillItems(value, schema, load)
  else if (isObject(value)) filled = await fillProperties(value, schema, load)
  for (const variant of variantsOf(schema)) filled = await fillFiles(filled, variant, load)
  return filled
}

// Files are loaded one after another: each may have the largest size of a file.
async function fillItems(items: readonly unknown[], schema: Fields, load: LoadFile): Promise<unknown[]> {
  const prefix = listOf(schema['prefixItems'])
  const filled: unknown[] = []
  for (const [index, item] of items.entries()) {
    filled.push(await fillFiles(item, prefix[index] ?? schema['items'], load))
  }
  return filled
}

async function fillProperties(value: Fields, schema: Fields, load: LoadFile): Promise<Fields> {
  const { properties, additionalProperties } = schema
  const filled: [string, unknown][] = []
  for (const [name, property] of Object.entries(value)) {
    const isKnown = isObject(properties) && Object.hasOwn(properties, name)
    filled.push([name, await fillFiles(property, isKnown ? properties[name] : additionalProperties, load)])
  }
  return Object.fromEntries(filled)
}

/** Returns a function that loads files and holds the limits of one call. */
function createFileLoader(files: FileStorage, projectId: string): LoadFile {
  let [count, bytes] = [0, 0]
  return async (key, { name, mimetype }) => {
    if (++count > FILES_MAX) throw new ToolFailure(`One call accepts at most ${FILES_MAX} files.`)
    const file = await files.read(projectId, key).catch(throwNotFound)
    bytes += file.bytes.length
    if (bytes > files.bytesMax) {
      const megabytes = Math.floor(files.bytesMax / 1_000_000)
      throw new ToolFailure(`The files of one call together may have ${megabytes} MB.`, { statusCode: 413 })
    }
    const type = validMediaType(mimetype) ?? validMediaType(file.mimetype)
    return new FileBytes(typeof name === 'string' && name !== '' ? name : file.filename, type, file.bytes)
  }
}

function throwNotFound(error: unknown): never {
  if (!(error instanceof ApiError) || error.slug !== 'File_NotFound') throw error
  const message = `${error.message} Upload it with this project before you use it.`
  throw new ToolFailure(message, { statusCode: 404, cause: error })
}
