import {
  type JsonSchema,
  inlineReferences,
  searchOf,
  searchReady,
  toolParameters,
} from '../../../../catalog/index.ts'
import type { RecipeTool, Recipes } from '../../recipes/index.ts'
import type { CustomTool, MetaToolCall, MetaToolOutcome } from '../meta-tool.ts'
import type { SessionScope } from '../../scope/scope.ts'
import { readConversation } from '../conversation-id.ts'
import { type SearchHit, catalogHit, recipeHit } from './tool-finder.ts'

const SUGGESTIONS_MAX = 3
/** Slugs that are looked up for what was meant. */
const LOOKED_UP_MAX = 10
const SLUG_CHARACTERS_MAX = 100

/** The schemas of tools that the session shows. A hidden one and one that is not there are not found alike. */
export async function getSchemas(
  { recipes }: { recipes: Recipes },
  scope: SessionScope,
  args: Record<string, unknown>,
  call: MetaToolCall,
): Promise<MetaToolOutcome> {
  const slugs = [
    ...new Set((args['tool_slugs'] as string[]).map((slug) => slug.slice(0, SLUG_CHARACTERS_MAX))),
  ]
  const include = new Set(args['include'] as string[])
  const custom = new Map((call.custom ?? []).map((one) => [one.slug, one]))
  const userRecipes = slugs.some((slug) => !catalogHit(scope, slug) && !custom.has(slug))
    ? await recipes.tools(scope)
    : []
  const results = slugs.map((slug) => [slug, findSchema(scope, slug, custom, userRecipes)] as const)
  const missing = results.filter(([, hit]) => !hit).map(([slug]) => slug)
  if (missing.length > 0) await searchReady(scope.catalog)
  const suggestions = Object.fromEntries(
    missing
      .slice(0, LOOKED_UP_MAX)
      .map((slug) => [slug, suggestSlugs(scope, slug)] as const)
      .filter(([, list]) => list.length),
  )
  await recipes.recordUse(
    scope,
    userRecipes.filter(({ slug }) => results.some(([, hit]) => hit?.slug === slug)),
  )
  const schemaHits = results.flatMap(([, hit]) => (hit ? [hit] : []))
  return {
    data: {
      success: schemaHits.length > 0,
      tool_schemas: Object.fromEntries(
        schemaHits.map(({ slug, toolkit, description, input, output }) => [
          slug,
          {
            toolkit,
            tool_slug: slug,
            description,
            ...(include.has('input_schema') ? { input_schema: input() } : {}),
            ...(include.has('output_schema') ? { output_schema: output } : {}),
          },
        ]),
      ),
      ...(missing.length
        ? {
            not_found: missing,
            suggestions,
            not_found_message:
              `${missing.length} ${missing.length === 1 ? 'slug is' : 'slugs are'} unknown here; ` +
              `${Object.keys(suggestions).length ? 'see suggestions, or search again' : 'search again'}.`,
          }
        : {}),
      session: readConversation(args['session_id']),
    },
    error: schemaHits.length
      ? null
      : 'None of these tools is there. Search for tools, and pass slugs as the search answered them.',
  }
}

type SchemaHit = SearchHit & { output: JsonSchema }

function findSchema(
  scope: SessionScope,
  slug: string,
  custom: ReadonlyMap<string, CustomTool>,
  recipes: readonly RecipeTool[],
): SchemaHit | undefined {
  const hit = catalogHit(scope, slug)
  if (hit) return { ...hit, output: toolParameters(hit.resolvedTool!.tool).output }
  const tool = custom.get(slug)
  if (tool)
    return {
      slug,
      toolkit: tool.toolkit ?? tool.extends_toolkit ?? 'local',
      connectionToolkits: [],
      description: tool.description,
      input: () => inlineReferences(tool.input_schema),
      output: tool.output_schema ?? { type: 'object' },
    }
  const recipe = recipes.find((one) => one.slug === slug.toUpperCase())
  return recipe && { ...recipeHit(recipe), output: { type: 'object' } }
}

/** Visible tools whose names have the words of a slug. */
const suggestSlugs = (scope: SessionScope, slug: string): string[] =>
  searchOf(scope.catalog)
    .find(slug.replaceAll('_', ' '), {
      limit: SUGGESTIONS_MAX,
      allows: (one) => catalogHit(scope, one) !== undefined,
    })
    .tools.map((one) => scope.find(one.slug)!.tool.slug)
