import { type Static, Type } from '../schema-type.ts'
import { Described, exampleId, Id, PageOf, PageQuery, QueryBoolean, Timestamp } from '../common.ts'
import { route } from '../route.ts'
import { CONFIG_ERRORS } from './common.ts'
import { ConfigFields } from './config.ts'

const readAccess = { audience: 'project', permission: { area: 'sessions', level: 'read' } } as const

const writeAccess = { audience: 'project', permission: { area: 'sessions', level: 'write' } } as const

const params = Type.Object({ config_id: Described(Id('sc'), 'Id of the saved configuration, `sc_…`.') })

const SAVED_CONFIG_ERRORS = ['ToolRouterV2_SavedConfigNotFound'] as const

const Filters = Type.Object(
  { toolkits: ConfigFields.toolkits, tools: ConfigFields.tools, tags: ConfigFields.tags },
  {
    additionalProperties: false,
    description: 'Which tools sessions see, as POST /tool_router/session takes it.',
  },
)

const Fields = {
  name: Type.String({
    minLength: 1,
    maxLength: 128,
    pattern: '\\S',
    description: 'Name, unique in the project. At most 128 characters.',
  }),
  description: Type.String({ maxLength: 1_024, description: 'Description. At most 1024 characters.' }),
}

const Lists = {
  enable: Type.Optional(Type.Array(Type.String(), { description: 'Values that are enabled.' })),
  disable: Type.Optional(Type.Array(Type.String(), { description: 'Values that are disabled.' })),
}

const Tags = Type.Object({
  ...Lists,
  require_approval: Type.Optional(
    Type.Array(Type.String(), { description: 'Tags of tools whose calls need an approval.' }),
  ),
})

export const SavedSessionConfig = Type.Object(
  {
    id: Type.String({ examples: ['sc_h3Pw7Yc0bR2k'], description: 'Id of the saved configuration, `sc_…`.' }),
    ...Fields,
    archived: Type.Boolean({
      description: 'Whether the configuration is archived. Archived ones cannot open sessions.',
    }),
    created_at: Described(Timestamp, 'When the configuration was saved.'),
    updated_at: Described(Timestamp, 'When the configuration was last changed.'),
    config: Type.Object(
      {
        toolkits: Type.Optional(Type.Object(Lists, { description: 'Toolkits that sessions see.' })),
        tools: Type.Optional(
          Type.Record(
            Type.String(),
            Type.Object({
              ...Lists,
              tags: Type.Optional(Described(Tags, 'Tags of the tools that sessions see.')),
            }),
            { description: 'Tools that sessions see, by toolkit.' },
          ),
        ),
        tags: Type.Optional(Described(Tags, 'Tags of the tools that sessions see.')),
      },
      { description: 'The saved filters.' },
    ),
  },
  { $id: 'SavedSessionConfig' },
)

export type SavedSessionConfig = Static<typeof SavedSessionConfig>

const Draft = Type.Object(
  {
    name: Fields.name,
    description: Type.Optional(Fields.description),
    config: Described(Filters, 'Tools that sessions see, in the form of `POST /tool_router/session`.'),
  },
  { additionalProperties: false },
)

export type SavedConfigDraft = Static<typeof Draft>

const Change = Type.Object(
  {
    name: Type.Optional(Fields.name),
    description: Type.Optional(Fields.description),
    config: Type.Optional(Described(Filters, 'Tools that sessions see. The whole object is replaced.')),
    archived: Type.Optional(
      Type.Boolean({
        description: 'Archive or restore the configuration. Open sessions stay as they are.',
      }),
    ),
  },
  { additionalProperties: false },
)

export type SavedConfigChange = Static<typeof Change>

export const createSavedConfig = route({
  ...writeAccess,
  id: 'sessionConfigs.create',
  method: 'POST',
  path: '/tool_router/session_configs',
  summary: 'Save a session configuration',
  description:
    'Saves the tool filters of sessions under a name. Sessions open with it through ' +
    '`experimental.session_config_id`.',
  example: { body: { name: 'News reading', config: { toolkits: { enable: ['hackernews'] } } } },
  body: Draft,
  status: 201,
  reply: SavedSessionConfig,
  errors: [...CONFIG_ERRORS, 'ToolRouterV2_SavedConfigConflict'],
})

export const listSavedConfigs = route({
  ...readAccess,
  id: 'sessionConfigs.list',
  method: 'GET',
  path: '/tool_router/session_configs',
  summary: 'List saved session configurations, newest first',
  description: 'Returns a page of the saved session configurations, newest first.',
  example: { query: { search: 'news' } },
  query: Type.Object({
    ...PageQuery,
    search: Type.Optional(
      Type.String({ maxLength: 128, description: 'Part of the name or the description.' }),
    ),
    archived: Type.Optional(Described(QueryBoolean, 'List archived configurations instead. Default false.')),
  }),
  reply: PageOf(SavedSessionConfig),
})

export const readSavedConfig = route({
  ...readAccess,
  id: 'sessionConfigs.read',
  method: 'GET',
  path: '/tool_router/session_configs/:config_id',
  summary: 'Read a saved session configuration',
  description: 'Returns one saved session configuration.',
  example: { params: { config_id: exampleId('sc') }, needs: 'a saved configuration' },
  params,
  reply: SavedSessionConfig,
  errors: SAVED_CONFIG_ERRORS,
})

export const updateSavedConfig = route({
  ...writeAccess,
  id: 'sessionConfigs.update',
  method: 'PATCH',
  path: '/tool_router/session_configs/:config_id',
  summary: 'Change or archive a saved session configuration',
  description:
    'Changes the name, the description or the filters of a saved session configuration, or archives ' +
    'it. Sessions that are open keep the filters that they were opened with.',
  example: {
    params: { config_id: exampleId('sc') },
    body: { description: 'Toolkits for reading news' },
    needs: 'a saved configuration',
  },
  params,
  body: Change,
  reply: SavedSessionConfig,
  errors: [...SAVED_CONFIG_ERRORS, ...CONFIG_ERRORS, 'ToolRouterV2_SavedConfigConflict'],
})
