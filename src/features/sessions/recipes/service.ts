import type { JsonSchema } from '../../../catalog/index.ts'
import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { ToolExecution } from '../../../engine/index.ts'
import type { Db, Pool } from '../../../platform/db/sql.ts'
import type { SessionScope } from '../scope/scope.ts'
import type { RecipeProgram } from './parse-program.ts'
import { createProgramCache } from './program-cache.ts'
import { createRunRecipe, type RunRecipe, type RunRecipeDeps } from './run-recipe.ts'
import { createStoppedRuns } from './stopped-runs.ts'
import {
  type PresentedRecipe,
  presentRecipe,
  type RecipeContext,
  recipeSlug,
  SLUG,
  type StoredContent,
  TOOL_PREFIX,
} from './recipe-context.ts'
import { type RecipeDraft, saveRecipe } from './save-recipe.ts'
import * as store from './store.ts'

/** A recipe as a tool: found by search, called as `RECIPE_<slug>`. */
export interface RecipeTool {
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly input: JsonSchema
  /** The toolkits that must be connected. */
  readonly toolkits: readonly string[]
  readonly program: RecipeProgram
  readonly version: number
  readonly versionId: string
  /** A session that had read content of other people saved it. */
  readonly isUntrusted: boolean
}

export interface RecipeDeps extends RunRecipeDeps {
  db: Pool
  encryptor: Encryptor
  storedContent: StoredContent
}
export type Recipes = ReturnType<typeof createRecipes>

/** Sequences of tool calls that users save: stored in versions, run within a session as one tool. */
export function createRecipes(deps: RecipeDeps) {
  const { db, encryptor, storedContent } = deps
  const context: RecipeContext = {
    db,
    encryptor,
    storedContent,
    loadPrograms: createProgramCache(deps),
    runPython: deps.runPython,
  }
  const run = createRunRecipe({ ...deps, stoppedRuns: createStoppedRuns(deps) })
  return {
    /** Lists the user's recipes of which the session shows every step. */
    tools: async (scope: SessionScope): Promise<RecipeTool[]> =>
      toRecipeTools(context, scope, await store.list(db, scope.projectId, scope.userId)),

    /** Finds a recipe by its slug as a tool, in any case. */
    async find(scope: SessionScope, slug: string): Promise<RecipeTool | undefined> {
      const row = slug.toUpperCase().startsWith(TOOL_PREFIX) ? await findRow(db, scope, slug) : undefined
      return row && (await toRecipeTools(context, scope, [row]))[0]
    },

    /** Records that the session sees recipes, if a session saved them that had read content of other people. */
    recordUse: (scope: SessionScope, recipes: readonly RecipeTool[]) => recordUse(context, scope, recipes),

    async run(...[scope, recipe, inputs, options]: Parameters<RunRecipe>): Promise<ToolExecution> {
      await recordUse(context, scope, [recipe])
      return run(scope, recipe, inputs, options)
    },

    /** Saves a recipe, and returns it or its problems. Saving the same recipe again changes nothing. */
    save: (scope: SessionScope, draft: RecipeDraft, call: { signal: AbortSignal; logId: string }) =>
      saveRecipe(context, scope, draft, call),

    /** Reads a recipe of the user, even if it cannot run in this session. */
    async get(scope: SessionScope, slug: string): Promise<PresentedRecipe | undefined> {
      const row = await findRow(db, scope, slug)
      if (!row) return undefined
      await recordUse(context, scope, [{ slug: TOOL_PREFIX + row.slug, isUntrusted: row.is_untrusted }])
      return presentRecipe(context, scope, row)
    },
  }
}

async function recordUse(
  { storedContent }: RecipeContext,
  { projectId, sessionId }: SessionScope,
  recipes: readonly Pick<RecipeTool, 'slug' | 'isUntrusted'>[],
): Promise<void> {
  const untrusted = recipes.find(({ isUntrusted }) => isUntrusted)
  if (untrusted)
    await storedContent.recordStored(projectId, sessionId, untrusted.slug, 'Recipe of an earlier session')
}

const findRow = async (
  db: Db,
  { projectId, userId }: SessionScope,
  slug: string,
): Promise<store.RecipeRow | undefined> =>
  SLUG.test(recipeSlug(slug)) ? store.find(db, projectId, userId, recipeSlug(slug)) : undefined

async function toRecipeTools(
  { loadPrograms }: RecipeContext,
  scope: SessionScope,
  rows: readonly store.RecipeRow[],
): Promise<RecipeTool[]> {
  const byVersion = await loadPrograms(scope.projectId, rows)
  return rows.flatMap((row) => {
    const loaded = byVersion.get(row.version_id)
    return (loaded && toRecipeTool(scope, row, loaded.program)) ?? []
  })
}

/** Returns undefined if the session does not show the tool of a step. */
function toRecipeTool(
  { find, catalog }: SessionScope,
  { slug, name, description, version, version_id: versionId, is_untrusted: isUntrusted }: store.RecipeRow,
  program: RecipeProgram,
): RecipeTool | undefined {
  // Python names tools in texts; a text that no toolkit has as a tool is a constant.
  const slugs = program.python ? program.tools.filter((tool) => catalog.ownerOf(tool)) : program.tools
  const stepTools = slugs.flatMap((tool) => find(tool) ?? [])
  if (stepTools.length < slugs.length) return undefined
  const toolkits = stepTools.flatMap(({ tool, toolkit }) =>
    toolkit.noAuth || tool.noAuth ? [] : [toolkit.slug],
  )
  return {
    slug: TOOL_PREFIX + slug,
    name,
    description,
    input: program.inputs,
    toolkits: [...new Set(toolkits)],
    program,
    version,
    versionId,
    isUntrusted,
  }
}
