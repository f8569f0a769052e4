import { type JsonSchema, inlineReferences, searchOf, toolParameters } from '../../../../catalog/index.ts'
import type { RecipeTool, Recipes } from '../../recipes/index.ts'
import type { CustomTool, MetaCall, MetaOutcome, SessionScope } from '../../index.ts'
import { conversation } from '../conversation-id.ts'
import { type Hit, hitOf, recipeHit } from './tool-finder.ts'

const SUGGESTIONS_MAX = 3
/** Slugs that are looked up for what was meant. */
const UNKNOWN_MAX = 10
const SLUG_SHOWN_MAX = 100

/** The schemas of tools that the session shows. A hidden one and one that is not there are not found alike. */
export async function getSchemas(
  { recipes }: { recipes: Recipes },
  scope: SessionScope,
  args: Record<string, unknown>,
  call: MetaCall,
): Promise<MetaOutcome> {
  const slugs = [...new Set((args['tool_slugs'] as string[]).map((slug) => slug.slice(0, SLUG_SHOWN_MAX)))]
  const include = new Set(args['include'] as string[])
  const custom = new Map((call.custom ?? []).map((one) => [one.slug, one]))
  const own = slugs.some((slug) => !hitOf(scope, slug) && !custom.has(slug)) ? await recipes.tools(scope) : []
  const found = slugs.map((slug) => [slug, schemaOf(scope, slug, custom, own)] as const)
  const missing = found.filter(([, hit]) => !hit).map(([slug]) => slug)
  const suggestions = Object.fromEntries(
    missing
      .slice(0, UNKNOWN_MAX)
      .map((slug) => [slug, suggested(scope, slug)] as const)
      .filter(([, list]) => list.length),
  )
  const shown = found.flatMap(([, hit]) => (hit ? [hit] : []))
  return {
    data: {
      success: shown.length > 0,
      tool_schemas: Object.fromEntries(
        shown.map(({ slug, toolkit, description, input, output }) => [
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
            not_found_message: `${missing.length} ${missing.length === 1 ? 'slug is' : 'slugs are'} unknown here; ${Object.keys(suggestions).length ? 'see suggestions, or search again' : 'search again'}.`,
          }
        : {}),
      session: conversation(args['session_id']),
    },
    error: shown.length
      ? null
      : 'None of these tools is there. Search for tools, and pass slugs as the search answered them.',
  }
}

type Whole = Hit & { output: JsonSchema }

function schemaOf(
  scope: SessionScope,
  slug: string,
  custom: ReadonlyMap<string, CustomTool>,
  recipes: readonly RecipeTool[],
): Whole | undefined {
  const hit = hitOf(scope, slug)
  if (hit) return { ...hit, output: toolParameters(hit.found!.tool).output }
  const tool = custom.get(slug)
  if (tool)
    return {
      slug,
      toolkit: tool.toolkit ?? tool.extends_toolkit ?? 'local',
      needs: [],
      description: tool.description,
      input: () => inlineReferences(tool.input_schema),
      output: tool.output_schema ?? { type: 'object' },
    }
  const recipe = recipes.find((one) => one.slug === slug.toUpperCase())
  return recipe && { ...recipeHit(recipe), output: { type: 'object' } }
}

/** Visible tools whose names have the words of a slug. */
const suggested = (scope: SessionScope, slug: string): string[] =>
  searchOf(scope.catalog)
    .find(slug.replaceAll('_', ' '), {
      limit: SUGGESTIONS_MAX,
      allows: (one) => hitOf(scope, one) !== undefined,
    })
    .tools.map((one) => scope.find(one.slug)!.tool.slug)
