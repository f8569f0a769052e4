import { join } from 'node:path'
import type { ToolkitManifest, ToolManifest } from '../../../src/catalog/manifest/format/index.ts'
import { keyOfRequest } from '../place.ts'
import { type OperationFile, readOperationFile } from './format.ts'
import { makeStatedTool } from './make-stated-tool.ts'

export { type OperationFile, readOperationFile } from './format.ts'

/** Name of the file in the folder of a toolkit. */
export const OPERATION_FILE = 'operations.json'

/** The tools of the operations that a toolkit states in its own file. */
export interface StatedTools {
  readonly file: OperationFile | undefined
  readonly tools: readonly ToolManifest[]
  /** Method and path of those that a document may have too. */
  readonly keys: ReadonlySet<string>
  /** Slugs and aliases. */
  readonly names: readonly string[]
}

/**
 * Makes the tools of `operations.json` in the folder of a toolkit; none where there is no file.
 *
 * @throws Error for an operation that contradicts itself, that is there twice, or whose sources are not enough
 */
export function statedTools(
  toolkit: Pick<ToolkitManifest, 'slug' | 'name'>,
  folder: string,
  baseUrl: string,
): StatedTools {
  const file = readOperationFile(join(folder, toolkit.slug, OPERATION_FILE))
  if (!file) return { file, tools: [], keys: new Set(), names: [] }
  const where = `${toolkit.slug}/${OPERATION_FILE}`
  const tools = file.operations.map((operation) => {
    try {
      return makeStatedTool(operation, file, toolkit)
    } catch (error) {
      throw new Error(`${where}: ${(error as Error).message}`, { cause: error })
    }
  })
  const names = tools.flatMap(({ slug, aliases = [] }) => [slug, ...aliases])
  const twice = names.find((name, index) => names.indexOf(name) !== index) ?? repeatedRequest(tools)
  if (twice !== undefined) throw new Error(`${where}: ${twice} is there twice.`)
  const unused = Object.keys(file.sources).find(
    (source) => !file.operations.some(({ sources }) => sources.includes(source)),
  )
  if (unused !== undefined) throw new Error(`${where}: no operation names the source ${unused}.`)
  const keys = tools.map(({ request }) => keyOfRequest(request!.method, request!.path, baseUrl))
  return { file, tools, keys: new Set(keys), names }
}

/** Two tools that send the same request; they may differ in what is fixed or in where the arguments are sent. */
function repeatedRequest(tools: readonly ToolManifest[]): string | undefined {
  const seen = new Set<string>()
  return tools.find(({ request }) => {
    const key = JSON.stringify({ ...request, path: request!.path.replace(/\{[^{}]*\}/g, '{}') })
    return seen.has(key) || !seen.add(key)
  })?.slug
}
