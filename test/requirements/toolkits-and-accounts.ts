import { requirementsOf, type Requirement, testsOf } from './requirement.ts'

const reported = testsOf('test/requirements/reported-values.test.ts')
const toolkits = testsOf('src/features/toolkits/toolkits.test.ts')
const create = testsOf('src/features/connected-accounts/create.test.ts')
const validate = testsOf('src/features/connected-accounts/validate-credentials.test.ts')
const secrets = testsOf('src/features/connected-accounts/secrets.test.ts')
const callback = testsOf('src/features/connected-accounts/authorization-flow/callback.test.ts')
const accounts = testsOf('src/features/connected-accounts/account-selection/engine-accounts.test.ts')
const states = testsOf('src/features/connected-accounts/state-machine.test.ts')
const oauth1 = testsOf('src/features/connected-accounts/authorization-flow/oauth1.test.ts')
const managed = testsOf('src/features/auth-configs/managed-auth.test.ts')
const fields = testsOf('src/catalog/manifest/compile/auth/auth-fields.test.ts')
const triggers = testsOf('src/features/triggers/state-machine.test.ts')
const refresh = testsOf('src/features/connected-accounts/token-refresh/refresh-failures.test.ts')
const behaviour = testsOf('test/requirements/behaviour.test.ts')

export const TOOLKITS_AND_ACCOUNTS: readonly Requirement[] = [
  ...requirementsOf('Resources: toolkit', 'toolkit', [
    [
      'managed-schemes',
      '`service_managed_auth_schemes` has lower-case names.',
      managed('a toolkit with managed auth says so, in lower case on v3 and in upper case on v3.1'),
    ],
    [
      'schemes',
      '`auth_config_details` has one entry a scheme with its fields.',
      toolkits('a toolkit is read with its schemes and the fields that each asks for'),
    ],
    [
      'descriptor',
      'A field descriptor has every key of the specification.',
      fields('auth fields: a descriptor has every key of the API, and the default scopes of the toolkit'),
    ],
    [
      'counts',
      '`meta.triggers_count` and `meta.tools_count` are the numbers of the toolkit.',
      toolkits('a list item has every field of the contract'),
    ],
    [
      'provider-details',
      '`deprecated_auth_provider_details` has the URLs of authorization and token.',
      toolkits('a toolkit is read with its schemes and the fields that each asks for'),
    ],
    [
      'enabled',
      '`enabled` tells whether the toolkit can be used.',
      reported('toolkits: enabled is false while a policy denies every call of the toolkit'),
    ],
    [
      'legacy-ids',
      '`deprecated.toolkitId` is a stable UUID.',
      toolkits('legacy ids are stable UUIDs, one a toolkit'),
    ],
  ]),
  ...requirementsOf('Endpoints: toolkits', 'toolkits.read', [
    [
      'version',
      '`version` selects a version; the default is latest.',
      toolkits('a version shows the toolkit as it was then; one that never was is not found'),
    ],
    [
      'unknown',
      'An unknown toolkit is not found, a deprecated one is readable.',
      toolkits('a deprecated toolkit is readable, an unknown one is not found, and one without auth says so'),
    ],
  ]),
  ...requirementsOf('Resources: connected account', 'connected-account', [
    [
      'initializing',
      '`status` is INITIALIZING for an account that waits for its user.',
      create('create: a redirect scheme returns INITIALIZING and the same short link in all fields'),
    ],
    [
      'redirect',
      '`redirect_url` and `redirect_uri` are the URL at which the user continues.',
      create('create: a redirect scheme returns INITIALIZING and the same short link in all fields'),
    ],
    [
      'oauth1',
      '`connectionData.authScheme` OAUTH1 is supported.',
      oauth1('OAUTH1: a flow obtains tokens with which every request is signed'),
    ],
    [
      'val-status',
      '`connectionData.val.status` is the status of the account.',
      secrets('secrets: the status in `val` is that of the account, also if the provider returns a `status`'),
    ],
    [
      'error',
      '`val.error` and `val.error_description` have the reason of a failed account.',
      callback(
        'callback: an error of the provider fails the account with its reason, and markup in it is escaped',
      ),
    ],
    [
      'masking',
      'Secrets are masked unless the project disables masking.',
      secrets('secrets: responses show own credentials unmasked if the project disables masking'),
    ],
  ]),
  ...requirementsOf('Endpoints: connected accounts', 'connected-accounts.create', [
    [
      'auth_config',
      '`auth_config.id` names an auth config of the project.',
      accounts('accounts: an account cannot be created with the auth config of another project'),
    ],
    [
      'connection',
      '`connection` has the user and the fields of the scheme.',
      create(
        'create: flat data, api_key, BASIC, BEARER_TOKEN, NO_AUTH connect; the default user is "default"',
      ),
    ],
    [
      'user_id',
      '`user_id` associates the connection with a user.',
      create(
        'create: flat data, api_key, BASIC, BEARER_TOKEN, NO_AUTH connect; the default user is "default"',
      ),
    ],
    [
      'oauth',
      'For OAuth toolkits a URL is returned with which the user finishes.',
      create('create: a redirect scheme returns INITIALIZING and the same short link in all fields'),
    ],
    [
      'api-key',
      'For API keys the credentials are in the body, and the account is connected at once.',
      create('create: an API key connects immediately, after one request that tries it'),
    ],
    [
      'validate',
      '`validate_credentials` is optional and tests the credentials before they are stored.',
      validate(
        'create: validate_credentials sends a request to the application and stores only an accepted key',
      ),
    ],
    [
      'validate-scheme',
      '`validate_credentials` validates API keys only.',
      validate('create: validate_credentials applies to API keys, and false sends no request'),
    ],
    [
      'rejections',
      'Every rejection has its code and creates nothing.',
      create('create: every rejection has its code and creates no account'),
    ],
  ]),
  ...requirementsOf('Endpoints: connected accounts', 'connected-accounts.delete', [
    [
      'success',
      'Deleting returns `success` true.',
      behaviour('delete: an account and a webhook subscription return success true, and a second time 404'),
    ],
    [
      'not-found',
      'A deleted account is not found by any operation.',
      accounts(
        'accounts: a deleted account is not found by any operation; its row stays without credentials',
      ),
    ],
    [
      'empty-response',
      'Decision 7: every failure of the deletion has the seven fields of the error envelope.',
      reported('failures: those of a deletion and of a trigger have the seven fields of the envelope'),
    ],
  ]),
  ...requirementsOf('States and transitions', 'connected-account', [
    [
      'create-oauth',
      'Creating an account of an OAuth toolkit leaves it INITIALIZING with a redirect URL.',
      create('create: a redirect scheme returns INITIALIZING and the same short link in all fields'),
    ],
    [
      'soft-delete',
      'Deleting marks the account as deleted; the record stays.',
      accounts(
        'accounts: a deleted account is not found by any operation; its row stays without credentials',
      ),
    ],
    [
      'unusable',
      'A deleted account cannot be used for calls.',
      behaviour('delete: an account that was deleted cannot be used for a call'),
    ],
    [
      'transitions',
      'Only the transitions of the table are possible.',
      states('state machine: the transitions are exactly those of the contract'),
    ],
    [
      'sequences',
      'Every sequence of transitions ends in the status of the table.',
      states('state machine: any sequence of transitions leaves the row in the status of the table'),
    ],
    [
      'expired-flow',
      'An account whose user does not finish is EXPIRED after ten minutes.',
      callback(
        'callback: after ten minutes, every read shows EXPIRED, before and after the schedule writes it',
      ),
    ],
    [
      'rejected-grant',
      'A rejected grant expires the account.',
      refresh(
        'token refresh: a final rejection expires the account with 410 / 1820; no more requests are sent',
      ),
    ],
    [
      'triggers-end',
      'The triggers of a deleted account are deleted.',
      triggers('trigger: a deleted account deletes its triggers'),
    ],
  ]),
]
