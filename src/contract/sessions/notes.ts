import { type Static, Type } from '../schema-type.ts'
import { Described, exampleId, Id, PageOf, PageQuery, Success, Timestamp, UserId } from '../common.ts'
import { route } from '../route.ts'

// What agents store about users: recipes and memory. Agents write them through meta tools of sessions; these operations
// are for people.

const readAccess = { audience: 'project', permission: { area: 'sessions', level: 'read' } } as const
const writeAccess = { audience: 'project', permission: { area: 'sessions', level: 'write' } } as const

const Filter = Type.Object({
  ...PageQuery,
  user_id: Type.Optional(Described(UserId, 'Only those of this user.')),
})

export const StoredRecipe = Type.Object(
  {
    id: Type.String({ examples: ['rcp_h3Pw7Yc0bR2k'], description: 'Id of the recipe, `rcp_…`.' }),
    user_id: Described(UserId, 'The user to whom the recipe belongs.'),
    recipe_slug: Type.String({ examples: ['WEEKLY_DIGEST'], description: 'Slug of the recipe.' }),
    tool_slug: Type.String({
      examples: ['RECIPE_WEEKLY_DIGEST'],
      description: 'Slug under which sessions of the user call the recipe as a tool.',
    }),
    name: Type.String({ description: 'Name of the recipe.' }),
    description: Type.String({ description: 'What the recipe does.' }),
    version: Type.Integer({ description: 'Number of the current version, from 1 on.' }),
    created_at: Described(Timestamp, 'When the recipe was first saved.'),
    updated_at: Described(Timestamp, 'When the current version was saved.'),
  },
  { $id: 'StoredRecipe' },
)
export type StoredRecipe = Static<typeof StoredRecipe>

export const StoredMemory = Type.Object(
  {
    id: Type.String({ examples: ['mem_h3Pw7Yc0bR2k'], description: 'Id of the memory, `mem_…`.' }),
    user_id: Described(UserId, 'The user to whom the memory belongs.'),
    toolkit: Type.String({ examples: ['slack'], description: 'The toolkit that the sentences are about.' }),
    sentences: Type.Array(Type.String(), {
      description: 'What agents noted, oldest first: ids, names, habits.',
    }),
    is_untrusted: Type.Boolean({
      description: 'Whether a session that had read content of other people wrote some of it.',
    }),
    updated_at: Described(Timestamp, 'When the last sentence was noted.'),
  },
  { $id: 'StoredMemory' },
)
export type StoredMemory = Static<typeof StoredMemory>

export const listRecipes = route({
  ...readAccess,
  id: 'recipes.list',
  method: 'GET',
  path: '/recipes',
  summary: 'List recipes',
  description:
    'An extension of this server. Returns the recipes of the project, newest change first. Agents save recipes in ' +
    'sessions; the meta tool GET_RECIPE returns the code of one.',
  example: { query: { user_id: 'user-1', limit: 20 } },
  query: Filter,
  reply: PageOf(StoredRecipe),
})

export const deleteRecipe = route({
  ...writeAccess,
  id: 'recipes.delete',
  method: 'DELETE',
  path: '/recipes/:recipe_id',
  summary: 'Delete a recipe',
  description: 'An extension of this server. Deletes a recipe with all versions and stopped runs.',
  example: { params: { recipe_id: exampleId('rcp') }, needs: 'a recipe' },
  params: Type.Object({ recipe_id: Described(Id('rcp'), 'Id of the recipe, `rcp_…`.') }),
  reply: Success,
  errors: ['ToolRouterV2_RecipeNotFound'],
})

export const listMemories = route({
  ...readAccess,
  id: 'memories.list',
  method: 'GET',
  path: '/memories',
  summary: 'List memories',
  description:
    'An extension of this server. Returns what agents noted about users, by user and toolkit, newest change first. ' +
    'Search in a session returns these sentences to the agent.',
  example: { query: { user_id: 'user-1', limit: 20 } },
  query: Filter,
  reply: PageOf(StoredMemory),
})

export const deleteMemory = route({
  ...writeAccess,
  id: 'memories.delete',
  method: 'DELETE',
  path: '/memories/:memory_id',
  summary: 'Delete a memory',
  description: 'An extension of this server. Deletes what agents noted about a user and a toolkit.',
  example: { params: { memory_id: exampleId('mem') }, needs: 'a memory' },
  params: Type.Object({ memory_id: Described(Id('mem'), 'Id of the memory, `mem_…`.') }),
  reply: Success,
  errors: ['ToolRouterV2_MemoryNotFound'],
})
