import type { ToolManifest } from '../../src/catalog/manifest/format/index.ts'
import type { ToolkitSource } from '../../src/catalog/manifest/load/read.ts'
import type { Facts } from './facts.ts'
import { matchNames } from './match-names.ts'
import { nameOf, type SelectedOperation } from './operations.ts'
import type { Overlay } from './overlay.ts'

const ALIASES_MAX = 20

/** Slugs and aliases of tools. */
export const curatedNames = (tools: readonly ToolManifest[]): ReadonlySet<string> =>
  new Set(tools.flatMap(({ slug, aliases = [] }) => [slug, ...aliases]))

/** Slugs of the last run, by the method and path below the base URL: a slug never changes. */
export function formerSlugs({ operations }: ToolkitSource): ReadonlyMap<string, string> {
  const slugs = new Map<string, string>()
  for (const { slug, request } of operations?.manifests() ?? [])
    if (request) slugs.set(routeOf(request.method, request.path), slug)
  return slugs
}

const withoutNames = (path: string): string => path.replace(/\{[^{}]*\}/g, '{}')
const routeOf = (method: string, path: string): string => `${method} ${withoutNames(path)}`

/**
 * Whether the overlay says that a name means no operation, or another one than that which documents and mappings gave
 * it to.
 */
function isElsewhere(
  slug: string,
  { routes }: SelectedOperation,
  { aliases = {}, unresolved = {} }: Overlay,
): boolean {
  if (Object.hasOwn(unresolved, slug)) return true
  const target = Object.hasOwn(aliases, slug) ? aliases[slug]! : undefined
  return (
    target?.includes(' ') === true && !routes.some((route) => withoutNames(route) === withoutNames(target))
  )
}

interface Naming {
  readonly names: ReadonlySet<string>
  readonly curatedByKey: ReadonlyMap<string, string>
  readonly overlay: Overlay
  readonly former: ReadonlyMap<string, string>
}

/**
 * The names of the original platform: aliases of curated tools, operations that a curated tool covers because it
 * has their name, and slugs of the others. The overlay's slug counts first, then the original's, then that of the
 * last run.
 */
export function originalNames(
  facts: Facts,
  toolkit: string,
  selected: readonly SelectedOperation[],
  { names, curatedByKey, overlay, former }: Naming,
) {
  const byRoute = Map.groupBy(
    selected.flatMap((one) => one.routes.map((route) => ({ one, route: withoutNames(route) }))),
    ({ route }) => route,
  )
  const aliases: Record<string, string> = {}
  const covered = new Map<string, string>()
  const preferred = new Map<string, string>()
  for (const one of selected) {
    const slug =
      overlay.operations?.[nameOf(one)]?.slug ??
      former.get(routeOf(one.operation.method.toUpperCase(), one.path))
    if (slug !== undefined && !isElsewhere(slug, one, overlay)) preferred.set(one.key, slug)
  }
  for (const { slug, method, path } of facts.mapping.get(toolkit) ?? []) {
    if (Object.hasOwn(overlay.unresolved ?? {}, slug)) continue
    for (const { key } of new Set((byRoute.get(routeOf(method, path)) ?? []).map(({ one }) => one))) {
      const curated = curatedByKey.get(key)
      if (names.has(slug)) covered.set(key, slug)
      else if (curated !== undefined) aliases[slug] = curated
      else if (!preferred.has(key) && !Object.hasOwn(overlay.aliases ?? {}, slug)) preferred.set(key, slug)
    }
  }
  return { aliases, covered, preferred }
}

/**
 * Returns the slug of the tool of each operation, by method and path without the names of parameters: as any of the
 * documents has the path, and as it is below the base URL.
 */
export function slugsByRoute(
  selected: readonly SelectedOperation[],
  slugOf: (key: string) => string | undefined,
): ReadonlyMap<string, string> {
  const slugs = new Map<string, string>()
  for (const { key, routes, operation, path } of selected) {
    const slug = slugOf(key)
    if (slug === undefined) continue
    for (const route of [...routes, `${operation.method.toUpperCase()} ${path}`].map(withoutNames))
      if (!slugs.has(route)) slugs.set(route, slug)
  }
  return slugs
}

/**
 * Adds the aliases of the overlay: those of curated tools, and into the tools those of generated ones. The overlay
 * names a tool by its slug, or by the method and path of its operation.
 *
 * @throws Error for an alias whose tool does not exist
 */
export function resolveAliases(
  found: Readonly<Record<string, string>>,
  overlay: Overlay,
  tools: ToolManifest[],
  names: ReadonlySet<string>,
  byRoute: ReadonlyMap<string, string>,
): Record<string, string> {
  const aliases = { ...found }
  const usedNames = new Set([...names, ...tools.map(({ slug }) => slug)])
  for (const [alias, text] of Object.entries(overlay.aliases ?? {})) {
    if (usedNames.has(alias)) continue
    const target = byRoute.get(withoutNames(text)) ?? text
    const at = tools.findIndex(({ slug }) => slug === target)
    if (names.has(target)) aliases[alias] = target
    else if (at >= 0) tools[at] = { ...tools[at]!, aliases: [...(tools[at]!.aliases ?? []), alias] }
    else throw new Error(`overlay: the alias ${alias} names ${target}, which is no tool of the toolkit.`)
  }
  return aliases
}

/**
 * Adds the names of the original platform that clearly mean one tool: to `aliases` those of curated tools, into
 * the tools those of generated ones.
 */
export function addMatches(
  facts: Facts,
  toolkit: string,
  from: {
    curated: readonly ToolManifest[]
    open: readonly SelectedOperation[]
    slugs: ReadonlyMap<string, string>
    overlay: Overlay
  },
  tools: ToolManifest[],
  aliases: Record<string, string>,
): void {
  const known = new Set([
    ...Object.keys(from.overlay.unresolved ?? {}),
    ...curatedNames(from.curated),
    ...Object.keys(aliases),
    ...tools.flatMap(({ slug, aliases: own = [] }) => [slug, ...own]),
  ])
  const names = (facts.originalSlugs.get(toolkit) ?? []).filter(
    (name) => !known.has(name) && name.length <= 64,
  )
  const textsBySlug = new Map(
    from.open.map(({ key, operation }) => [
      from.slugs.get(key),
      [operation.id ?? '', operation.summary ?? ''],
    ]),
  )
  const candidates = [...from.curated, ...tools].map(({ slug, effect, request }) => ({
    slug,
    effect,
    texts: [slug.slice(toolkit.length + 1), ...(textsBySlug.get(slug) ?? [])],
    path: request?.path ?? '',
  }))
  for (const [name, slug] of matchNames(toolkit, names, candidates)) {
    const at = tools.findIndex((tool) => tool.slug === slug)
    const own = tools[at]?.aliases ?? []
    if (at < 0) aliases[name] = slug
    else if (own.length < ALIASES_MAX) tools[at] = { ...tools[at]!, aliases: [...own, name] }
  }
}

/** Returns a record with its keys in order. */
export const sorted = (record: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
