import { type Static, Type } from 'typebox'
import { Id, PageOf, PageQuery, QueryBoolean, Timestamp } from './common.ts'
import { route } from './route.ts'
import { Blocks, CONFIG_ERRORS } from './sessions.ts'

const reads = { audience: 'project', permission: { area: 'sessions', level: 'read' } } as const
const writes = { audience: 'project', permission: { area: 'sessions', level: 'write' } } as const
const params = Type.Object({ config_id: Id('sc') })
const NOT_FOUND = ['ToolRouterV2_SavedConfigNotFound'] as const

const Filters = Type.Object(
  { toolkits: Blocks.toolkits, tools: Blocks.tools, tags: Blocks.tags },
  {
    additionalProperties: false,
    description: 'Which tools sessions see, as POST /tool_router/session takes it.',
  },
)
const Fields = {
  name: Type.String({ minLength: 1, maxLength: 128, pattern: '\\S' }),
  description: Type.String({ maxLength: 1_024 }),
}
const Lists = {
  enable: Type.Optional(Type.Array(Type.String())),
  disable: Type.Optional(Type.Array(Type.String())),
}
const Tags = Type.Object({ ...Lists, require_approval: Type.Optional(Type.Array(Type.String())) })

export const SavedSessionConfig = Type.Object(
  {
    id: Type.String({ examples: ['sc_h3Pw7Yc0bR2k'] }),
    ...Fields,
    archived: Type.Boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
    config: Type.Object({
      toolkits: Type.Optional(Type.Object(Lists)),
      tools: Type.Optional(Type.Record(Type.String(), Type.Object({ ...Lists, tags: Type.Optional(Tags) }))),
      tags: Type.Optional(Tags),
    }),
  },
  { $id: 'SavedSessionConfig' },
)
export type SavedSessionConfig = Static<typeof SavedSessionConfig>

const Draft = Type.Object(
  { name: Fields.name, description: Type.Optional(Fields.description), config: Filters },
  { additionalProperties: false },
)
export type SavedConfigDraft = Static<typeof Draft>
const Change = Type.Object(
  {
    name: Type.Optional(Fields.name),
    description: Type.Optional(Fields.description),
    config: Type.Optional(Filters),
    archived: Type.Optional(
      Type.Boolean({
        description: 'Archived ones open no sessions, and keep nothing from those that they opened.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type SavedConfigChange = Static<typeof Change>

export const createSavedConfig = route({
  ...writes,
  id: 'sessionConfigs.create',
  method: 'POST',
  path: '/tool_router/session_configs',
  summary: 'Save a session configuration under a name',
  body: Draft,
  status: 201,
  reply: SavedSessionConfig,
  errors: [...CONFIG_ERRORS, 'ToolRouterV2_SavedConfigConflict'],
})
export const listSavedConfigs = route({
  ...reads,
  id: 'sessionConfigs.list',
  method: 'GET',
  path: '/tool_router/session_configs',
  summary: 'List saved session configurations, newest first',
  query: Type.Object({
    ...PageQuery,
    search: Type.Optional(Type.String({ maxLength: 128, description: 'In names and descriptions.' })),
    archived: Type.Optional(QueryBoolean),
  }),
  reply: PageOf(SavedSessionConfig),
})
export const readSavedConfig = route({
  ...reads,
  id: 'sessionConfigs.read',
  method: 'GET',
  path: '/tool_router/session_configs/:config_id',
  summary: 'Read a saved session configuration',
  params,
  reply: SavedSessionConfig,
  errors: NOT_FOUND,
})
export const updateSavedConfig = route({
  ...writes,
  id: 'sessionConfigs.update',
  method: 'PATCH',
  path: '/tool_router/session_configs/:config_id',
  summary: 'Rename, change or archive a saved session configuration',
  params,
  body: Change,
  reply: SavedSessionConfig,
  errors: [...NOT_FOUND, ...CONFIG_ERRORS, 'ToolRouterV2_SavedConfigConflict'],
})
