import { type Static, Type } from '../schema-type.ts'
import { Described, exampleId, Id, Nullable, Open, Slug, Timestamp, UserId, VersionText } from '../common.ts'
import { route } from '../route.ts'
import { CALL_ERRORS, REQUESTED_ACCOUNT_ERRORS } from './call-errors.ts'
import {
  CustomAuthParams,
  CustomConnectionData,
  PagingInfo,
  PagingOptions,
  ResponseInfo,
  ResponseOptions,
} from './execution-options.ts'

const Execute = Type.Object({
  user_id: Type.Optional(
    Described(
      UserId,
      'Id of the user that the call is for. Without `connected_account_id`, the account of ' +
        'this user that was connected last is used.',
    ),
  ),
  entity_id: Type.Optional(Described(UserId, 'Deprecated: use `user_id`.')),
  connected_account_id: Type.Optional(
    Described(Id('ca'), 'Id of the connected account, `ca_…`. Send `user_id` with it.'),
  ),
  arguments: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Arguments of the tool, valid against its `input_parameters`.',
    }),
  ),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 20_000,
      description:
        'Task in natural language, from which a language model writes the arguments. Not ' +
        'together with `arguments`.',
    }),
  ),
  version: Type.Optional(
    Described(VersionText, 'Version of the toolkit. Default: `00000000_00` in v3, `latest` in v3.1.'),
  ),
  custom_auth_params: Type.Optional(
    Described(CustomAuthParams, 'Authentication of this call, in place of a connected account.'),
  ),
  custom_connection_data: Type.Optional(
    Described(
      CustomConnectionData,
      'Credentials of this call, in place of a connected account. They take precedence ' +
        'over `custom_auth_params`.',
    ),
  ),
  allow_tracing: Type.Optional(
    Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description: 'Deprecated: accepted and ignored.',
    }),
  ),
  response: Type.Optional(Described(ResponseOptions, 'Size and form of the result.')),
  paging: Type.Optional(PagingOptions),
})

const ExecuteReply = Type.Object({
  data: Open(
    {},
    { description: 'Result of the tool. On failure: `message`, and `status_code` of the application.' },
  ),
  error: Nullable(Type.String({ description: 'Reason why the tool failed; null on success.' })),
  successful: Type.Boolean({ description: 'Whether the tool succeeded.' }),
  session_info: Nullable(
    Type.Object(
      {
        session_id: Type.String({ description: 'Id of the connected account that the call used, `ca_…`.' }),
        expires_at: Described(Timestamp, 'When the access token or session of the account ends.'),
      },
      {
        description:
          'The session at the application in which the tool ran. Null for a call without an account, and for ' +
          'credentials whose end is not known, such as API keys.',
      },
    ),
  ),
  log_id: Type.String({ description: 'Id of the log of the call, `log_…`.' }),
  response: Type.Optional(
    Described(
      ResponseInfo,
      'Details of the result, when `response` asked for a special form or the result was replayed.',
    ),
  ),
  paging: Type.Optional(PagingInfo),
})

export type ExecuteReply = Static<typeof ExecuteReply>

export const readResponsePage = route({
  audience: 'project',
  permission: { area: 'tool_execution', level: 'write' },
  id: 'tools.responsePage',
  method: 'GET',
  path: '/tools/responses/:response_id',
  summary: 'Read a further page of a large result',
  description:
    'Returns a further page of a result that was larger than `response.max_tokens` of its execution. ' +
    'Pages are stored for one hour.',
  example: {
    params: { response_id: exampleId('rsp') },
    query: { page: 2 },
    needs: 'an execution with a large result',
  },
  params: Type.Object({
    response_id: Described(Id('rsp'), 'Value of `response.id` of the execution, `rsp_…`.'),
  }),
  query: Type.Object({
    page: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Number of the page, from 1. Default 2.' }),
    ),
  }),
  reply: Type.Object({
    data: Open({}, { description: 'Part of the result.' }),
    response: Described(ResponseInfo, 'Details of this page.'),
  }),
  errors: ['ActionExecute_ResponseNotFound'],
})

export const executeTool = route({
  audience: 'project',
  permission: { area: 'tool_execution', level: 'write' },
  neverRetry: true,
  id: 'tools.execute',
  audit: false,
  method: 'POST',
  path: '/tools/execute/:tool_slug',
  summary: 'Execute a tool',
  description:
    'Executes a tool with the connected account of a user. A failure of the tool returns 200 with ' +
    '`successful: false` and the reason in `error`. Clients must not repeat this request ' +
    'automatically, unless they send an `Idempotency-Key` header.',
  example: {
    params: { tool_slug: 'UTILITIES_GET_CURRENT_TIME' },
    body: { user_id: 'user-17', arguments: { timezone: 'UTC' } },
  },
  params: Type.Object({ tool_slug: Described(Slug, 'Slug of the tool, in any letter case.') }),
  body: Execute,
  forwardsBody: true,
  readsAccount: true,
  headers: {
    'x-llm-gateway-headers':
      'JSON object of headers for the language model that writes arguments from `text`. The server forwards those ' +
      'that LLM_GATEWAY_HEADERS lists.',
    'idempotency-key':
      'Key of 1 to 255 visible ASCII characters. The server runs the tool once for each key, and returns its ' +
      'result again.',
  },
  unknownFieldHint: 'Inputs of the tool belong in "arguments"',
  reply: ExecuteReply,
  errors: [
    'ActionExecute_NotRecorded',
    'ActionExecute_IdempotencyKeyReused',
    'ActionExecute_IdempotentCallUnderWay',
    'ActionExecute_IdempotentOutcomeUnknown',
    'ActionExecute_IdempotentResultNotKept',
    'Tool_ToolNotFound',
    'ActionExecute_ConnectedAccountNotFound',
    ...REQUESTED_ACCOUNT_ERRORS,
    ...CALL_ERRORS,
    'ActionExecute_ToolDeprecated',
    'ActionExecute_NoModelConfigured',
    'ActionExecute_ModelUnavailable',
    'ActionExecute_ModelBusy',
    'Auth_Config_SchemeNotSupported',
  ],
})

export const toolInput = route({
  audience: 'project',
  permission: { area: 'tool_execution', level: 'write' },
  id: 'tools.input',
  audit: false,
  method: 'POST',
  path: '/tools/execute/:tool_slug/input',
  summary: 'Write arguments from text',
  description:
    'Writes the arguments of a tool from text, with the language model of the server. The tool is ' +
    'not executed. Servers without a model return `ActionExecute_NoModelConfigured`.',
  example: {
    params: { tool_slug: 'UTILITIES_GET_CURRENT_TIME' },
    body: { text: 'What time is it in Lisbon?' },
    needs: 'a configured language model',
  },
  params: Type.Object({ tool_slug: Described(Slug, 'Slug of the tool, in any letter case.') }),
  body: Type.Object({
    text: Type.String({
      minLength: 1,
      maxLength: 20_000,
      description: 'Task in natural language. At most 20,000 characters.',
      examples: ['mail bob@example.com that the build is green'],
    }),
    custom_description: Type.Optional(
      Type.String({
        maxLength: 8_192,
        description: 'Description of the tool for the model, in place of its own.',
      }),
    ),
    system_prompt: Type.Optional(
      Type.String({
        maxLength: 20_000,
        description: 'Instructions for the model, in place of those of the server.',
      }),
    ),
    version: Type.Optional(Described(VersionText, 'Version of the toolkit. Default `latest`.')),
  }),
  reply: Type.Object({
    arguments: Type.Optional(
      Open({}, { description: 'Arguments of the tool. Absent when the text does not contain them.' }),
    ),
    error: Type.Optional(Type.String({ description: 'What the text does not contain. Absent on success.' })),
  }),
  errors: [
    'Tool_ToolNotFound',
    'ActionExecute_NoModelConfigured',
    'ActionExecute_ModelUnavailable',
    'ActionExecute_ModelBusy',
  ],
})
