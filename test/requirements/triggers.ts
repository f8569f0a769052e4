import { requirementsOf, type Requirement, testsOf } from './requirement.ts'

const reported = testsOf('test/requirements/reported-values.test.ts')
const instances = testsOf('src/features/triggers/instances/instances.test.ts')
const instancesTriggerTypes = testsOf('src/features/triggers/instances/trigger-types.test.ts')
const states = testsOf('src/features/triggers/state-machine.test.ts')
const shipped = testsOf('test/toolkits/triggers.test.ts')
const worker = testsOf('src/features/triggers/polling/worker.test.ts')
const endpoints = testsOf('src/features/triggers/push/endpoints/endpoints.test.ts')
const paging = testsOf('test/contract/paging.test.ts')

const TYPES = instancesTriggerTypes(
  'trigger types: listed and read in both formats, in any letter case; toolkits show their number',
)
const UPSERT = instances(
  'trigger: one account and configuration has one instance, which a second request enables',
)
const REJECTED = instances(
  'trigger: a request that cannot work is rejected with an explanation, and stores nothing',
)

export const TRIGGERS: readonly Requirement[] = [
  ...requirementsOf('Resources: trigger type', 'trigger-type', [
    ['slug', '`slug` is in upper case.', TYPES],
    ['config', '`config` describes each field with type, required and options.', TYPES],
    ['payload', '`payload` describes each field of an event.', TYPES],
    [
      'described',
      'Every field of config and payload of a built-in type is described.',
      shipped('every trigger that ships says of each member of its configuration and its payload what it is'),
    ],
    [
      'true-payload',
      'Events have the fields that the payload declares.',
      shipped(
        'the payload schema of a trigger has the fields of its events, and requires those always present',
      ),
    ],
  ]),
  ...requirementsOf('Endpoints: triggers', 'trigger-types', [
    ['toolkit_slugs', '`toolkit_slugs` selects types of toolkits.', TYPES],
    ['toolkit_versions', '`toolkit_versions` selects the version.', TYPES],
    [
      'paging',
      '`limit` and `cursor` page the list.',
      paging('lists: any limit from 1 is accepted, an empty one is absent, other limits and cursors are 400'),
    ],
    ['read-any-case', 'The slug of a read is accepted in any case.', TYPES],
  ]),
  ...requirementsOf('Endpoints: triggers', 'triggers.upsert', [
    ['create', 'Without a matching instance one is created, and its id returned.', UPSERT],
    ['match', 'A matching instance is returned instead of a second one.', UPSERT],
    ['re-enable', 'A disabled match is enabled.', UPSERT],
    ['any-case', 'The slug is accepted in any case.', UPSERT],
    ['connected_account_id', '`connected_account_id` names the account.', UPSERT],
    ['trigger_config', '`trigger_config` is validated by the config of the type.', REJECTED],
    ['toolkit_versions', '`toolkit_versions` is latest or a map from toolkit to version.', UPSERT],
    [
      'connectedAuthId',
      '`connectedAuthId` (deprecated) means `connected_account_id`, which has priority.',
      UPSERT,
    ],
    ['triggerConfig', '`triggerConfig` (deprecated) means `trigger_config`, which has priority.', UPSERT],
    ['version', '`version` (deprecated) selects the version.', UPSERT],
    ['uuid', '`deprecated.uuid` can be converted to the id.', UPSERT],
    [
      'empty-response',
      'Decision 9: the upsert returns 201 or 200 with the id, and never an empty success.',
      UPSERT,
    ],
  ]),
  ...requirementsOf('States and transitions', 'trigger', [
    [
      'enable',
      'The user of a trigger disables and enables it.',
      states('trigger: its user disables and enables it, and the polling state starts anew'),
    ],
    ['upsert-enables', 'An upsert with the same configuration enables a disabled instance.', UPSERT],
    ['created', 'An upsert without a match creates an instance.', UPSERT],
    [
      'account-expired',
      'The triggers of an expired account are disabled, and enabled with new credentials.',
      states(
        'trigger: an expired account publishes trigger.disabled, and new credentials enable its triggers',
      ),
    ],
    [
      'enabling-twice',
      'Enabling an enabled trigger succeeds; a deleted one is gone.',
      instances(
        'trigger: enabling twice succeeds, a deleted one is 410, one of a disabled account stays off',
      ),
    ],
  ]),
  ...requirementsOf('Events', 'triggers', [
    [
      'polling',
      'A trigger instance listens to its application by polling.',
      worker(
        'polling: new items become events once, in order, with a log row; a poll without any stores none',
      ),
    ],
    [
      'webhooks',
      'A trigger instance listens to its application by webhooks.',
      endpoints('an event reaches every matching trigger of its account and type, and no other'),
    ],
    [
      'triggers_enabled',
      '`triggers_enabled` of the project switches all triggers off.',
      worker(
        'polling: claims are limited per project, and a project with triggers switched off is not polled',
      ),
    ],
    [
      'triggers-enabled-setting',
      '`triggers_enabled` can be changed through the API.',
      reported('projects: triggers_enabled is changed as a setting, and both reads have it'),
    ],
  ]),
]
