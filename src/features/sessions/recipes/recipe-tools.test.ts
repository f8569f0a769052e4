import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from '../../../platform/db/sql.ts'
import { metaStage } from '#fixtures/meta-tools.ts'
import { CATALOG, CODE, signal } from '#fixtures/recipes.ts'

async function startRecipes(t: TestContext) {
  const s = await metaStage(t, CATALOG)
  s.accounts = [s.account('shop')]
  const save = (more: Record<string, unknown> = {}, scope = {}) =>
    s.run(
      'UPSERT_RECIPE',
      {
        recipe_slug: 'tell_people',
        name: 'Tell people',
        description: 'Finds people by name and tells each of them a text.',
        recipe_code: JSON.stringify(CODE),
        ...more,
      },
      scope,
    )
  return { s, save }
}

type SavedRecipe = Awaited<ReturnType<typeof startRecipes>>

test('recipes: are saved in versions, found by search and run as one tool, only for their user', async (t) => {
  const recipes = await startRecipes(t)
  const { save, s } = recipes
  const { data, error } = await save()
  assert.deepEqual(
    [
      error,
      data.created,
      data.recipe.version,
      data.recipe.recipe_slug,
      data.recipe.tool_slug,
      data.recipe.toolkits,
    ],
    [null, true, 1, 'TELL_PEOPLE', 'RECIPE_TELL_PEOPLE', ['shop']],
  )
  assert.deepEqual(
    [
      (await save()).data.recipe.version,
      (await save({ name: 'Tell them', description: undefined })).data.recipe.version,
    ],
    [1, 2],
  )
  await checkReadAndSearch(recipes)
  const run = await checkCalls(recipes)

  const hidden = { tools: { shop: { disable: ['SHOP_POST'] } } }
  const others = [await s.scope({}, { userId: 'u2' }), await s.scope({}, { projectId: 'proj_b' }), hidden]
  for (const scope of others) {
    assert.match((await run({ names: ['ada'] }, scope)).error, /not found in this session/)
    assert.ok(
      !JSON.stringify(
        (await s.run('SEARCH_TOOLS', { queries: [{ use_case: 'tell people' }] }, scope)).data,
      ).includes('RECIPE_'),
    )
  }
  assert.notEqual((await s.run('GET_RECIPE', { recipe_slug: 'TELL_PEOPLE' }, others[0])).error, null)
  assert.match(
    (await save({ recipe_slug: 'OTHER' }, hidden)).error!,
    /SHOP_POST is not a tool of this session/,
  )
  s.accounts = []
  assert.match((await run({ names: ['ada'] })).error, /Show the user this link/, 'before its first step')
  await checkConcurrentSaves(recipes)
})

async function checkReadAndSearch({ s, save }: SavedRecipe): Promise<void> {
  const got = await s.run('GET_RECIPE', { recipe_slug: 'recipe_tell_people' })
  assert.deepEqual(
    [got.data.recipe.name, got.data.recipe.version, got.data.recipe.recipe_code],
    ['Tell them', 2, JSON.stringify(CODE)],
  )
  assert.deepEqual(await s.run('GET_RECIPE', { recipe_slug: 'NONE' }), {
    data: {},
    error: 'Execution failed for BRAND_GET_RECIPE: Tool NONE not found',
  })
  for (const wrong of [{ recipe_slug: 'a b c' }, { recipe_code: '{}' }, { recipe_slug: 'X'.repeat(60) }])
    assert.notEqual((await save(wrong)).error, null)

  const found = await s.run('SEARCH_TOOLS', {
    queries: [{ use_case: 'tell each of several people a text by name' }],
  })
  assert.deepEqual(found.data.results[0].primary_tool_slugs[0], 'RECIPE_TELL_PEOPLE')
  assert.deepEqual(
    [
      found.data.tool_schemas.RECIPE_TELL_PEOPLE.input_schema.required,
      found.data.toolkit_connection_statuses.map(({ toolkit }: any) => toolkit),
    ],
    [['names'], ['shop']],
  )
  assert.ok(
    (await s.run('GET_TOOL_SCHEMAS', { tool_slugs: ['RECIPE_TELL_PEOPLE'] })).data.tool_schemas
      .RECIPE_TELL_PEOPLE.input_schema,
  )
}

async function checkCalls({ s }: SavedRecipe) {
  s.answer = async ({ toolSlug, arguments: args }) => ({
    data: toolSlug === 'SHOP_FIND' ? { id: 'i', name: args['query'] } : { said: args['text'] },
    error: null,
    successful: true,
  })
  const run = async (args: unknown, scope = {}) =>
    (
      await s.run(
        'MULTI_EXECUTE_TOOL',
        { tools: [{ tool_slug: 'recipe_tell_people', arguments: args }], sync_response_to_workbench: false },
        scope,
      )
    ).data.results[0]
  assert.deepEqual((await run({ names: ['ada'] })).response.data, {
    first: 'i',
    sent_mails: [{ said: 'Dear ada: hello' }],
  })
  const [row] = s.rows
  assert.deepEqual(
    [row!.toolSlug, row!.version, row!.parentId, row!.successful, JSON.parse(row!.payload!).arguments],
    ['RECIPE_TELL_PEOPLE', '2', 'log_meta', true, { names: ['ada'], text: 'hello' }],
  )
  assert.deepEqual(
    s.executed.map(({ parent: within }) => within?.logId),
    [row!.id, row!.id],
  )
  const direct = await (
    await s.scope({}, { storePayloads: false })
  ).execute('RECIPE_TELL_PEOPLE', { names: [] }, { signal })
  assert.deepEqual(
    [direct.data, direct.successful, s.rows[1]!.id === direct.logId, s.rows[1]!.payload],
    [{ sent_mails: [] }, true, true, null],
  )
  assert.match((await run({})).error, /names: is required/)
  return run
}

async function checkConcurrentSaves({ save, s }: SavedRecipe): Promise<void> {
  const saved = await Promise.all(Array.from({ length: 8 }, (_, n) => save({ description: `Version ${n}.` })))
  assert.deepEqual(new Set(saved.map(({ error: refused }) => refused)), new Set([null]))
  const rows = await s.db.rows<{ version: number }>(sql`select version from recipe_versions order by version`)
  assert.deepEqual(
    rows.map(({ version }) => version),
    Array.from({ length: 10 }, (_, n) => n + 1),
    'no version is lost',
  )
}
