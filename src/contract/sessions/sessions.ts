import { type Static, Type } from '../schema-type.ts'
import { Described, exampleId, Id, PageOf, PageQuery, Timestamp, ToolkitSlug, UserId } from '../common.ts'
import { route } from '../route.ts'
import {
  CONFIG_ERRORS,
  Flag,
  OptionalOrNull,
  readAccess,
  SESSION_NOT_FOUND,
  SessionParams,
  writeAccess,
} from './common.ts'
import { ConfigFields, ExperimentalFields } from './config.ts'
import { CustomToolFields, CustomToolsBody } from './custom-tools.ts'
import { Config, Session } from './session.ts'

const CreateBody = Type.Object({
  user_id: Described(UserId, 'Id of the user that the session acts for.'),
  ...ConfigFields,
  experimental: OptionalOrNull(
    Type.Object(
      {
        ...ExperimentalFields,
        ...CustomToolFields,
        session_config_id: Type.Optional(
          Type.Unsafe<string | null>({
            type: ['string', 'null'],
            maxLength: 80,
            description:
              'Id of a saved configuration, `sc_…`, in place of `toolkits`, `tools` and `tags`; ' +
              'null for none.',
          }),
        ),
      },
      { description: 'Experimental settings.' },
    ),
  ),
  premium_usage: Type.Optional(
    Type.Boolean({ description: 'Accepted for compatibility; it has no effect.' }),
  ),
})

export type CreateSession = Static<typeof CreateBody>

const PatchBody = Type.Object({
  ...ConfigFields,
  experimental: OptionalOrNull(Type.Object(ExperimentalFields, { description: 'Experimental settings.' })),
  expected_config_version: OptionalOrNull(
    Type.Integer({
      minimum: 1,
      description: 'Change the session only if this is its current version; otherwise the call returns 409.',
    }),
  ),
})

export type PatchSession = Static<typeof PatchBody>

export const createSession = route({
  ...writeAccess,
  id: 'sessions.create',
  method: 'POST',
  path: '/tool_router/session',
  summary: 'Create a session',
  description:
    'Opens a session in which an agent searches and executes tools for one user. Returns the URL of ' +
    'its MCP server and a system prompt. Without further settings the session sees every toolkit.',
  example: { body: { user_id: 'user-17', toolkits: { enable: ['hackernews', 'utilities'] } } },
  body: CreateBody,
  status: 201,
  reply: Session,
  errors: [...CONFIG_ERRORS, 'ToolRouterV2_SavedConfigNotFound'],
})

const SessionSummary = Type.Object(
  {
    session_id: Type.String({ description: 'Id of the session, `trs_…`.' }),
    user_id: Type.String({ description: 'Id of the user that the session acts for.' }),
    mcp_url: Type.String({ description: 'URL of the session for MCP clients.' }),
    config_version: Type.Integer({ description: 'Version of the configuration.' }),
    created_at: Described(Timestamp, 'When the session was created.'),
    configured_at: Described(Timestamp, 'When the current configuration was set.'),
    last_used_at: Described(Timestamp, 'When the session was last used, accurate to an hour.'),
  },
  { $id: 'SessionSummary' },
)

export const listSessions = route({
  ...readAccess,
  id: 'sessions.list',
  method: 'GET',
  path: '/tool_router/session',
  summary: 'List sessions',
  description: 'Returns a page of the sessions of the project, newest first, without their configurations.',
  example: { query: { user_id: 'user-17' } },
  query: Type.Object({
    user_id: Type.Optional(Described(UserId, 'Only sessions of this user.')),
    ...PageQuery,
  }),
  reply: PageOf(SessionSummary),
})

export const readSession = route({
  ...readAccess,
  id: 'sessions.read',
  method: 'GET',
  path: '/tool_router/session/:session_id',
  summary: 'Read a session',
  description: 'Returns a session with its current configuration.',
  example: { params: { session_id: exampleId('trs') }, needs: 'a session' },
  params: SessionParams,
  reply: Session,
  errors: SESSION_NOT_FOUND,
})

export const updateSession = route({
  ...writeAccess,
  id: 'sessions.update',
  method: 'PATCH',
  path: '/tool_router/session/:session_id',
  summary: 'Change a session',
  description:
    'Changes the settings that the body contains; null resets one to its default. Each change ' +
    'creates a new version of the configuration. With `expected_config_version`, concurrent changes ' +
    'return 409.',
  example: {
    params: { session_id: exampleId('trs') },
    body: { toolkits: { enable: ['hackernews'] } },
    needs: 'a session',
  },
  params: SessionParams,
  body: PatchBody,
  reply: Session,
  errors: [...SESSION_NOT_FOUND, ...CONFIG_ERRORS, 'ToolRouterV2_ConfigVersionConflict'],
})

export const deleteSession = route({
  ...writeAccess,
  id: 'sessions.delete',
  method: 'DELETE',
  path: '/tool_router/session/:session_id',
  summary: 'Delete a session',
  description: 'Deletes a session. Its MCP URL stops working at once; connected accounts stay.',
  example: { params: { session_id: exampleId('trs') }, needs: 'a session' },
  params: SessionParams,
  reply: Type.Object({
    session_id: Type.String({ description: 'Id of the session, `trs_…`.' }),
    deleted: Type.Literal(true, { description: 'Always true.' }),
  }),
  errors: SESSION_NOT_FOUND,
})

export const attachSession = route({
  ...readAccess,
  id: 'sessions.attach',
  method: 'POST',
  path: '/tool_router/session/:session_id/attach',
  summary: 'Attach to a session',
  description:
    'Returns a session together with tools that run in the process of the caller. Call it when ' +
    'another process continues the session; these tools are not stored.',
  example: { params: { session_id: exampleId('trs') }, body: {}, needs: 'a session' },
  permission: { area: 'sessions', level: 'write' },
  params: SessionParams,
  body: Type.Object({
    experimental: Described(CustomToolsBody, 'Tools that run in the process of the caller.'),
  }),
  reply: Session,
  errors: [...SESSION_NOT_FOUND, ...CONFIG_ERRORS],
})

export const sessionConfigHistory = route({
  ...readAccess,
  id: 'sessions.configHistory',
  method: 'GET',
  path: '/tool_router/session/:session_id/config_history',
  summary: 'List the configuration versions of a session',
  description: 'Returns a page of the versions of the configuration of a session, newest first.',
  example: { params: { session_id: exampleId('trs') }, needs: 'a session' },
  params: SessionParams,
  query: Type.Object(PageQuery),
  reply: PageOf(
    Type.Object({
      version: Type.Integer({ description: 'Version of the configuration, from 1.' }),
      is_current: Type.Boolean({ description: 'Whether this is the current version.' }),
      created_at: {
        ...Timestamp,
        description: 'When the version was created; for former versions, when it was replaced.',
      },
      config: Described(Config, 'Configuration in this version.'),
    }),
  ),
  errors: SESSION_NOT_FOUND,
})

export const createLabsSession = route({
  ...writeAccess,
  id: 'sessions.createLabs',
  method: 'POST',
  path: '/labs/tool_router/session',
  summary: 'Create a session (earlier URL)',
  description:
    'Opens a session in the format of earlier versions. A user has one session for each ' +
    'configuration; a second call returns `ToolRouterV2_SessionExists`. Use `POST ' +
    '/tool_router/session` in new clients.',
  example: { body: { user_id: 'user-18', config: { toolkits: [{ toolkit: 'hackernews' }] } } },
  body: Type.Object({
    user_id: Described(UserId, 'Id of the user that the session acts for.'),
    config: OptionalOrNull(
      Type.Object(
        {
          manually_manage_connections: Described(
            Flag,
            'Whether the session has no tool with which users connect accounts. Default false.',
          ),
          toolkits: OptionalOrNull(
            Type.Array(
              Type.Object({
                toolkit: Described(ToolkitSlug, 'Slug of the toolkit.'),
                auth_config_id: Type.Optional(Described(Id('ac'), 'Id of the auth config to use, `ac_…`.')),
              }),
              {
                maxItems: 1000,
                description: 'Toolkits of the session. Default: all.',
              },
            ),
          ),
        },
        { description: 'Configuration of the session.' },
      ),
    ),
  }),
  status: 201,
  reply: Type.Object({
    session_id: Type.String({ description: 'Id of the session, `trs_…`.' }),
    chat_session_mcp_url: Type.String({ description: 'URL of the MCP server of the session.' }),
    tool_router_instance_mcp_url: Type.String({ description: 'The same as `chat_session_mcp_url`.' }),
  }),
  errors: [...CONFIG_ERRORS, 'ToolRouterV2_SessionExists'],
})
