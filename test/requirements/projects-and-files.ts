import { requirementsOf, type Requirement, testsOf } from './requirement.ts'

const reported = testsOf('test/requirements/reported-values.test.ts')
const config = testsOf('src/features/projects/config.test.ts')
const projects = testsOf('src/features/projects/projects.test.ts')
const session = testsOf('src/features/projects/session.test.ts')
const keys = testsOf('src/features/projects/api-keys/keys.test.ts')
const authenticate = testsOf('src/features/projects/api-keys/authenticate.test.ts')
const files = testsOf('src/features/files/files.test.ts')
const webhooks = testsOf('src/features/webhooks/subscriptions/subscriptions.test.ts')
const paging = testsOf('test/contract/paging.test.ts')
const sweep = testsOf('test/contract/sweep.test.ts')
const secrets = testsOf('src/features/connected-accounts/secrets.test.ts')
const log = testsOf('src/features/logs/log-writer.test.ts')
const endpoint = testsOf('src/features/mcp-servers/endpoint/endpoint.test.ts')
const account = testsOf('src/engine/pipeline/choose-connection.test.ts')
const behaviour = testsOf('test/requirements/behaviour.test.ts')

const SUBSCRIPTION = webhooks(
  'subscriptions: create, read, update and delete; the secret is encrypted, and later masked on v3.1',
)
const DELETED = behaviour(
  'delete: an account and a webhook subscription return success true, and a second time 404',
)

export const PROJECTS_AND_FILES: readonly Requirement[] = [
  ...requirementsOf('Resources: project configuration', 'project-config', [
    [
      'defaults',
      'A new project has every setting at its default.',
      config('a new project has every setting at its default'),
    ],
    [
      'log-visibility',
      '`dont_store_data` keeps payloads out of the log.',
      log('log: with dont_store_data a row contains no payload and no text of the provider or the tool'),
    ],
    [
      'masking',
      '`mask_secret_keys_in_connected_account` switches masking.',
      secrets('secrets: responses show own credentials unmasked if the project disables masking'),
    ],
    [
      '2fa',
      '`is_2FA_enabled` makes naming the user obligatory.',
      account(
        'account: a call that names an account may leave out its owner, unless the project requires a user',
      ),
    ],
    [
      'file-expiry',
      '`signed_url_file_expiry_in_seconds` is the lifetime of signed URLs.',
      files('signed URL: valid for one file, for a limited time, and cannot be forged'),
    ],
    [
      'file-expiry-bound',
      '`signed_url_file_expiry_in_seconds` is any number of seconds.',
      reported('projects: the lifetime of file URLs is any number of seconds, and URLs end after seven days'),
    ],
    [
      'service-link',
      '`is_service_link_enabled_for_managed_auth` is stored and returned; it is not to be used.',
      config('a change of one setting returns all of them and leaves the others'),
    ],
  ]),
  ...requirementsOf('Endpoints: projects', 'projects', [
    [
      'update',
      'An update changes the settings in the body and returns all.',
      config('a change of one setting returns all of them and leaves the others'),
    ],
    [
      'update-bounds',
      'Values out of bounds are rejected with their names, and nothing is stored.',
      config('values out of bounds are rejected with their names, and nothing of the request is kept'),
    ],
    [
      'read',
      'A project is read with webhook URLs, timestamps and API keys.',
      projects('a project shows every field; its keys are clear on v3 and masked on v3.1'),
    ],
    [
      'not-found',
      'An unknown project is not found.',
      projects('an unknown project is not found, and an id of another kind is rejected'),
    ],
    [
      'other-organization',
      'The projects of other organizations are not found.',
      projects('another organization sees no project of ours and cannot tell that one exists'),
    ],
  ]),
  ...requirementsOf('Resources: project', 'project', [
    [
      'keys',
      '`api_keys` shows each key in clear.',
      projects('a project shows every field; its keys are clear on v3 and masked on v3.1'),
    ],
    [
      'webhook-version',
      '`webhook_version` is the version of the project webhook.',
      testsOf('src/features/webhooks/subscriptions/subscriptions.test.ts')(
        'project reads: show secret, version and time of the webhook; v3.1 and keys have it masked',
      ),
    ],
    [
      'deleted',
      'A deleted project is not found, so that `deleted` is false in every response.',
      projects('a deleted project is gone, and its keys stop at once'),
    ],
  ]),
  ...requirementsOf('Resources: file', 'file', [
    [
      'listed',
      'A file is listed with its five fields after its upload.',
      files('upload: content is sent to a signed URL, listed, and readable by its key in its project only'),
    ],
  ]),
  ...requirementsOf('Endpoints: files', 'files.list', [
    [
      'toolkit_slug',
      '`toolkit_slug` selects files of a toolkit.',
      behaviour('files: toolkit_slug and tool_slug filter the list, and pages follow each other'),
    ],
    [
      'tool_slug',
      '`tool_slug` selects files of a tool.',
      behaviour('files: toolkit_slug and tool_slug filter the list, and pages follow each other'),
    ],
    [
      'paging',
      '`limit` and `cursor` page the list.',
      behaviour('files: toolkit_slug and tool_slug filter the list, and pages follow each other'),
    ],
    [
      'limit-empty',
      'An empty (null) `limit` is the default.',
      paging('lists: any limit from 1 is accepted, an empty one is absent, other limits and cursors are 400'),
    ],
  ]),
  ...requirementsOf('Resources: webhook subscription', 'webhook-subscription', [
    ['secret', '`secret` is shown on v3.', SUBSCRIPTION],
    [
      'version',
      '`version` is V1, V2 or V3.',
      webhooks(
        'event types: each has its payload versions, and a subscription with another version is rejected',
      ),
    ],
  ]),
  ...requirementsOf('Endpoints: webhook subscriptions', 'webhook-subscriptions', [
    ['read', 'A subscription is read by its id.', SUBSCRIPTION],
    ['update', 'An update changes URL, events and version.', SUBSCRIPTION],
    [
      'update-empty',
      'An update without a field is rejected.',
      behaviour('webhook subscriptions: an update without a field is rejected'),
    ],
    [
      'https',
      '`webhook_url` is an https URL.',
      webhooks(
        'webhook_url: must be public, https and without credentials; a loopback URL needs EGRESS_ALLOW',
      ),
    ],
    ['delete', 'Deleting removes the subscription and returns `success` true.', DELETED],
  ]),
  ...requirementsOf('States and transitions', 'webhook-subscription', [
    ['deleted', 'A deleted subscription is removed for good.', DELETED],
  ]),
  ...requirementsOf('Endpoints: migration', 'migration', [
    [
      'convert',
      'A legacy UUID of an account, an auth config or a trigger instance is converted to its id.',
      session('a legacy uuid returns the id it belongs to, in any letter case'),
    ],
    [
      'unknown',
      'An unknown UUID is not found.',
      session('an unknown uuid is not found, a deleted resource is gone'),
    ],
    [
      'invalid',
      'What is no UUID, or no known type, is rejected.',
      session('what is not a uuid or not a kind is rejected'),
    ],
    [
      'tenant',
      'A UUID of another project is unknown.',
      session('another project cannot tell a uuid of ours from an unknown one, deleted or not'),
    ],
  ]),
  ...requirementsOf('Authentication', 'authentication', [
    [
      'project-key',
      '`x-api-key` with a project key is required by every operation of a project.',
      sweep('without a key every request is rejected, and the error names the header to send'),
    ],
    [
      'organization-key',
      '`x-org-api-key` with an organization key is required by the operations of an organization.',
      sweep('a key that is unknown, of another kind or in the wrong header is rejected and never repeated'),
    ],
    [
      'wrong-header',
      'A valid key in the wrong header is rejected with the right header.',
      authenticate('authentication: a valid key in the wrong header receives the name of the header'),
    ],
    [
      'acting-user',
      'A tool execution names its user by `connected_account_id` or `user_id`.',
      account(
        'account: a call that names an account may leave out its owner, unless the project requires a user',
      ),
    ],
    [
      'custom',
      '`custom_auth_params` and `custom_connection_data` supply authentication for one call.',
      account('account: connection data of the call overrides auth parameters, and both override accounts'),
    ],
    [
      'require_mcp_api_key',
      '`require_mcp_api_key` decides whether MCP needs a key.',
      endpoint('MCP servers: access depends on the key, host, origin, identity and server id'),
    ],
    [
      'masking',
      '`mask_secret_keys_in_connected_account` decides whether secrets of accounts are masked.',
      secrets('secrets: responses show four characters of own credentials, also nested and in params'),
    ],
    [
      'revocation',
      'A revoked key stops at once.',
      keys('delete key: the key is rejected immediately; other keys stay valid'),
    ],
  ]),
]
