import { importantFirst } from './build.ts'
import { toolsByName } from './former-names.ts'
import type { Catalog, Category, FoundTool, Tool, Toolkit } from './records.ts'

/** The version that names the first release for ever. */
export const FIRST_VERSION = '00000000_00'
export const LATEST = 'latest'

/** All snapshots of one toolkit, newest first. */
export type Releases = readonly [Toolkit, ...Toolkit[]]

/** The catalogue over built toolkits. */
export function createCatalog(releases: readonly Releases[]): Catalog {
  const bySlug = new Map(releases.map((all) => [all[0].slug, indexed(all)]))
  const toolkits = releases.map(([newest]) => newest).sort(byName)
  const tools = toolkits.flatMap((toolkit) => toolkit.tools).sort(importantFirst)
  const owner = ownersOf(releases)
  const categories = new Map<string, Category>(toolkits.flatMap((toolkit) => toolkit.categories.map((one) => [one.id, one] as const)))
  const entry = (slug: string) => bySlug.get(slug) ?? bySlug.get(slug.toLowerCase())
  return Object.freeze<Catalog>({
    toolkits: Object.freeze(toolkits), tools: Object.freeze(tools),
    categories: Object.freeze([...categories.values()].sort((a, b) => a.id < b.id ? -1 : 1)),
    toolkit: (slug, version = LATEST) => entry(slug)?.versions.get(version),
    tool(slug, version) {
      const wanted = owner.has(slug) ? slug : slug.toUpperCase()
      const found = entry(owner.get(wanted) ?? '')
      return found?.tools.get(version)?.get(wanted)
    },
    resolveVersion(slug, version) {
      const found = entry(slug)
      return !found?.versions.has(version) ? undefined : version === LATEST ? found.newest : version
    },
    availableVersions: (slug) => entry(slug)?.available ?? [],
  })
}

interface Indexed {
  readonly newest: string
  readonly versions: ReadonlyMap<string, Toolkit>
  readonly tools: ReadonlyMap<string, ReadonlyMap<string, FoundTool>>
  readonly available: readonly string[]
}

/** One map per name of a version, so that finding a tool is two look-ups and makes no object. */
function indexed(all: Releases): Indexed {
  const newest = all[0]
  const versions = new Map<string, Toolkit>([[LATEST, newest], [FIRST_VERSION, all.at(-1)!], ...all.map((one) => [one.version, one] as const)])
  const tools = new Map([...versions].map(([name, toolkit]) => {
    const version = name === LATEST ? newest.version : name
    const found = new Map(toolkit.tools.map((tool) => [tool, Object.freeze<FoundTool>({ tool, toolkit, version })]))
    return [name, new Map([...toolsByName(toolkit, newest)].map(([slug, tool]) => [slug, found.get(tool)!]))] as const
  }))
  return { newest: newest.version, versions, tools, available: Object.freeze([FIRST_VERSION, ...all.map(({ version }) => version).reverse()]) }
}

/** Tool slug to toolkit slug, former slugs included; a tool that only an old release has is found there. */
function ownersOf(releases: readonly Releases[]): ReadonlyMap<string, string> {
  return new Map(releases.flatMap((all) => all.flatMap((toolkit) => toolkit.tools.flatMap((tool: Tool) => [tool.slug, ...tool.aliases].map((slug) => [slug, toolkit.slug] as const)))))
}

function byName(a: Toolkit, b: Toolkit): number {
  const [left, right] = [a.name.toLowerCase(), b.name.toLowerCase()]
  return left < right ? -1 : left > right ? 1 : a.slug < b.slug ? -1 : 1
}
