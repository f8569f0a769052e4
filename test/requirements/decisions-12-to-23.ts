import { requirementsOf, type Requirement, testsOf, type Row, type Section } from './requirement.ts'

const workbench = testsOf('src/features/sessions/workbench/workbench.test.ts')
const mcpTools = testsOf('src/features/mcp-servers/endpoint/allowed-tools.test.ts')
const replies = testsOf('test/contract/replies.test.ts')
const list = testsOf('src/features/tools/list-tools.test.ts')
const listReadTool = testsOf('src/features/tools/read-tool.test.ts')
const managed = testsOf('src/features/auth-configs/managed-auth.test.ts')
const connect = testsOf('src/features/connected-accounts/create.test.ts')
const subscriptions = testsOf('src/features/webhooks/subscriptions/subscriptions.test.ts')
const account = testsOf('src/engine/pipeline/choose-connection.test.ts')
const parameters = testsOf('src/features/tools/parameter-format.test.ts')
const config = testsOf('src/features/projects/config.test.ts')
const toolkits = testsOf('src/features/toolkits/toolkits.test.ts')
const behaviour = testsOf('test/requirements/behaviour.test.ts')

const SESSION_LIST = testsOf('src/features/sessions/list.test.ts')(
  'sessions: a list has the sessions of the project or of one user, newest first, in pages',
)

const decision = (number: number, rows: readonly Row[]): Requirement[] =>
  requirementsOf(`Decision ${number}` as Section, `decision-${number}`, rows)

const JSON_SCHEMA = listReadTool('read tool: v3.1 returns parameters as JSON Schema')
const DEFAULT_VERSION = list(
  'tool versions: the default is the first version in v3 and the newest release in v3.1',
)
const MANAGED_CASE = managed(
  'a toolkit with managed auth says so, in lower case on v3 and in upper case on v3.1',
)
const UNKNOWN_KEYS = behaviour(
  'unknown fields: v3 ignores them, and session routes of v3.1 reject them by name',
)
const SUBSCRIPTION = subscriptions(
  'subscriptions: create, read, update and delete; the secret is encrypted, and later masked on v3.1',
)
const SESSION_URL = behaviour('sessions: the MCP URL is that of the called version, on the origin of the API')

export const DECISIONS_12_TO_23: readonly Requirement[] = [
  ...decision(12, [
    ['urls', 'Each version hands out its own MCP URL of a session, and both work.', SESSION_URL],
  ]),
  ...decision(13, [
    [
      'initializing',
      'INITIALIZING is at both places of the response.',
      connect('create: a redirect scheme returns INITIALIZING and the same short link in all fields'),
    ],
    [
      'link',
      '/connected_accounts/link creates a link too.',
      testsOf('src/features/connected-accounts/connect-links/connect-link.test.ts')(
        'connect links: a link opens a page for ten minutes, and its account is INITIALIZING',
      ),
    ],
  ]),
  ...decision(14, [
    [
      'rule',
      'The most recently connected account is used.',
      account('account: the most recently connected account is used, and the first by id among equal ones'),
    ],
    [
      'foreign',
      'Accounts of other users are never used, nor those that are not ACTIVE.',
      account('account: accounts of other users and of disabled or deleted auth configs are not chosen'),
    ],
    [
      'owner',
      'A named account must belong to the named user.',
      account(
        'property: a named account is used only if ACTIVE, enabled, allowed the tool, and open to the user',
      ),
    ],
  ]),
  ...decision(15, [
    [
      'unknown-keys',
      'Unknown body fields are ignored on v3 and rejected on session routes of v3.1.',
      UNKNOWN_KEYS,
    ],
  ]),
  ...decision(16, [
    [
      'default',
      '`require_mcp_api_key` is true for a new project.',
      config('a new project has every setting at its default'),
    ],
  ]),
  ...decision(17, [
    [
      'operations',
      'What the specification needs but does not show exists.',
      replies(
        'every operation that is built has a realistic call, and its reply is what the contract declares',
      ),
    ],
    ['list-sessions', 'Sessions can be listed.', SESSION_LIST],
  ]),
  ...decision(18, [
    ['sandbox', 'A sandbox runs code by default.', workbench('workbench: Python and bash in a session')],
  ]),
  ...decision(19, [
    [
      'brand',
      'With a brand, v3 has JSON Schema.',
      parameters(
        'parameters: v3 has a map of names, or JSON Schema with a brand; v3.1 always has JSON Schema',
      ),
    ],
    [
      'setting',
      '`v3_parameter_format` of a project overrides it.',
      parameters(
        'parameters: v3_parameter_format of a project overrides the form of v3, whatever the brand is',
      ),
    ],
  ]),
  ...decision(20, [
    [
      'default',
      '`is_2FA_enabled` of a new project is false.',
      account(
        'account: a call that names an account may leave out its owner, unless the project requires a user',
      ),
    ],
    [
      'strict',
      'With true, an account without its user is rejected with 1811.',
      account(
        'account: a call that names an account may leave out its owner, unless the project requires a user',
      ),
    ],
  ]),
  ...decision(21, [
    [
      'instance-url',
      '`mcp_url` of an instance has its user.',
      mcpTools(
        'MCP instances: the URL of an instance works as it is, also for a user id with reserved characters',
      ),
    ],
    [
      'allowed-tools',
      '`allowed_tools` adds tools to those of the toolkits, and alone selects exactly those.',
      mcpTools(
        'MCP servers: allowed tools narrow their toolkit, are added to others, and alone are all tools',
      ),
    ],
  ]),
  ...decision(22, [
    [
      'managed_by',
      '`managed_by` filters toolkits by provenance.',
      toolkits('each filter leaves what it names, in the order that is asked for'),
    ],
  ]),
  ...decision(23, [
    [
      'secret',
      'Setting up a subscription again returns its secret in clear.',
      testsOf('src/features/webhooks/subscriptions/repeated-set-up.test.ts')(
        'subscriptions: a repeated set-up returns the clear secret to unrestricted keys, in both versions',
      ),
    ],
  ]),
  ...requirementsOf('Decisions: v3 and v3.1', 'versions', [
    ['parameters', 'Parameters: flat map and JSON Schema.', JSON_SCHEMA],
    ['version', 'Default tool version: 00000000_00 and latest.', DEFAULT_VERSION],
    ['managed', 'Managed schemes: lower and upper case.', MANAGED_CASE],
    [
      'accounts',
      'Accounts of a session: a text and a list for each toolkit.',
      behaviour('sessions: connected_accounts is a text a toolkit in v3 and a list in v3.1'),
    ],
    ['secrets', 'Keys and webhook secrets: clear and masked.', SUBSCRIPTION],
    [
      'deprecated',
      'Deprecated objects are in both.',
      behaviour('deprecated fields: both versions have the deprecated objects'),
    ],
    ['unknown-keys', 'Unknown fields at the root of session bodies: ignored and rejected.', UNKNOWN_KEYS],
  ]),
]
