import { type ResolvedTool, LATEST_VERSION, type ToolEntry } from '../../../catalog/index.ts'
import { PRELOADED_MAX } from '../config/validate-config.ts'
import type { SessionScope } from './scope.ts'

/** Lists the preloaded tools by slug, without those that are hidden or deleted now. */
export function preloadedTools(scope: SessionScope): ResolvedTool[] {
  const { tools } = scope.config.preload
  const resolvedTools =
    tools === 'all'
      ? preloadableTools(scope).flatMap(({ slug }) => scope.catalog.tool(slug, LATEST_VERSION) ?? [])
      : tools.flatMap((slug) => scope.find(slug) ?? [])
  return [...new Map(resolvedTools.map((one) => [one.tool.slug, one])).values()].sort((a, b) =>
    a.tool.slug < b.tool.slug ? -1 : 1,
  )
}

/** How many there are, without reading any of them. */
export const preloadedCount = (scope: SessionScope): number =>
  scope.config.preload.tools === 'all'
    ? preloadableTools(scope).length
    : scope.config.preload.tools.filter((slug) => scope.find(slug)).length

/** Whether a tool that the session shows is one of them. */
export const isPreloaded = (
  {
    config: {
      preload: { tools },
    },
    find,
  }: SessionScope,
  { slug, deprecated }: ToolEntry,
): boolean => (tools === 'all' ? !deprecated : tools.some((one) => find(one)?.tool.slug === slug))

function preloadableTools(scope: SessionScope) {
  const entries = []
  for (const tool of scope.tools()) {
    if (tool.deprecated) continue
    if (entries.push(tool) === PRELOADED_MAX) break
  }
  return entries
}
