import type { Catalog, ToolEntry } from '../types/index.ts'

type SlugAndAliases = Pick<ToolEntry, 'slug' | 'aliases'>

/**
 * Indexes the tools of a release by every name that they have or had, here or in the newest release: a caller
 * with a pinned version can use the new name of a tool, and a caller with `latest` the old one. A slug takes
 * precedence over an alias.
 */
export function indexByNameAndAlias<T extends SlugAndAliases>(
  release: readonly T[],
  newest: readonly SlugAndAliases[],
): ReadonlyMap<string, T> {
  const byName = new Map(release.map((tool) => [tool.slug, tool]))
  for (const tools of [release, newest]) {
    for (const { slug, aliases } of tools) {
      if (aliases.length === 0) continue
      const names = [slug, ...aliases]
      const tool = names.map((name) => byName.get(name)).find((match) => match !== undefined)
      if (tool) for (const name of names) if (!byName.has(name)) byName.set(name, tool)
    }
  }
  return byName
}

/** Whether a list of slugs includes a tool, by its slug or an alias. */
export function listIncludesTool(
  catalog: Catalog,
  list: readonly string[],
  { slug }: Pick<ToolEntry, 'slug'>,
  version: string,
): boolean {
  return list.includes(slug) || list.some((name) => catalog.entry(name, version)?.slug === slug)
}
