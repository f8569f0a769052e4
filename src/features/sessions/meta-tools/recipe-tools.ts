import type { Recipes } from '../recipes/index.ts'
import type { MetaToolCall, MetaToolOutcome } from './meta-tool.ts'
import type { SessionScope } from '../scope/scope.ts'
import { readConversation } from './conversation-id.ts'

export interface RecipeToolDeps {
  recipes: Recipes
  toWireName(slug: string): string
}

/** Saves a recipe after reading it; a mistake in it is an answer. */
export async function upsertRecipe(
  { recipes }: RecipeToolDeps,
  scope: SessionScope,
  args: Record<string, unknown>,
  { signal, logId }: MetaToolCall,
): Promise<MetaToolOutcome> {
  const {
    recipe_slug: slug,
    name,
    description,
    recipe_code: code,
    input_schema: inputSchema,
  } = args as {
    recipe_slug: string
    name: string
    description?: string
    recipe_code: string
    input_schema?: unknown
  }
  const saved = await recipes.save(scope, { slug, name, description, code, inputSchema }, { signal, logId })
  const session = readConversation(args['session_id'])
  return 'error' in saved
    ? { data: { session }, error: saved.error }
    : { data: { ...saved, session }, error: null }
}

/** Reads a recipe. The message for a missing one is that of the contract. */
export async function getRecipe(
  { recipes, toWireName }: RecipeToolDeps,
  scope: SessionScope,
  args: Record<string, unknown>,
): Promise<MetaToolOutcome> {
  const slug = args['recipe_slug'] as string
  const recipe = await recipes.get(scope, slug)
  return recipe
    ? { data: { recipe, session: readConversation(args['session_id']) }, error: null }
    : {
        data: {},
        error: `Execution failed for ${toWireName('SERVICE_GET_RECIPE')}: Tool ${slug.slice(0, 100)} not found`,
      }
}
