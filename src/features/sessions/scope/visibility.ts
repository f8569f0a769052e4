import {
  type Catalog,
  LATEST_VERSION,
  type ToolRef,
  type Toolkit,
  visibilityFilter,
} from '../../../catalog/index.ts'
import type { ResolvedSessionConfig } from '../config/session-config.ts'
import type { SessionRow } from '../store.ts'
import type { SessionScope } from './scope.ts'

type VisibilityMethods = Pick<SessionScope, 'isVisible' | 'find' | 'toolkit' | 'toolkits' | 'tools'>

/** Returns the methods of a scope that find the tools and toolkits of the session. */
export function visibilityMethods(
  catalog: Catalog,
  row: SessionRow,
  config: ResolvedSessionConfig,
): VisibilityMethods {
  const isVisible = toolVisibility(catalog, row)
  // The tools of a toolkit are read only if a part of the configuration applies to them.
  const hasToolFilter = (slug: string) =>
    config.tags !== undefined ||
    Object.hasOwn(config.tools ?? {}, slug) ||
    row.configs.some(({ toolkit }) => toolkit === slug)
  const isToolkitVisible = (toolkit: Toolkit) =>
    hasToolFilter(toolkit.slug)
      ? toolkit.tools.some(isVisible)
      : toolkit.toolCount > 0 && isVisible({ slug: '', toolkit: toolkit.slug, tags: [] })
  const toolkits = (): readonly Toolkit[] =>
    (config.toolkits && 'enable' in config.toolkits
      ? [...new Set(config.toolkits.enable)].flatMap((slug) => catalog.toolkit(slug) ?? [])
      : catalog.toolkits
    ).filter(isToolkitVisible)
  return {
    isVisible,
    find(slug) {
      const entry = catalog.entry(slug.toUpperCase(), LATEST_VERSION)
      return entry && isVisible(entry) ? catalog.tool(entry.slug, LATEST_VERSION) : undefined
    },
    toolkit(slug) {
      const toolkit = catalog.toolkit(slug)
      return toolkit && isToolkitVisible(toolkit) ? toolkit : undefined
    },
    toolkits,
    *tools() {
      for (const { tools } of toolkits()) for (const tool of tools) if (isVisible(tool)) yield tool
    },
  }
}

/** Returns the filter of the configuration, restricted to the tools that its auth configs allow. */
function toolVisibility(
  catalog: Catalog,
  { config: { toolkits, tools, tags }, configs }: SessionRow,
): (tool: ToolRef) => boolean {
  const allowed = new Map(
    [...Map.groupBy(configs, ({ toolkit }) => toolkit)].map(([toolkit, toolkitConfigs]) => {
      // The auth configs of pinned accounts take precedence over the one for new accounts.
      const pinned = toolkitConfigs.filter((config) => config.pinned)
      const relevant = pinned.length > 0 ? pinned : toolkitConfigs
      const allowsAll = relevant.some(({ tools: allowedTools }) => !allowedTools.length)
      return [toolkit, allowsAll ? null : relevant.flatMap((config) => config.tools)] as const
    }),
  )
  const currentSlug = (slug: string) => catalog.entry(slug, LATEST_VERSION)?.slug ?? slug
  return visibilityFilter({ toolkits, tools, tags, allowed }, currentSlug)
}
