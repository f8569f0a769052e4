import {
  type Fit,
  indexOf,
  type JsonSchema,
  LATEST_VERSION,
  inlineReferences,
  searchOf,
  type SearchToolkit,
  toolParameters,
} from '../../../../catalog/index.ts'
import type { ResolvedTool } from '../../../../catalog/index.ts'
import type { CustomTool, SessionScope } from '../../index.ts'
import type { RecipeTool } from '../../recipes/index.ts'

/** A tool that was found. `found` is there for those of the catalogue. */
export interface Hit {
  readonly slug: string
  /** As answers name it. */
  readonly toolkit: string
  /** Whose connections it needs. */
  readonly needs: readonly string[]
  readonly description: string
  /** Without references. Made when it is asked for: most tools that are found are only named. */
  readonly input: () => JsonSchema
  readonly found?: ResolvedTool | undefined
}

export interface Findings {
  readonly hits: readonly (Hit & { readonly score: number })[]
  readonly fit: Fit
}

const LIMIT = 12
const CUSTOM = 'local',
  RECIPES = 'recipes'

export interface Beside {
  readonly custom: readonly CustomTool[]
  readonly recipes: readonly RecipeTool[]
}

/** A search over what the session shows: tools of the catalogue, the caller's own, and recipes of which every step is to be seen. Made for one request. */
export function finder(scope: SessionScope, { custom, recipes }: Beside): (text: string) => Findings {
  const { catalog, config } = scope
  const others = new Map<string, Hit>(
    [...custom.map(customHit), ...recipes.map(recipeHit)].map((hit) => [hit.slug, hit]),
  )
  const beside = [own(CUSTOM, 'Local tools', custom), own(RECIPES, 'Recipes', recipes)].filter(
    ({ tools }) => tools.length,
  )
  const base = searchOf(catalog)
  const search = beside.length ? base.beside([indexOf(beside)]) : base
  const within =
    config.toolkits && 'enable' in config.toolkits
      ? new Set([...config.toolkits.enable, CUSTOM, RECIPES])
      : undefined

  const allows = (slug: string): boolean => {
    if (others.has(slug)) return true
    const entry = catalog.entry(slug, LATEST_VERSION)
    return (
      entry !== undefined &&
      scope.sees(entry) &&
      !entry.deprecated &&
      !catalog.toolkit(entry.toolkit)?.deprecated
    )
  }
  return (text) => {
    const { tools, fit } = search.find(text, { limit: LIMIT, toolkits: within, allows })
    const hits = tools.flatMap(({ slug, score }) => {
      const hit = others.get(slug) ?? hitOf(scope, slug)
      return hit ? [{ ...hit, score }] : []
    })
    // A tool that was renamed is indexed under both names.
    return { hits: hits.filter(({ slug }, at) => hits.findIndex((one) => one.slug === slug) === at), fit }
  }
}

/** A tool of the catalogue that the session shows. */
export function hitOf(scope: SessionScope, slug: string): Hit | undefined {
  const found = scope.find(slug)
  if (!found) return undefined
  const { tool, toolkit } = found
  return {
    slug: tool.slug,
    toolkit: toolkit.slug,
    needs: toolkit.noAuth || tool.noAuth ? [] : [toolkit.slug],
    description: tool.description,
    input: () => toolParameters(tool).input,
    found,
  }
}

export const recipeHit = ({ slug, description, name, input, toolkits }: RecipeTool): Hit => ({
  slug,
  toolkit: RECIPES,
  needs: toolkits,
  description: description || name,
  input: () => input,
})

const customHit = ({
  slug,
  description,
  input_schema: input,
  extends_toolkit: extended,
  toolkit = extended ?? CUSTOM,
}: CustomTool): Hit => ({
  slug,
  toolkit,
  needs: extended ? [extended] : [],
  description,
  input: () => inlineReferences(input),
})

const own = (
  slug: string,
  name: string,
  tools: readonly { slug: string; name: string; description: string }[],
): SearchToolkit => ({
  slug,
  name,
  description: '',
  hosts: [],
  tools: tools.map((tool) => ({
    slug: tool.slug,
    name: tool.name,
    description: tool.description,
    otherNames: tool.slug,
    tags: [],
    parameters: [],
    path: undefined,
    effect: undefined,
  })),
})
