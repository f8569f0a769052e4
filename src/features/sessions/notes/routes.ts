import * as contract from '../../../contract/sessions/index.ts'
import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { Pool } from '../../../platform/db/sql.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { Api } from '../../../platform/http/call.ts'
import { pageOf, readPage } from '../../../platform/http/paging.ts'
import { decryptSentences } from '../meta-tools/memory/memory.ts'
import { toToolSlug } from '../recipes/index.ts'
import * as store from './store.ts'

export interface NoteRoutesDeps {
  db: Pool
  encryptor: Encryptor
}

const PER_PAGE_MAX = 100

/** Registers the endpoints with which people see and delete what agents stored about users. */
export function noteRoutes(api: Api, { db, encryptor }: NoteRoutesDeps): void {
  api.on(contract.listRecipes, async ({ projectId, query }) => {
    const page = readPage(query, PER_PAGE_MAX)
    const { rows, total, next } = await store.listRecipeRows(db, projectId, query.user_id, page)
    return pageOf(rows.map(presentRecipe), total, page, next)
  })
  api.on(contract.deleteRecipe, async ({ projectId, params: { recipe_id: id } }) => {
    if (!(await store.deleteRecipeRow(db, projectId, id)))
      throw new ApiError('ToolRouterV2_RecipeNotFound', `Recipe ${id} not found`)
    return { success: true }
  })
  api.on(contract.listMemories, async ({ projectId, query }) => {
    const page = readPage(query, PER_PAGE_MAX)
    const { rows, total, next } = await store.listMemoryRows(db, projectId, query.user_id, page)
    return pageOf(
      rows.map((row) => presentMemory(encryptor, row)),
      total,
      page,
      next,
    )
  })
  api.on(contract.deleteMemory, async ({ projectId, params: { memory_id: id } }) => {
    if (!(await store.deleteMemoryRow(db, projectId, id)))
      throw new ApiError('ToolRouterV2_MemoryNotFound', `Memory ${id} not found`)
    return { success: true }
  })
}

const presentRecipe = ({
  slug,
  created_at: createdAt,
  updated_at: updatedAt,
  ...row
}: store.RecipeListRow): contract.StoredRecipe => ({
  ...row,
  recipe_slug: slug,
  tool_slug: toToolSlug(slug),
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
})

const presentMemory = (
  encryptor: Encryptor,
  { encrypted_payload: payload, updated_at: updatedAt, ...row }: store.MemoryListRow,
): contract.StoredMemory => ({
  ...row,
  sentences: decryptSentences(encryptor, row.id, payload),
  updated_at: updatedAt.toISOString(),
})
