import { requirementsOf, type Requirement, testsOf } from './requirement.ts'

const reported = testsOf('test/requirements/reported-values.test.ts')
const create = testsOf('src/features/auth-configs/create.test.ts')
const read = testsOf('src/features/auth-configs/read.test.ts')
const change = testsOf('src/features/auth-configs/patch.test.ts')
const remove = testsOf('src/features/auth-configs/delete.test.ts')
const managed = testsOf('src/features/auth-configs/managed-auth.test.ts')
const paging = testsOf('test/contract/paging.test.ts')

const FILTERS = read('lists are newest first and paged, and each filter leaves what it names')

export const AUTH_CONFIGS: readonly Requirement[] = [
  ...requirementsOf('Resources: auth config', 'auth-config', [
    [
      'type',
      '`type` is `default` for managed credentials.',
      managed('without an auth_config the managed one is made, of type default'),
    ],
    [
      'scheme',
      '`auth_scheme` is a plain text in upper case, such as OAUTH2.',
      create('create auth config: returns ID, scheme and tools, and every call creates a new one'),
    ],
    [
      'masking',
      'Secrets in `credentials` are shown by their first characters only.',
      read('a read shows every field, secrets by their first four characters'),
    ],
    [
      'status',
      '`status` is ENABLED for a new auth config.',
      remove('disabled auth config: hidden from lists, readable, and accepts no new connection'),
    ],
    [
      'connections',
      '`no_of_connections` counts the active connections.',
      read('only ACTIVE connections are counted'),
    ],
    [
      'expected-fields',
      '`expected_input_fields` lists what a user has to enter: fields without a shared value.',
      read('a user is asked for what is not shared: an empty shared value does not count'),
    ],
    [
      'stored-encrypted',
      'Credentials, shared credentials and the proxy key are stored encrypted.',
      create('create auth config: credentials, shared credentials and proxy key are stored encrypted'),
    ],
    [
      'member-uuid',
      '`deprecated_params.member_uuid` is the id of the member who created the config.',
      reported(
        'auth configs: member_uuid is the same for all auth configs of a creator, and differs by creator',
      ),
    ],
  ]),
  ...requirementsOf('Endpoints: auth configs', 'auth-configs.list', [
    [
      'is_service_managed',
      '`is_service_managed` selects managed or own auth configs, as text or boolean.',
      FILTERS,
    ],
    ['toolkit_slug', '`toolkit_slug` takes slugs separated by commas.', FILTERS],
    ['deprecated_app_id', '`deprecated_app_id` selects by the legacy id of the toolkit.', FILTERS],
    ['deprecated_status', '`deprecated_status` selects by status.', FILTERS],
    [
      'show_disabled',
      'Disabled auth configs are listed only with `show_disabled=true`; the default is false.',
      FILTERS,
    ],
    ['search', '`search` selects by name.', FILTERS],
    ['paging', '`limit` and `cursor` page the list.', FILTERS],
    [
      'empty-limit',
      'An empty (null) `limit` is the default.',
      paging('lists: any limit from 1 is accepted, an empty one is absent, other limits and cursors are 400'),
    ],
    [
      'invalid-filter',
      'A filter of a wrong kind is rejected with its name.',
      read('a filter that is no value of its kind is rejected with its name'),
    ],
  ]),
  ...requirementsOf('Endpoints: auth configs', 'auth-configs.create', [
    [
      'toolkit',
      '`toolkit.slug` is required and must exist.',
      create('create auth config: an invalid request is rejected with the code of its reason'),
    ],
    [
      'default-variant',
      'Without `auth_config` the managed variant with empty credentials and no restriction is created.',
      managed('without an auth_config the managed one is made, of type default'),
    ],
    [
      'custom-variant',
      'The second variant creates a config with own credentials.',
      create('create auth config: returns ID, scheme and tools, and every call creates a new one'),
    ],
    [
      'variant-validation',
      'A body is validated as the variant that its type names.',
      create('create auth config: an invalid body is validated as the variant of its type'),
    ],
    [
      'response',
      'The response has `toolkit.slug` and id, scheme, managed flag and tools of the auth config.',
      create('create auth config: returns ID, scheme and tools, and every call creates a new one'),
    ],
    [
      'tools',
      '`restrict_to_following_tools` has slugs of tools of the toolkit.',
      create(
        'create auth config: tools must belong to some version of the toolkit and are stored in upper case',
      ),
    ],
    [
      'free-form-credentials',
      '`credentials` is a free-form object.',
      reported(
        'auth configs: credentials hold any JSON, and fields of the scheme take text, numbers and lists',
      ),
    ],
  ]),
  ...requirementsOf('States and transitions', 'auth-config', [
    [
      'enabled',
      'ENABLED is the state in which accounts can be connected; a disabled config is hidden from lists.',
      remove('disabled auth config: hidden from lists, readable, and accepts no new connection'),
    ],
    [
      'deleted',
      'A deleted auth config is not found, and its accounts cannot execute.',
      remove('delete auth config: its accounts can no longer execute tools'),
    ],
    [
      'update',
      'An update changes only what it names.',
      change('a change returns an empty object and changes only what it names'),
    ],
  ]),
]
