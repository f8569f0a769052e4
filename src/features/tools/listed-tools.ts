import { LRUCache } from 'lru-cache'
import {
  type Catalog,
  computeParameters,
  readSelected,
  type SchemaFormatName,
  type ToolEntry,
  type ToolFilter,
  toolSchemaInFormat,
  versionFor,
} from '../../catalog/index.ts'
import type { ParameterFormat } from '../../contract/projects/call-settings.ts'
import * as contract from '../../contract/tools/index.ts'
import { constantJson } from '../../platform/constant-json.ts'
import { schemaCompilers } from '../../platform/http/server/schema-compilers.ts'
import { presentTool, withSchemaFormat } from './present-tool.ts'

/** About 5,000 tools: a list of a thousand is repeated without reading a file. */
const BYTES_MAX = 16 * 1024 * 1024
/** Memory of an entry without its JSON: the buffer, the key and the record of the cache. */
const ENTRY_BYTES = 600

const serializeTool = schemaCompilers().serializer(contract.Tool)

/** A tool as lists contain it. Undefined: it has no schema in the format of the list. */
interface ListedTool {
  readonly tool: contract.Tool | undefined
  readonly bytes: number
}

/** JSON of recently listed tools. The compiled tools do not stay in memory: a list needs nothing else of them. */
const listedTools = new LRUCache<string, ListedTool>({
  maxSize: BYTES_MAX,
  sizeCalculation: ({ bytes }) => bytes + ENTRY_BYTES,
})

export interface ListForm {
  readonly catalog: Catalog
  readonly filter: ToolFilter
  readonly logo: (slug: string) => string
  readonly format: ParameterFormat
  readonly dialect: SchemaFormatName | undefined
}

/**
 * Returns a function that returns tools as a list contains them; undefined for a tool that has no schema in the format
 * of the list. Reads only tools whose JSON is not in memory.
 */
export function toolPresenter(form: ListForm): (entry: ToolEntry) => contract.Tool | undefined {
  const keys = new Map<string, string>()
  return (entry) => {
    let toolkitKey = keys.get(entry.toolkit)
    if (toolkitKey === undefined) keys.set(entry.toolkit, (toolkitKey = keyOfToolkit(form, entry.toolkit)))
    const key = `${numberOf(entry)} ${toolkitKey}`
    const known = listedTools.get(key)
    return known ? known.tool : readListedTool(form, entry, key)
  }
}

function readListedTool(form: ListForm, entry: ToolEntry, key: string): contract.Tool | undefined {
  const { catalog, filter, logo, format, dialect } = form
  const resolved = readSelected(catalog, filter, entry)
  if (dialect && !('schema' in toolSchemaInFormat(resolved.tool, dialect))) {
    listedTools.set(key, { tool: undefined, bytes: 0 })
    return undefined
  }
  const parameters = computeParameters(resolved.tool, format === 'map' ? 'map' : 'json_schema')
  const presented = presentTool(resolved, catalog, logo, format, parameters)
  // Serialized at once: the objects of a page of a thousand tools would be promoted to the old generation of the heap.
  const json = serializeTool(withSchemaFormat(resolved, presented, dialect))
  const listed = { tool: constantJson<contract.Tool>(json), bytes: Buffer.byteLength(json) }
  listedTools.set(key, listed)
  return listed.tool
}

/** Returns everything on which the JSON of the tools of a toolkit depends, except the tool itself. */
function keyOfToolkit({ catalog, filter, logo, format, dialect }: ListForm, slug: string): string {
  const version = versionFor(filter, slug)
  return JSON.stringify([
    numberOf(catalog.toolkit(slug, version)!),
    catalog.resolveVersion(slug, version),
    format,
    dialect,
    logo(slug),
    ...catalog.availableVersions(slug),
  ])
}

const numbers = new WeakMap<object, number>()
let objects = 0

/**
 * Returns a number that no other object has. Toolkits and entries are immutable, and a change makes others, so that a
 * key with their numbers never finds the JSON of a former content; the key itself does not keep them in memory.
 */
function numberOf(object: object): number {
  let number = numbers.get(object)
  if (number === undefined) numbers.set(object, (number = ++objects))
  return number
}
