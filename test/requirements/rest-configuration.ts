import { requirementsOf, type Requirement, type Row, testsOf } from './requirement.ts'

const projects = testsOf('src/features/projects/projects.test.ts')
const config = testsOf('src/features/projects/config.test.ts')
const session = testsOf('src/features/projects/session.test.ts')
const usage = testsOf('src/features/logs/usage.test.ts')
const logs = testsOf('src/features/logs/routes.test.ts')
const authConfigs = testsOf('src/features/auth-configs/create.test.ts')
const managed = testsOf('src/features/auth-configs/managed-auth.test.ts')
const readAuthConfig = testsOf('src/features/auth-configs/read.test.ts')
const patch = testsOf('src/features/auth-configs/patch.test.ts')
const remove = testsOf('src/features/auth-configs/delete.test.ts')

const area = (name: string, rows: readonly Row[]): Requirement[] =>
  requirementsOf('REST: areas', `rest.${name}`, rows)

/** What the contract of the REST API adds for auth configs, projects and logs. */
export const REST_CONFIGURATION: readonly Requirement[] = [
  ...area('auth-configs', [
    [
      'bearer',
      'BEARER_TOKEN is accepted for toolkits with OAUTH2.',
      authConfigs('create auth config: BEARER_TOKEN is accepted only for toolkits with OAUTH2'),
    ],
    [
      'no-auth',
      'Toolkits without authentication, unknown schemes and missing fields have their codes.',
      authConfigs('create auth config: an invalid request is rejected with the code of its reason'),
    ],
    [
      'missing-field',
      'The error of a missing field has its display name.',
      authConfigs('create auth config: the error for a missing field has its display name'),
    ],
    [
      'managed-scheme',
      'Of several managed schemes OAUTH2 is selected.',
      managed('of several managed schemes OAUTH2 is selected, else the first in the order of the toolkit'),
    ],
    [
      'managed-redacted',
      'Credentials of managed configs are REDACTED.',
      managed('of a managed config every credential reads REDACTED; only the chosen scopes are shown'),
    ],
    [
      'masking',
      'Secrets are masked whatever the project setting is.',
      readAuthConfig('secrets are masked whatever the project setting, on both versions and in lists'),
    ],
    [
      'patch-empty',
      'An empty list or text clears, and an absent field changes nothing.',
      patch('empty clears: lists, texts, shared maps; a field that is required stays required'),
    ],
    [
      'patch-masked',
      'Masked values that are sent back are ignored.',
      patch('what a read showed may be sent back: masked values are ignored at every depth'),
    ],
    [
      'patch-wrapped',
      'A body wrapped in `auth_config` is accepted.',
      patch('a body wrapped in auth_config is accepted like a plain one, its type in or around it'),
    ],
    [
      'patch-type',
      '`type` must be that of the config.',
      patch('the type must be there and be that of the config'),
    ],
    [
      'status',
      'Setting the current status again succeeds.',
      remove('auth config status: setting the current status succeeds and changes nothing'),
    ],
    [
      'delete',
      'Accounts of a deleted config become INACTIVE.',
      remove('delete auth config: it is not found any more, and only its accounts become INACTIVE'),
    ],
    [
      'keep',
      'Without `revoke_on_delete`, a deletion revokes nothing at the provider.',
      testsOf('src/features/connected-accounts/revocation/revoke.test.ts')(
        'revocation: deleting an auth config without revoke_on_delete revokes none of its connections',
      ),
    ],
    [
      'revoke',
      '`revoke_on_delete` revokes the connections at the provider.',
      testsOf('src/features/connected-accounts/revocation/revoke.test.ts')(
        'revocation: deleting an auth config can revoke all of its connections',
      ),
    ],
  ]),
  ...area('projects', [
    [
      'names',
      'Names have 3 to 75 letters, digits, hyphens and underscores, once in an organization.',
      projects('a name has 3 to 75 letters, digits, hyphens and underscores'),
    ],
    [
      'creation',
      '`should_create_api_key` is false by default.',
      projects('a new project has the name that was asked for and no key'),
    ],
    [
      'config',
      '`config` needs its three leading settings.',
      projects('a configuration given at creation needs its three leading settings'),
    ],
    [
      'list',
      'The list is in `data`, newest first.',
      projects('projects are listed newest first in `data`, page by page'),
    ],
    [
      'last',
      'The last project cannot be deleted.',
      projects('the last project stays, also when both of two are deleted at once'),
    ],
    [
      'empty-update',
      'An empty update changes nothing.',
      config('an empty change, or one without a body, changes nothing'),
    ],
    [
      'session-info',
      '`/auth/session/info` has project, organization and masked key.',
      session('the session has project, organization and key, and of the key only its last characters'),
    ],
    [
      'nanoid',
      'The id of a legacy UUID has its prefix, and deleted resources are 410.',
      session('an unknown uuid is not found, a deleted resource is gone'),
    ],
  ]),
  ...area('logs', [
    [
      'search',
      'Both endpoints of logs find executions and show their details.',
      logs('logs: both endpoints find and return an execution with its details'),
    ],
    [
      'filters',
      'Filters of one field are alternatives, those of several must all match.',
      logs('logs: filters of one field are alternatives, filters of several fields must all hold'),
    ],
    [
      'usage',
      'Usage is summed by project, organization, group and time; quantities are texts.',
      usage('usage: executions are counted by project or organization, group and time, without dry runs'),
    ],
  ]),
]
