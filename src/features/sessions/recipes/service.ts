import type { JsonSchema } from '../../../catalog/index.ts'
import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { ToolExecution } from '../../../engine/index.ts'
import type { Db, Pool } from '../../../platform/db/sql.ts'
import { newId } from '../../../platform/ids.ts'
import type { SessionScope } from '../scope/scope.ts'
import { parseProgram, type RecipeProgram } from './parse-program.ts'
import { createProgramCache, encryptionContext, type LoadPrograms } from './program-cache.ts'
import { createRunRecipe, type RunRecipe, type RunRecipeDeps } from './run-recipe.ts'
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

/** A recipe in the results of meta tools. */
export interface PresentedRecipe {
  recipe_slug: string
  tool_slug: string
  name: string
  description: string
  recipe_code: string
  version: number
  toolkits: string[]
  created_at: string
  updated_at: string
}

export interface RecipeDraft {
  slug: string
  name: string
  description: string | undefined
  code: string
}

/** What sessions have read of other people. */
export interface StoredContent {
  hasRead(projectId: string, sessionId: string): Promise<boolean>
  /** Records that a session uses what a session stored that had read content of other people. */
  recordStored(projectId: string, sessionId: string, tool: string, note: string): Promise<void>
}

export interface RecipeDeps extends RunRecipeDeps {
  db: Pool
  encryptor: Encryptor
  storedContent: StoredContent
}
export type Recipes = ReturnType<typeof createRecipes>

interface RecipeContext {
  db: Pool
  encryptor: Encryptor
  storedContent: StoredContent
  loadPrograms: LoadPrograms
}

const TOOL_PREFIX = 'RECIPE_'
/** Together with the prefix, a tool name that every model vendor accepts. */
const SLUG = /^[A-Z0-9_]{3,56}$/

/** Sequences of tool calls that users save: stored in versions, run within a session as one tool. */
export function createRecipes(deps: RecipeDeps) {
  const { db, encryptor, storedContent } = deps
  const context: RecipeContext = { db, encryptor, storedContent, loadPrograms: createProgramCache(deps) }
  const run = createRunRecipe(deps)
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
    save: (scope: SessionScope, draft: RecipeDraft) => saveRecipe(context, scope, draft),

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

const recipeSlug = (slug: string): string => slug.toUpperCase().replace(/^RECIPE_/, '')

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
  { find }: SessionScope,
  { slug, name, description, version, version_id: versionId, is_untrusted: isUntrusted }: store.RecipeRow,
  program: RecipeProgram,
): RecipeTool | undefined {
  const stepTools = program.steps.flatMap(({ tool }) => find(tool) ?? [])
  if (stepTools.length < program.steps.length) return undefined
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

async function presentRecipe(
  { loadPrograms }: RecipeContext,
  scope: SessionScope,
  row: store.RecipeRow,
): Promise<PresentedRecipe> {
  const loaded = (await loadPrograms(scope.projectId, [row])).get(row.version_id)
  const steps = loaded?.program.steps ?? []
  return {
    recipe_slug: row.slug,
    tool_slug: TOOL_PREFIX + row.slug,
    name: row.name,
    description: row.description,
    recipe_code: loaded?.code ?? '',
    version: row.version,
    toolkits: [...new Set(steps.flatMap(({ tool }) => scope.catalog.ownerOf(tool) ?? []))],
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

async function saveRecipe(
  context: RecipeContext,
  scope: SessionScope,
  draft: RecipeDraft,
): Promise<{ error: string } | { recipe: PresentedRecipe; created: boolean }> {
  const { db, encryptor, storedContent } = context
  const slug = recipeSlug(draft.slug)
  if (!SLUG.test(slug))
    return { error: 'recipe_slug must have 3 to 56 characters: capital letters, digits and _.' }
  if (scope.catalog.ownerOf(TOOL_PREFIX + slug))
    return { error: `The tool ${TOOL_PREFIX}${slug} already exists. Choose another recipe_slug.` }
  const parsed = parseProgram(draft.code, scope.find)
  if ('problems' in parsed) return { error: `The recipe was not saved. ${parsed.problems.join(' ')}` }
  const { projectId, userId, sessionId } = scope
  const hasRead = await storedContent.hasRead(projectId, sessionId)
  const version = { ...draft, name: toStorableText(draft.name) }
  const created = await db.begin((tx) =>
    storeVersion(tx, encryptor, { projectId, userId, slug }, version, hasRead),
  )
  if (created === undefined)
    return {
      error:
        `A user can have at most ${store.RECIPES_MAX} recipes. Save this one under the slug of a recipe ` +
        'that you no longer need.',
    }
  const row = (await store.find(db, projectId, userId, slug)) as store.RecipeRow
  return { recipe: await presentRecipe(context, scope, row), created }
}

/** Returns whether the recipe is new, or undefined if the user has too many recipes. */
async function storeVersion(
  tx: Db,
  encryptor: Encryptor,
  { projectId, userId, slug }: { projectId: string; userId: string; slug: string },
  { name, description: draftDescription, code }: RecipeDraft,
  hasReadUntrusted: boolean,
): Promise<boolean | undefined> {
  const row = await store.lockRecipe(tx, projectId, userId, { id: newId('rcp'), slug, name })
  if (!row) return undefined
  const current = row.version ? await store.currentCode(tx, row.id, row.version) : undefined
  const description = draftDescription === undefined ? row.description : toStorableText(draftDescription)
  const isSame =
    current &&
    row.name === name &&
    row.description === description &&
    encryptor.decrypt<string>(current.encrypted_payload, encryptionContext(current.id)) === code
  const id = newId('rcp')
  if (!isSame)
    await store.addVersion(tx, projectId, row.id, {
      id,
      version: row.version + 1,
      name,
      description,
      encrypted_payload: encryptor.encrypt(code, encryptionContext(id)),
      is_untrusted: hasReadUntrusted || (draftDescription === undefined && current?.is_untrusted === true),
    })
  return row.version === 0
}

/** Removes what PostgreSQL does not accept in a text: lone surrogates and NUL. */
const toStorableText = (text: string): string => text.toWellFormed().replaceAll('\0', '')
