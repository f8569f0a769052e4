import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import {
  createSession,
  deleteMemory,
  deleteRecipe,
  executeMeta,
  listMemories,
  listRecipes,
} from '../../../contract/sessions/index.ts'
import type { TestApp } from '#fixtures/app.ts'

const RECIPE = JSON.stringify({
  steps: [{ id: 'now', tool: 'UTILITIES_GET_CURRENT_TIME', arguments: { timezone: 'UTC' } }],
})

/** Saves a recipe and a memory of a user, as agents do. */
async function storeNotes({ call }: TestApp, userId: string): Promise<void> {
  const { body } = await call(createSession, { body: { user_id: userId } })
  const params = { session_id: (body as { session_id: string }).session_id }
  const meta = async (slug: string, args: object) => {
    const reply = await call(executeMeta, { params, body: { slug, arguments: args } as never })
    assert.equal((reply.body as { error: string | null }).error, null, JSON.stringify(reply.body))
  }
  await meta('SERVICE_UPSERT_RECIPE', { recipe_slug: 'CLOCK', name: 'Clock', recipe_code: RECIPE })
  await meta('SERVICE_MULTI_EXECUTE_TOOL', {
    sync_response_to_workbench: false,
    tools: [{ tool_slug: 'UTILITIES_GET_CURRENT_TIME', arguments: { timezone: 'UTC' } }],
    memory: { utilities: ['The user is in Lisbon.'] },
  })
}

test('recipes and memories: people list and delete what agents stored, by user', async (t) => {
  const app = await testApp(t)
  const { call } = app
  await storeNotes(app, 'ada')
  await storeNotes(app, 'bob')
  assert.equal((await call(listRecipes, { query: {} })).body.total_items, 2)
  const recipes = (await call(listRecipes, { query: { user_id: 'ada' } })).body.items
  assert.deepEqual(
    recipes.map(({ user_id: user, tool_slug: slug, version }) => [user, slug, version]),
    [['ada', 'RECIPE_CLOCK', 1]],
  )
  const memories = (await call(listMemories, { query: { user_id: 'ada' } })).body.items
  assert.deepEqual(
    memories.map(({ toolkit, sentences, is_untrusted: untrusted }) => [toolkit, sentences, untrusted]),
    [['utilities', ['The user is in Lisbon.'], false]],
  )
  const recipe = { recipe_id: recipes[0]!.id }
  const memory = { memory_id: memories[0]!.id }
  assert.equal((await call(deleteRecipe, { params: recipe })).status, 200)
  assert.equal((await call(deleteMemory, { params: memory })).status, 200)
  assert.equal((await call(deleteRecipe, { params: recipe })).status, 404)
  assert.equal((await call(deleteMemory, { params: memory })).status, 404)
  const left = [await call(listRecipes, { query: {} }), await call(listMemories, { query: {} })]
  assert.deepEqual(
    left.map(({ body }) => (body as { items: { user_id: string }[] }).items.map(({ user_id: user }) => user)),
    [['bob'], ['bob']],
  )
})
