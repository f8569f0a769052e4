import {
  type Catalog,
  type ResolvedTool,
  type JsonSchema,
  LATEST_VERSION,
  inlineReferences,
  type Tool,
  type Toolkit,
} from '../../../../catalog/index.ts'
import { runToEnd } from '../../../../platform/run-to-end.ts'

/** A required argument whose value is an answer of another tool, and the tools that answer it, likeliest first. */
export interface ArgumentSource {
  readonly argument: string
  readonly producers: readonly string[]
}

/** Answers a tool that the caller may see. */
export type FindTool = (slug: string) => ResolvedTool | undefined

const SLUG = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g
const PRODUCERS_MAX = 3
/** All requests of a larger toolkit are not read for the sake of a hint. */
const TOOLKIT_TOOLS_MAX = 2_000

/**
 * What a tool needs of others, as its toolkit declares it: the description of a required argument names tools
 * that read, or the argument is a part of a path whose beginning is a list of the same toolkit
 * (`/issues/{number}` of `/issues`).
 */
export function argumentSources(found: ResolvedTool, catalog: Catalog, find: FindTool): ArgumentSource[] {
  const { properties, required } = requiredArguments(found)
  return required.flatMap((argument) => {
    const schema = properties[argument]
    if (!schema || Object.hasOwn(schema, 'default')) return []
    const producers = readTools(found, mentionedSlugs(schema), find)
    const chosen = producers.length
      ? producers
      : readTools(found, listToolBefore(found, argument, catalog), find)
    return chosen.length ? [{ argument, producers: chosen.slice(0, PRODUCERS_MAX) }] : []
  })
}

/** Optional arguments of a tool whose description names tools that return their values. */
export function optionalSources(found: ResolvedTool, find: FindTool): ArgumentSource[] {
  const { properties, required } = requiredArguments(found)
  return Object.entries(properties).flatMap(([argument, schema]) => {
    if (required.includes(argument)) return []
    const producers = readTools(found, mentionedSlugs(schema), find)
    return producers.length ? [{ argument, producers: producers.slice(0, PRODUCERS_MAX) }] : []
  })
}

interface ToolArguments {
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required: readonly string[]
}
const cached = new WeakMap<Tool, ToolArguments>()

/** The members of a tool's input, references written out. */
export function requiredArguments({ tool }: ResolvedTool): ToolArguments {
  let found = cached.get(tool)
  if (!found) {
    const { properties = {}, required = [] } = inlineReferences(tool.input) as {
      properties?: Record<string, JsonSchema>
      required?: string[]
    }
    cached.set(
      tool,
      (found = { properties, required: required.filter((name) => Object.hasOwn(properties, name)) }),
    )
  }
  return found
}

/** The description of an argument, of its items and of the members of these: the id in a list of records is one. */
const descriptionTexts = ({ description, items }: JsonSchema): string => {
  const { description: ofItems, properties } = (items ?? {}) as JsonSchema
  const members = Object.values((properties ?? {}) as Record<string, JsonSchema>)
  return [description, ofItems, ...members.map((member) => member.description)]
    .filter((text) => typeof text === 'string')
    .join(' ')
}

const mentionedSlugs = (schema: JsonSchema): string[] => [
  ...new Set(descriptionTexts(schema).match(SLUG) ?? []),
]

const readTools = ({ tool }: ResolvedTool, slugs: readonly string[], find: FindTool): string[] => [
  ...new Set(
    slugs.flatMap((slug) => {
      const other = find(slug)?.tool
      return other && other.effect === 'read' && other.slug !== tool.slug ? [other.slug] : []
    }),
  ),
]

/** Returns the path before an argument: `/issues` for `number` in `/issues/{number}`. */
function pathBefore({ tool, toolkit }: ResolvedTool, argument: string): string | undefined {
  if (toolkit.toolCount > TOOLKIT_TOOLS_MAX) return undefined
  const parts = tool.request?.path.source.split('/') ?? []
  const at = parts.findIndex((part) => part === `{${argument}}` || part === `{+${argument}}`)
  return at > 1 ? parts.slice(0, at).join('/') : undefined
}

function listToolBefore(found: ResolvedTool, argument: string, catalog: Catalog): readonly string[] {
  const path = pathBefore(found, argument)
  if (path === undefined) return []
  const list = runToEnd(readListTools(found.toolkit, catalog)).get(pathShape(path))
  return list ? [list] : []
}

/**
 * Reads what `argumentSources` of a tool needs of its toolkit, so that it takes no long time afterwards. Reading the
 * tools of a toolkit for the first time takes up to 60 ms, so this yields after each of them.
 */
export function* prepareArgumentSources(found: ResolvedTool, catalog: Catalog): Generator<void, void> {
  const { required } = requiredArguments(found)
  if (required.some((argument) => pathBefore(found, argument) !== undefined))
    yield* readListTools(found.toolkit, catalog)
}

const listToolsByToolkit = new WeakMap<Toolkit, ReadonlyMap<string, string>>()

/** Paths that are read with GET, without the names of their places, to the tool that does. The first tool counts. */
function* readListTools(toolkit: Toolkit, catalog: Catalog): Generator<void, ReadonlyMap<string, string>> {
  const known = listToolsByToolkit.get(toolkit)
  if (known) return known
  const tools = new Map<string, string>()
  for (const { slug, request, effect } of catalog.manifests(toolkit.slug, LATEST_VERSION)) {
    if (request?.method === 'GET' && effect === 'read') {
      const shape = pathShape(request.path)
      if (!tools.has(shape)) tools.set(shape, slug)
    }
    yield
  }
  listToolsByToolkit.set(toolkit, tools)
  return tools
}

const pathShape = (path: string): string => path.replace(/\{[^{}]*\}/g, '{}')
