import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { Pool } from '../../../platform/db/sql.ts'
import type { SessionScope } from '../scope/scope.ts'
import type { LoadPrograms } from './program-cache.ts'
import type { RunPythonCell } from './python.ts'
import type * as store from './store.ts'

/** What sessions have read of other people. */
export interface StoredContent {
  hasRead(projectId: string, sessionId: string): Promise<boolean>
  /** Records that a session uses what a session stored that had read content of other people. */
  recordStored(projectId: string, sessionId: string, tool: string, note: string): Promise<void>
}

export interface RecipeContext {
  db: Pool
  encryptor: Encryptor
  storedContent: StoredContent
  loadPrograms: LoadPrograms
  runPython: RunPythonCell | undefined
}

/** A recipe in the results of meta tools. */
export interface PresentedRecipe {
  recipe_slug: string
  tool_slug: string
  name: string
  description: string
  recipe_code: string
  /** Of a recipe in Python; recipes of steps have it in their code. */
  input_schema?: unknown
  version: number
  toolkits: string[]
  created_at: string
  updated_at: string
}

export const TOOL_PREFIX = 'RECIPE_'
/** Returns the slug under which a recipe is called as a tool. */
export const toToolSlug = (slug: string): string => TOOL_PREFIX + slug
/** Together with the prefix, a tool name that every model vendor accepts. */
export const SLUG = /^[A-Z0-9_]{3,56}$/

export const recipeSlug = (slug: string): string => slug.toUpperCase().replace(/^RECIPE_/, '')

/** Presents a recipe with its code. */
export async function presentRecipe(
  { loadPrograms }: RecipeContext,
  scope: SessionScope,
  row: store.RecipeRow,
): Promise<PresentedRecipe> {
  const loaded = (await loadPrograms(scope.projectId, [row])).get(row.version_id)
  const tools = loaded?.program.tools ?? []
  return {
    recipe_slug: row.slug,
    tool_slug: TOOL_PREFIX + row.slug,
    name: row.name,
    description: row.description,
    recipe_code: loaded?.code ?? '',
    ...(loaded?.program.python === undefined ? {} : { input_schema: loaded.program.inputs }),
    version: row.version,
    toolkits: [...new Set(tools.flatMap((tool) => scope.catalog.ownerOf(tool) ?? []))],
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
