import { Type } from '../schema-type.ts'
import { Described, Enum, exampleId, Nullable, Open } from '../common.ts'
import { route } from '../route.ts'
import { CALL_ERRORS } from '../tools/call-errors.ts'
import {
  AccountChoice,
  CONFIG_ERRORS,
  EXECUTE_PERMISSION,
  SESSION_ACCOUNT_ERRORS,
  SESSION_NOT_FOUND,
  SessionParams,
  ToolSlug,
} from './common.ts'
import { CustomToolsBody } from './custom-tools.ts'

export const Arguments = Type.Optional(Type.Record(Type.String(), Type.Unknown()))

export const ExecutionOutcome = Type.Object({
  data: Open({}, { description: 'Result of the tool.' }),
  error: Nullable(Type.String({ description: 'Reason why the tool failed; null on success.' })),
  log_id: Type.String({ description: 'Id of the log of the call, `log_…`.' }),
  result_type: Type.Optional(
    Enum(['blocked'], {
      description: '`blocked`: a hook of the session prevented the call or withheld its result.',
    }),
  ),
  block_reason: Type.Optional(Type.String({ description: 'Reason that the hook gave.' })),
  hook_results: Type.Optional(
    Type.Array(
      Type.Object({
        hook_id: Type.String({ description: 'Id of the hook.' }),
        type: Type.String({ description: 'When the hook was called.' }),
        action: Type.String({ description: 'Decision of the hook.' }),
        message: Nullable(Type.String({ description: 'Message of the hook; null for none.' })),
      }),
      { description: 'Decisions of the hooks, in order.' },
    ),
  ),
})

const TOOL_ERRORS = [
  ...SESSION_ACCOUNT_ERRORS,
  'Tool_ToolNotFound',
  'ActionExecute_ToolDeprecated',
  ...CALL_ERRORS,
  'ActionExecute_NotRecorded',
] as const

export const executeInSession = route({
  audience: 'project',
  permission: EXECUTE_PERMISSION,
  neverRetry: true,
  id: 'sessions.execute',
  audit: false,
  method: 'POST',
  path: '/tool_router/session/:session_id/execute',
  summary: 'Execute a tool in a session',
  description:
    'Executes a tool or meta tool in a session, with the account of its user. A failure of the tool ' +
    'returns 200 with `error`. Clients must not repeat this request automatically.',
  example: {
    params: { session_id: exampleId('trs') },
    body: { tool_slug: 'UTILITIES_GET_CURRENT_TIME', arguments: { timezone: 'UTC' } },
    needs: 'a session',
  },
  params: SessionParams,
  body: Type.Object({
    tool_slug: Described(ToolSlug, 'Slug of the tool or meta tool.'),
    arguments: Described(Arguments, 'Arguments of the tool.'),
    account: AccountChoice,
    enable_auto_workbench_offload: Type.Optional(
      Type.Boolean({
        description:
          'Store a large result in the mount of the session and return its beginning. Default: ' +
          'as the session is configured.',
      }),
    ),
    experimental: Described(CustomToolsBody, 'Tools that run in the process of the caller.'),
  }),
  reply: ExecutionOutcome,
  errors: [
    ...SESSION_NOT_FOUND,
    ...CONFIG_ERRORS,
    'ToolRouterV2_MetaToolDisabled',
    'ToolRouterV2_LocalTool',
    ...TOOL_ERRORS,
  ],
})
