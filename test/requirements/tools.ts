import { requirementsOf, type Requirement, testsOf } from './requirement.ts'

const reported = testsOf('test/requirements/reported-values.test.ts')
const list = testsOf('src/features/tools/list-tools.test.ts')
const listReadTool = testsOf('src/features/tools/read-tool.test.ts')
const account = testsOf('src/engine/pipeline/choose-connection.test.ts')
const text = testsOf('src/engine/arguments/arguments-from-text.test.ts')
const request = testsOf('src/engine/http/egress-request.test.ts')
const requestToolResult = testsOf('src/engine/http/tool-result.test.ts')
const log = testsOf('src/features/logs/log-writer.test.ts')
const sdk = testsOf('test/sdk/execute.test.ts')
const errors = testsOf('test/sdk/errors.test.ts')
const parameters = testsOf('src/catalog/query/tool-parameters.test.ts')
const behaviour = testsOf('test/requirements/behaviour.test.ts')

const FILTERS = list('list tools: each filter selects its tools; important tools come first, then by slug')
const VERSIONS = list(
  'tool versions: toolkit_versions is one version for all toolkits, or one for each toolkit',
)

export const TOOLS: readonly Requirement[] = [
  ...requirementsOf('Resources: tool', 'tool', [
    [
      'input-map',
      '`input_parameters` is a map from name to a descriptor with type, description, required and examples.',
      listReadTool('read tool: a tool has every field; v3 returns its parameters as a flat map'),
    ],
    [
      'nested',
      'The map has every parameter, nested ones included.',
      parameters('tool parameters: the flat form has one descriptor per parameter, also nested ones'),
    ],
    [
      'no_auth',
      '`no_auth` is true for tools that need no connection.',
      listReadTool('read tool: a tool without scopes or authentication and a deprecated tool are marked'),
    ],
    [
      'scopes',
      '`scopes` lists the scopes that the tool needs.',
      listReadTool('read tool: a tool has every field; v3 returns its parameters as a flat map'),
    ],
    [
      'is_deprecated',
      '`is_deprecated` marks deprecated tools.',
      listReadTool('read tool: a tool without scopes or authentication and a deprecated tool are marked'),
    ],
    [
      'version-format',
      'Versions have the form YYYYMMDD_NN.',
      behaviour('versions: every version in a response has the form YYYYMMDD_NN'),
    ],
  ]),
  ...requirementsOf('Endpoints: tools', 'tools.list', [
    ['toolkit_slug', '`toolkit_slug` selects the tools of a toolkit.', FILTERS],
    [
      'tool_slugs',
      '`tool_slugs` takes slugs separated by commas and overrides the other filters.',
      list('list tools: slugs override every other filter and the limit'),
    ],
    [
      'auth_config_ids',
      '`auth_config_ids` selects the toolkits and allowed tools of auth configs.',
      list('list tools: auth configs select their toolkits and allowed tools'),
    ],
    ['important', '`important` accepts true and false.', FILTERS],
    ['tags', '`tags` may be repeated.', FILTERS],
    ['scopes', '`scopes` keeps the tools for which the scopes suffice.', FILTERS],
    [
      'query',
      '`query` is a full-text search on top of the other filters; the list is empty when nothing matches.',
      FILTERS,
    ],
    ['search', '`search` (deprecated) works like `query`.', FILTERS],
    ['include_deprecated', '`include_deprecated` is true by default.', FILTERS],
    [
      'toolkit_versions',
      '`toolkit_versions` is a version, latest, or one version a toolkit in brackets.',
      VERSIONS,
    ],
    [
      'paging',
      'Pages follow each other by cursor.',
      list('list tools: pages follow each other without a gap'),
    ],
  ]),
  ...requirementsOf('Endpoints: tools', 'tools.read', [
    [
      'version',
      '`version` selects a version, before `toolkit_versions`.',
      listReadTool('read tool: the slug is accepted in any case; version overrides toolkit_versions'),
    ],
    [
      'response',
      'The response is a tool with all fields.',
      listReadTool('read tool: a tool has every field; v3 returns its parameters as a flat map'),
    ],
  ]),
  ...requirementsOf('Endpoints: tools', 'tools.execute', [
    [
      'llm-gateway-headers',
      '`x-llm-gateway-headers` is a JSON object of headers for the language model.',
      text('text: models without JSON Schema receive none; prompt, description and gateway headers are sent'),
    ],
    [
      'connected_account_id',
      '`connected_account_id` names the account that is used.',
      account(
        'property: a named account is used only if ACTIVE, enabled, allowed the tool, and open to the user',
      ),
    ],
    [
      'user_id',
      '`user_id` selects an account of that user.',
      account('account: the most recently connected account is used, and the first by id among equal ones'),
    ],
    [
      'entity_id',
      '`entity_id` (deprecated) means `user_id`.',
      behaviour('execute: entity_id is read as user_id, and user_id has priority'),
    ],
    [
      'version',
      '`version` defaults to 00000000_00, the first version.',
      behaviour('execute: without a version the first version of v3 runs, and the newest of v3.1'),
    ],
    [
      'custom_auth_params',
      '`custom_auth_params` supplies authentication for one call.',
      account('account: auth parameters can set a base URL and body fields; an invalid header is 400'),
    ],
    [
      'custom_connection_data',
      '`custom_connection_data` supplies a connection for one call.',
      account('account: connection data of the call overrides auth parameters, and both override accounts'),
    ],
    [
      'arguments',
      '`arguments` are validated and sent to the application.',
      request('arguments: invalid arguments are a failure of the tool that names them, and nothing is sent'),
    ],
    [
      'text',
      '`text` is a task in words from which the arguments are made.',
      text('text: a task in words becomes arguments of the tool, and the tool runs with them'),
    ],
    [
      'arguments-or-text',
      '`arguments` and `text` together are rejected.',
      request('arguments: defaults are filled in; text and arguments together are rejected'),
    ],
    [
      'allow_tracing',
      '`allow_tracing` (deprecated) is accepted and may be null.',
      behaviour('execute: allow_tracing is accepted, null included, and changes nothing'),
    ],
    [
      'data',
      '`data` is an object for every response of the application.',
      requestToolResult('result: data is an object for every response'),
    ],
    [
      'log_id',
      '`log_id` names the log row of the call.',
      log('log: each execution has one row with user, tool and outcome, and its encrypted payload'),
    ],
    [
      'success',
      '`successful` is true and `error` null when the tool succeeds.',
      sdk('a tool runs with the account of the user, and its result arrives whole'),
    ],
    [
      'failure',
      'A failed tool is a success response with `successful` false and the message in `error`.',
      requestToolResult(
        'result: an error of the provider is 200 with successful false, its status and its text',
      ),
    ],
    [
      'account-errors',
      'An unknown account, a missing one and a tool that is not allowed are different errors.',
      errors('executing without account, with an unknown one, or a tool not allowed: each has its own error'),
    ],
    [
      'session_info',
      '`session_info` is the session at the application: the account, and when its credentials end.',
      reported(
        'execute: session_info names the account and the end of its credentials, and is null for keys',
      ),
    ],
  ]),
]
