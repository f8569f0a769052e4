import { Type } from '../schema-type.ts'
import { Described, Enum, exampleId, Open, ToolkitSlug } from '../common.ts'
import { route } from '../route.ts'
import { CONFIG_ERRORS, EXECUTE_PERMISSION, META_TOOLS, SESSION_NOT_FOUND, SessionParams } from './common.ts'
import { CustomToolsBody } from './custom-tools.ts'
import { Arguments, ExecutionOutcome } from './execution.ts'

export const executeMeta = route({
  audience: 'project',
  permission: EXECUTE_PERMISSION,
  neverRetry: true,
  id: 'sessions.executeMeta',
  audit: false,
  method: 'POST',
  path: '/tool_router/session/:session_id/execute_meta',
  summary: 'Run a meta tool',
  description:
    'Runs a meta tool of a session, such as the search for tools or the management of connections. A ' +
    'failure of the meta tool returns 200 with `error`. Clients must not repeat this request ' +
    'automatically.',
  example: {
    params: { session_id: exampleId('trs') },
    body: { slug: 'SERVICE_SEARCH_TOOLS', arguments: { queries: [{ use_case: 'read the news' }] } },
    needs: 'a session',
  },
  params: SessionParams,
  body: Type.Object({
    slug: Enum(META_TOOLS, {
      description:
        'Slug of the meta tool. `SERVICE_REMOTE_WORKBENCH` runs Python and `SERVICE_REMOTE_BASH_TOOL` runs bash, in ' +
        'the sandbox of the session. A server can disable both.',
    }),
    arguments: Described(Arguments, 'Arguments of the meta tool.'),
    experimental: Described(CustomToolsBody, 'Tools that run in the process of the caller.'),
  }),
  reply: ExecutionOutcome,
  errors: [...SESSION_NOT_FOUND, ...CONFIG_ERRORS, 'ToolRouterV2_MetaToolDisabled'],
})

export const searchInSession = route({
  audience: 'project',
  permission: EXECUTE_PERMISSION,
  id: 'sessions.search',
  audit: false,
  method: 'POST',
  path: '/tool_router/session/:session_id/search',
  summary: 'Search tools in a session',
  description:
    'Searches the tools of a session by tasks in natural language. Returns the best tools for each ' +
    'task with their schemas, and the status of the connections that they need.',
  example: {
    params: { session_id: exampleId('trs') },
    body: { queries: [{ use_case: 'read the top stories of Hacker News' }] },
    needs: 'a session',
  },
  params: SessionParams,
  body: Type.Object({
    queries: Type.Array(
      Type.Object({
        use_case: Type.String({ minLength: 1, maxLength: 1_024, description: 'Task in natural language.' }),
        known_fields: Type.Optional(
          Type.String({ maxLength: 500, description: 'Values that are known, such as `channel: #general`.' }),
        ),
      }),
      { minItems: 1, maxItems: 10, description: 'Tasks to find tools for. At most 10.' },
    ),
    toolkits: Type.Optional(
      Type.Array(ToolkitSlug, { maxItems: 1000, description: 'Search only these toolkits.' }),
    ),
    model: Type.Optional(
      Type.String({ maxLength: 128, description: 'Accepted for compatibility; it has no effect.' }),
    ),
    search_strategy: Type.Optional(
      Enum(['auto', 'tool_search'], {
        description: '`tool_search` leaves plans out. Default `auto`.',
      }),
    ),
    experimental: Described(CustomToolsBody, 'Tools that run in the process of the caller.'),
  }),
  reply: Open({}),
  errors: [...SESSION_NOT_FOUND, ...CONFIG_ERRORS],
})
