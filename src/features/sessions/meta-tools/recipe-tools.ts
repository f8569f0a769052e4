import type { Recipes } from '../recipes/index.ts'
import type { MetaOutcome, SessionScope } from '../index.ts'
import { conversation } from './conversation-id.ts'

export interface RecipeToolDeps {
  recipes: Recipes
  spell(slug: string): string
}

/** Saves a recipe after reading it; a mistake in it is an answer. */
export async function upsertRecipe(
  { recipes }: RecipeToolDeps,
  scope: SessionScope,
  args: Record<string, unknown>,
): Promise<MetaOutcome> {
  const {
    recipe_slug: slug,
    name,
    description,
    recipe_code: code,
  } = args as { recipe_slug: string; name: string; description?: string; recipe_code: string }
  const saved = await recipes.save(scope, { slug, name, description, code })
  const session = conversation(args['session_id'])
  return 'error' in saved
    ? { data: { session }, error: saved.error }
    : { data: { ...saved, session }, error: null }
}

/** A missing one is told in the words of the contract. */
export async function getRecipe(
  { recipes, spell }: RecipeToolDeps,
  scope: SessionScope,
  args: Record<string, unknown>,
): Promise<MetaOutcome> {
  const slug = args['recipe_slug'] as string
  const recipe = await recipes.get(scope, slug)
  return recipe
    ? { data: { recipe, session: conversation(args['session_id']) }, error: null }
    : {
        data: {},
        error: `Execution failed for ${spell('SERVICE_GET_RECIPE')}: Tool ${slug.slice(0, 100)} not found`,
      }
}
