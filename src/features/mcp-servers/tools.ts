import {
  type Catalog,
  type DialectName,
  type FoundTool,
  inDialect,
  LATEST,
  toolViews,
  type ToolEntry,
  visibility,
} from '../../catalog/index.ts'
import { BadCursor, type McpTool } from '../../platform/mcp/serve.ts'
import type { ServerRow } from './store.ts'

/** What the tools of a server are decided by. */
export type Offered = Pick<ServerRow, 'all_toolkits' | 'allowed_tools' | 'configs'>

const TOOLS_A_PAGE = 100

/** Hint tags that MCP knows too (MCP, "Tool annotations"); its defaults are the worst case, so what is known to be harmless is said. */
export function annotationsOf({ tags, name }: Pick<ToolEntry, 'tags' | 'name'>): McpTool['annotations'] {
  const readOnly = tags.includes('readOnlyHint')
  return {
    title: name,
    readOnlyHint: readOnly,
    destructiveHint: tags.includes('destructiveHint'),
    idempotentHint: tags.includes('idempotentHint'),
    openWorldHint: tags.includes('openWorldHint'),
  }
}

/** The tools of a server: all that its list shows, and nothing else, can be called. */
export function toolsOf(
  catalog: Catalog,
  { all_toolkits: toolkits, allowed_tools: named, configs }: Offered,
) {
  const current = (slug: string) => catalog.entry(slug, LATEST)?.slug ?? slug
  const byToolkit = Map.groupBy(configs, ({ toolkit }) => toolkit)
  const sees = visibility(
    {
      toolkits: { enable: toolkits },
      ...(named.length
        ? { tools: Object.fromEntries(toolkits.map((slug) => [slug, { enable: named }])) }
        : {}),
      // Several auth configs of a toolkit allow the union of their tools; one without a list allows all.
      allowed: new Map(
        [...byToolkit].map(([toolkit, of]) => [
          toolkit,
          of.some(({ tools }) => !tools.length) ? null : of.flatMap(({ tools }) => tools),
        ]),
      ),
    },
    current,
  )
  // A tool that is on its way out is there for those who name it.
  const isOffered = (tool: ToolEntry) =>
    sees(tool) && (named.length > 0 || !(tool.deprecated || catalog.toolkit(tool.toolkit)?.deprecated))

  return {
    find(name: string): FoundTool | undefined {
      const entry = catalog.entry(name.toUpperCase(), LATEST)
      return entry && isOffered(entry) ? catalog.tool(entry.slug, LATEST) : undefined
    },

    /** A page in the order of names; the cursor is the last name of the page before, so pages do not shift when tools come and go. @throws BadCursor */
    list(
      cursor: string | undefined,
      dialect: DialectName | undefined,
    ): { tools: McpTool[]; nextCursor?: string } {
      const after = cursor === undefined ? '' : readCursor(cursor)
      const all = toolkits
        .flatMap((slug) => catalog.toolkit(slug)?.tools ?? [])
        .filter((tool) => isOffered(tool) && tool.slug > after)
        .sort((a, b) => (a.slug < b.slug ? -1 : 1))
      const page = all.slice(0, TOOLS_A_PAGE)
      const tools = page
        .map(({ slug }) => catalog.tool(slug, LATEST)!)
        .flatMap((found) => asListed(found, dialect) ?? [])
      return {
        tools,
        ...(all.length > page.length
          ? { nextCursor: Buffer.from(page.at(-1)!.slug).toString('base64url') }
          : {}),
      }
    },
  }
}

/** Undefined where the vendor would not take the tool in any form: one bad tool makes it refuse all. What a tool declares of its answer is not listed, as clients refuse answers that differ. */
export function asListed({ tool }: FoundTool, dialect: DialectName | undefined): McpTool | undefined {
  const compiled = dialect && inDialect(tool, dialect)
  if (compiled && 'reason' in compiled) return undefined
  return {
    name: tool.slug,
    title: tool.name,
    description: tool.description,
    inputSchema: compiled?.schema ?? toolViews(tool).input,
    annotations: annotationsOf(tool),
  }
}

function readCursor(cursor: string): string {
  const slug = Buffer.from(cursor.slice(0, 200), 'base64url').toString('latin1')
  if (!/^[A-Z0-9_-]{1,64}$/.test(slug)) throw new BadCursor()
  return slug
}
