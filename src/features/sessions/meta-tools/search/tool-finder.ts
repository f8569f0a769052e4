import {
  type FindOptions,
  type Fit,
  indexOf,
  type JsonSchema,
  LATEST_VERSION,
  inlineReferences,
  searchOf,
  type SearchToolkit,
  type ToolEntry,
  toolParameters,
} from '../../../../catalog/index.ts'
import type { ResolvedTool } from '../../../../catalog/index.ts'
import type { CustomTool } from '../meta-tool.ts'
import type { SessionScope } from '../../scope/scope.ts'
import type { RecipeTool } from '../../recipes/index.ts'

/** A tool that was found. `found` is there for those of the catalogue. */
export interface SearchHit {
  readonly slug: string
  /** As answers name it. */
  readonly toolkit: string
  /** Whose connections it needs. */
  readonly connectionToolkits: readonly string[]
  readonly description: string
  /** Without references. Made when it is asked for: most tools that are found are only named. */
  readonly input: () => JsonSchema
  readonly resolvedTool?: ResolvedTool | undefined
}

export interface SearchFindings {
  /** `isOpposite`: it does the opposite of what was asked, and is never the tool to call. */
  readonly hits: readonly (SearchHit & { readonly score: number; readonly isOpposite: boolean })[]
  readonly fit: Fit
}

const HITS_MAX = 12
const CUSTOM_TOOLKIT = 'local',
  RECIPE_TOOLKIT = 'recipes'

export interface ExtraTools {
  readonly custom: readonly CustomTool[]
  readonly recipes: readonly RecipeTool[]
}

/** Searches a text. Yields between the tools that it reads: the first use of a toolkit takes several milliseconds. */
export type FindTools = (
  text: string,
  similarity?: FindOptions['similarity'],
) => Generator<void, SearchFindings>

/**
 * A search over what the session shows: tools of the catalogue, the caller's own, and recipes of which every
 * step is to be seen. Made for one request.
 */
export function createToolFinder(
  scope: SessionScope,
  { custom, recipes }: ExtraTools,
  context: FindOptions['context'],
): FindTools {
  const { catalog, config } = scope
  const extraHits = new Map<string, SearchHit>(
    [...custom.map(customHit), ...recipes.map(recipeHit)].map((hit) => [hit.slug, hit]),
  )
  const extraToolkits = [
    extraToolkit(CUSTOM_TOOLKIT, 'Local tools', custom),
    extraToolkit(RECIPE_TOOLKIT, 'Recipes', recipes),
  ].filter(({ tools }) => tools.length)
  const base = searchOf(catalog)
  const search = extraToolkits.length ? base.withSegments([indexOf(extraToolkits)]) : base
  const enabledToolkits =
    config.toolkits && 'enable' in config.toolkits
      ? new Set([...config.toolkits.enable, CUSTOM_TOOLKIT, RECIPE_TOOLKIT])
      : undefined

  const entryOf = (slug: string) => catalog.entry(slug, LATEST_VERSION)
  const passes = (entry: ToolEntry): boolean =>
    scope.isVisible(entry) && !entry.deprecated && !catalog.toolkit(entry.toolkit)?.deprecated
  const allows = (slug: string): boolean => {
    if (extraHits.has(slug)) return true
    const entry = entryOf(slug)
    return entry !== undefined && passes(entry)
  }
  const filter =
    extraHits.size > 0
      ? { allows }
      : { entries: { owner: catalog, version: LATEST_VERSION, entryOf, passes } }
  return function* (text, similarity) {
    const { tools, fit } = search.find(text, {
      limit: HITS_MAX,
      toolkits: enabledToolkits,
      ...filter,
      context,
      similarity,
    })
    const hits = new Map<string, SearchFindings['hits'][number]>()
    for (const { slug, score, isOpposite } of tools) {
      yield
      const hit = extraHits.get(slug) ?? catalogHit(scope, slug)
      // A tool that was renamed is indexed under both names.
      if (hit && !hits.has(hit.slug)) hits.set(hit.slug, { ...hit, score, isOpposite })
    }
    return { hits: [...hits.values()], fit }
  }
}

/** A tool of the catalogue that the session shows. */
export function catalogHit(scope: SessionScope, slug: string): SearchHit | undefined {
  const resolvedTool = scope.find(slug)
  if (!resolvedTool) return undefined
  const { tool, toolkit } = resolvedTool
  return {
    slug: tool.slug,
    toolkit: toolkit.slug,
    connectionToolkits: toolkit.noAuth || tool.noAuth ? [] : [toolkit.slug],
    description: tool.description,
    input: () => toolParameters(tool).input,
    resolvedTool,
  }
}

export const recipeHit = ({ slug, description, name, input, toolkits }: RecipeTool): SearchHit => ({
  slug,
  toolkit: RECIPE_TOOLKIT,
  connectionToolkits: toolkits,
  description: description || name,
  input: () => input,
})

const customHit = ({
  slug,
  description,
  input_schema: input,
  extends_toolkit: extended,
  toolkit = extended ?? CUSTOM_TOOLKIT,
}: CustomTool): SearchHit => ({
  slug,
  toolkit,
  connectionToolkits: extended ? [extended] : [],
  description,
  input: () => inlineReferences(input),
})

const extraToolkit = (
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
    phrases: [],
    isCurated: true,
    path: undefined,
    effect: undefined,
  })),
})
