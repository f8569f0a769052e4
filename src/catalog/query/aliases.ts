import type { Catalog, ToolEntry } from '../types/index.ts'

type SlugAndAliases = Pick<ToolEntry, 'slug' | 'aliases'>

/**
 * The tools of a release under every name that they have, had, or have in the newest one: who pinned a version may call a tool by its new name, and who
 * goes by `latest` may call it by its old one. A name that is a tool's own goes before a former one.
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
      const tool = names.map((name) => byName.get(name)).find((one) => one !== undefined)
      if (tool) for (const name of names) if (!byName.has(name)) byName.set(name, tool)
    }
  }
  return byName
}

/** Whether a list of slugs names a tool, by whatever name it has had. */
export function listIncludesTool(
  catalog: Catalog,
  list: readonly string[],
  { slug }: Pick<ToolEntry, 'slug'>,
  version: string,
): boolean {
  return list.includes(slug) || list.some((one) => catalog.entry(one, version)?.slug === slug)
}
