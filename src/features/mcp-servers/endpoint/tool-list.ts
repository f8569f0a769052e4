import {
  type Catalog,
  type SchemaFormatName,
  type ResolvedTool,
  toolSchemaInFormat,
  LATEST_VERSION,
  toolParameters,
  type ToolEntry,
  visibilityFilter,
} from '../../../catalog/index.ts'
import { InvalidCursor, type McpTool } from '../../../platform/mcp/server/context.ts'
import type { ServerRow } from '../store.ts'

/** The properties of a server that decide which tools it has. */
export type ToolSelection = Pick<ServerRow, 'all_toolkits' | 'allowed_tools' | 'configs'>

const TOOLS_PER_PAGE = 100

/** Returns the MCP tool annotations. The defaults of MCP assume the worst case, so every hint is stated. */
export function toolAnnotations({ tags, name }: Pick<ToolEntry, 'tags' | 'name'>): McpTool['annotations'] {
  return {
    title: name,
    readOnlyHint: tags.includes('readOnlyHint'),
    destructiveHint: tags.includes('destructiveHint'),
    idempotentHint: tags.includes('idempotentHint'),
    openWorldHint: tags.includes('openWorldHint'),
  }
}

/**
 * Returns the toolkits of a server: those of the request and of its auth configs, and those of tools that it lists in
 * addition.
 */
export const offeredToolkits = (
  catalog: Catalog,
  { all_toolkits: toolkits, allowed_tools: tools }: Pick<ServerRow, 'all_toolkits' | 'allowed_tools'>,
): string[] => [
  ...new Set([...toolkits, ...tools.flatMap((slug) => catalog.entry(slug, LATEST_VERSION)?.toolkit ?? [])]),
]

/**
 * Selects the tools of a server. A toolkit with tools in `allowed_tools` has only these, another one has all.
 * Exactly the listed tools can be called.
 */
export function serverTools(catalog: Catalog, { all_toolkits, allowed_tools, configs }: ToolSelection) {
  const toolkits = offeredToolkits(catalog, { all_toolkits, allowed_tools })
  const listedTools = catalogTools(catalog, allowed_tools)
  const currentSlug = (slug: string) => catalog.entry(slug, LATEST_VERSION)?.slug ?? slug
  const byToolkit = Map.groupBy(configs, ({ toolkit }) => toolkit)
  const isVisible = visibilityFilter(
    {
      toolkits: { enable: toolkits },
      tools: Object.fromEntries(
        [...listedTools].map(([toolkit, enable]) => [toolkit, { enable: [...enable] }]),
      ),
      // Several auth configs of a toolkit allow the union of their tools; one without a list allows all.
      allowed: new Map(
        [...byToolkit].map(([toolkit, toolkitConfigs]) => [
          toolkit,
          toolkitConfigs.some(({ tools }) => !tools.length)
            ? null
            : toolkitConfigs.flatMap(({ tools }) => tools),
        ]),
      ),
    },
    currentSlug,
  )
  // A deprecated tool is available only on a server that lists it in allowed_tools.
  const isAvailable = (tool: ToolEntry) =>
    isVisible(tool) &&
    (listedTools.has(tool.toolkit) || !(tool.deprecated || catalog.toolkit(tool.toolkit)?.deprecated))

  return {
    find(name: string): ResolvedTool | undefined {
      const entry = catalog.entry(name.toUpperCase(), LATEST_VERSION)
      return entry && isAvailable(entry) ? catalog.tool(entry.slug, LATEST_VERSION) : undefined
    },

    /**
     * Lists a page of tools by name. The cursor is the last name of the previous page, so that pages stay stable when
     * tools are added or removed.
     * @throws InvalidCursor
     */
    list(
      cursor: string | undefined,
      schemaFormat: SchemaFormatName | undefined,
    ): { tools: McpTool[]; nextCursor?: string } {
      const after = cursor === undefined ? '' : decodeToolCursor(cursor)
      const all = toolkits
        .flatMap((slug) => catalog.toolkit(slug)?.tools ?? [])
        .filter((tool) => isAvailable(tool) && tool.slug > after)
        .sort((a, b) => (a.slug < b.slug ? -1 : 1))
      const page = all.slice(0, TOOLS_PER_PAGE)
      const tools = page
        .map(({ slug }) => catalog.tool(slug, LATEST_VERSION)!)
        .flatMap((resolvedTool) => presentMcpTool(resolvedTool, schemaFormat) ?? [])
      return {
        tools,
        ...(all.length > page.length ? { nextCursor: encodeToolCursor(page.at(-1)!.slug) } : {}),
      }
    },
  }
}

/** Groups tools by toolkit, under their current slugs. A tool that no longer exists is left out. */
function catalogTools(catalog: Catalog, slugs: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byToolkit = new Map<string, Set<string>>()
  for (const slug of slugs) {
    const entry = catalog.entry(slug, LATEST_VERSION)
    if (!entry) continue
    const tools = byToolkit.get(entry.toolkit) ?? new Set()
    byToolkit.set(entry.toolkit, tools.add(entry.slug))
  }
  return byToolkit
}

/**
 * Returns a tool in the form of `tools/list`, or undefined if its schema does not fit the format of the model vendor:
 * one invalid tool makes the vendor reject the whole list. There is no output schema, because clients reject results
 * that differ from it.
 */
export function presentMcpTool(
  { tool }: ResolvedTool,
  schemaFormat: SchemaFormatName | undefined,
): McpTool | undefined {
  const compiled = schemaFormat && toolSchemaInFormat(tool, schemaFormat)
  if (compiled && 'reason' in compiled) return undefined
  return {
    name: tool.slug,
    title: tool.name,
    description: tool.description,
    inputSchema: compiled?.schema ?? toolParameters(tool).input,
    annotations: toolAnnotations(tool),
  }
}

export const encodeToolCursor = (slug: string): string => Buffer.from(slug).toString('base64url')

/** @throws InvalidCursor */
export function decodeToolCursor(cursor: string): string {
  const slug = Buffer.from(cursor.slice(0, 200), 'base64url').toString('latin1')
  if (!/^[A-Z0-9_-]{1,64}$/.test(slug)) throw new InvalidCursor()
  return slug
}
