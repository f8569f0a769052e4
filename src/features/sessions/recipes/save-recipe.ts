import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { newId } from '../../../platform/ids.ts'
import type { SessionScope } from '../scope/scope.ts'
import { parseProgram } from './parse-program.ts'
import { encryptionContext, readStored, type StoredCode } from './program-cache.ts'
import { checkPython, isPython, parsePython } from './python.ts'
import {
  type PresentedRecipe,
  presentRecipe,
  type RecipeContext,
  recipeSlug,
  SLUG,
  TOOL_PREFIX,
} from './recipe-context.ts'
import * as store from './store.ts'

export interface RecipeDraft {
  slug: string
  name: string
  description: string | undefined
  code: string
  /** JSON Schema of the inputs of a recipe in Python. */
  inputSchema?: unknown
}

/** Saves a recipe, and returns it or its problems. */
export async function saveRecipe(
  context: RecipeContext,
  scope: SessionScope,
  draft: RecipeDraft,
  call: { signal: AbortSignal; logId: string },
): Promise<{ error: string } | { recipe: PresentedRecipe; created: boolean }> {
  const { db, encryptor, storedContent } = context
  const slug = recipeSlug(draft.slug)
  if (!SLUG.test(slug))
    return { error: 'recipe_slug must have 3 to 56 characters: capital letters, digits and _.' }
  if (scope.catalog.ownerOf(TOOL_PREFIX + slug))
    return { error: `The tool ${TOOL_PREFIX}${slug} already exists. Choose another recipe_slug.` }
  const problem = await findProblem(context, scope, draft, call)
  if (problem !== undefined) return { error: `The recipe was not saved. ${problem}` }
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

async function findProblem(
  { runPython }: RecipeContext,
  scope: SessionScope,
  { code, inputSchema }: RecipeDraft,
  call: { signal: AbortSignal; logId: string },
): Promise<string | undefined> {
  const parsed = isPython(code) ? parsePython(code, inputSchema, scope.find) : parseProgram(code, scope.find)
  if ('problems' in parsed) return parsed.problems.join(' ')
  if (parsed.program.python !== undefined) return checkPython(runPython, scope, code, call)
  return inputSchema === undefined
    ? undefined
    : 'input_schema is for recipes in Python. Write the schema as `inputs` of recipe_code.'
}

const toStored = ({ code, inputSchema }: RecipeDraft): StoredCode =>
  inputSchema === undefined ? code : { code, input_schema: inputSchema }
const isSameCode = (one: StoredCode, other: StoredCode): boolean =>
  JSON.stringify(readStored(one)) === JSON.stringify(readStored(other))

/** Returns whether the recipe is new, or undefined if the user has too many recipes. */
async function storeVersion(
  tx: Db,
  encryptor: Encryptor,
  { projectId, userId, slug }: { projectId: string; userId: string; slug: string },
  draft: RecipeDraft,
  hasReadUntrusted: boolean,
): Promise<boolean | undefined> {
  const { name, description: draftDescription } = draft
  const code = toStored(draft)
  const row = await store.lockRecipe(tx, projectId, userId, { id: newId('rcp'), slug, name })
  if (!row) return undefined
  const current = row.version ? await store.currentCode(tx, row.id, row.version) : undefined
  const description = draftDescription === undefined ? row.description : toStorableText(draftDescription)
  const isSame =
    current &&
    row.name === name &&
    row.description === description &&
    isSameCode(encryptor.decrypt<StoredCode>(current.encrypted_payload, encryptionContext(current.id)), code)
  const id = newId('rcp')
  if (!isSame)
    await store.addVersion(tx, projectId, row.id, {
      id,
      version: row.version + 1,
      name,
      description,
      encrypted_payload: (await encryptor.ofProject(projectId)).encrypt(code, encryptionContext(id)),
      is_untrusted: hasReadUntrusted || (draftDescription === undefined && current?.is_untrusted === true),
    })
  return row.version === 0
}

/** Removes what PostgreSQL does not accept in a text: lone surrogates and NUL. */
const toStorableText = (text: string): string => text.toWellFormed().replaceAll('\0', '')
