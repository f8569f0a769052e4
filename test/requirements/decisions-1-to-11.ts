import { requirementsOf, type Requirement, testsOf, type Row, type Section } from './requirement.ts'

const replies = testsOf('test/contract/replies.test.ts')
const brand = testsOf('test/sdk/wire-brand.test.ts')
const branding = testsOf('src/platform/http/branding/branding.test.ts')
const list = testsOf('src/features/tools/list-tools.test.ts')
const listReadTool = testsOf('src/features/tools/read-tool.test.ts')
const managed = testsOf('src/features/auth-configs/managed-auth.test.ts')
const create = testsOf('src/features/auth-configs/create.test.ts')
const paging = testsOf('test/contract/paging.test.ts')
const catalogue = testsOf('test/contract/bounds.test.ts')
const limits = testsOf('src/platform/http/middleware/rate-limit.test.ts')
const instances = testsOf('src/features/triggers/instances/instances.test.ts')
const attempt = testsOf('src/features/webhooks/delivery/attempt.test.ts')
const delivery = testsOf('src/features/webhooks/delivery/delivery.test.ts')
const projects = testsOf('src/features/projects/projects.test.ts')
const subscriptions = testsOf('src/features/webhooks/subscriptions/subscriptions.test.ts')
const keys = testsOf('src/features/projects/api-keys/keys.test.ts')
const requestToolResult = testsOf('src/engine/http/tool-result.test.ts')
const decision = (number: number, rows: readonly Row[]): Requirement[] =>
  requirementsOf(`Decision ${number}` as Section, `decision-${number}`, rows)

const MAP = listReadTool('read tool: a tool has every field; v3 returns its parameters as a flat map')
const JSON_SCHEMA = listReadTool('read tool: v3.1 returns parameters as JSON Schema')
const UPSERT = instances(
  'trigger: one account and configuration has one instance, which a second request enables',
)
const DEFAULT_VERSION = list(
  'tool versions: the default is the first version in v3 and the newest release in v3.1',
)
const MANAGED_CASE = managed(
  'a toolkit with managed auth says so, in lower case on v3 and in upper case on v3.1',
)
const KEYS_SHOWN = projects('a project shows every field; its keys are clear on v3 and masked on v3.1')
const SUBSCRIPTION = subscriptions(
  'subscriptions: create, read, update and delete; the secret is encrypted, and later masked on v3.1',
)
const TWO_SIGNATURES = attempt(
  'signature: each secret has two, and the first equals the published test vector',
)

export const DECISIONS_1_TO_11: readonly Requirement[] = [
  ...decision(1, [
    [
      'prefixes',
      '/api/v3 and /api/v3.1 have the same operations.',
      replies('every operation and both versions are in the served API description, and nothing else is'),
    ],
  ]),
  ...decision(2, [
    [
      'responses',
      'Responses have the configured spelling.',
      brand('with a brand, every reply and the document carry the branded spelling only'),
    ],
    [
      'default',
      'The default spelling is `service`.',
      brand('without a brand, no other word than the neutral one is anywhere'),
    ],
    [
      'requests',
      'Requests may have both spellings.',
      brand(
        'requests are understood in either spelling: queries, enum values, fields of bodies, also nested',
      ),
    ],
    [
      'values',
      'Values of users are never renamed.',
      brand('names, shared credentials, connection data and arguments of the user are never renamed'),
    ],
    [
      'one-list',
      'One file lists the branded names.',
      branding('branding: every branded name of the contract is in the list'),
    ],
    [
      'cost',
      'Without a brand nothing is done per request.',
      branding('branding: the default word changes no route and no schema'),
    ],
  ]),
  ...decision(3, [
    ['v3', 'v3 has flat maps of parameters.', MAP],
    ['v3.1', 'v3.1 has JSON Schema.', JSON_SCHEMA],
    [
      'nested',
      'The flat map has nested parameters.',
      testsOf('src/catalog/query/tool-parameters.test.ts')(
        'tool parameters: the flat form has one descriptor per parameter, also nested ones',
      ),
    ],
  ]),
  ...decision(4, [
    ['responses', 'Names of auth schemes are in upper case, managed ones of v3 in lower case.', MANAGED_CASE],
    [
      'requests',
      'Requests may have any case.',
      create('create auth config: toolkit and scheme are case-insensitive'),
    ],
  ]),
  ...decision(5, [
    ['tools', 'The default version of tools is 00000000_00 in v3 and latest in v3.1.', DEFAULT_VERSION],
    ['triggers', 'The default version of triggers is latest.', UPSERT],
  ]),
  ...decision(6, [
    [
      'clamp',
      'A limit above 1000 means 1000; the default is 20.',
      paging('a limit above 1000 is read as 1000, and without one a page has 20'),
    ],
    [
      'cursor',
      'A cursor is base64 of page and limit.',
      paging('pages follow each other by cursor, each item once, and the cursor is base64 of page and limit'),
    ],
    [
      'cursor-position',
      'Pages do not shift when rows are added, because the cursor has the last key.',
      paging(
        'lists: rows that are added while a client reads page after page are no reason to lose or repeat one',
      ),
    ],
    [
      'cursor-of-list',
      'A cursor of another list is rejected.',
      paging('lists: a cursor of another list, or with values of another type, is 400'),
    ],
  ]),
  ...decision(7, [
    [
      'catalogue',
      'Codes are unique and belong to their family.',
      catalogue('errors have codes of their own and of their family; an operation has no shared errors'),
    ],
    [
      '429',
      '429 has the envelope and a message at the top.',
      limits('rate limit: a rejected call gets the error envelope, the message and the headers'),
    ],
  ]),
  ...decision(8, [
    ['conflict', '409 has x-should-retry: false.', replies('a conflict is not worth repeating either')],
    [
      'executions',
      'Every response of execute, execute_meta, link and proxy has x-should-retry: false.',
      replies('responses to calls that must not be repeated automatically say so, errors included'),
    ],
    [
      'failure',
      'A failed tool is 200 with successful false.',
      requestToolResult(
        'result: an error of the provider is 200 with successful false, its status and its text',
      ),
    ],
  ]),
  ...decision(9, [
    ['status', 'An upsert returns 201 for a new instance and 200 for an existing one.', UPSERT],
    ['defaults', 'Configurations are compared after defaults.', UPSERT],
    ['user', 'With `user_id` only, the account of that user is used.', UPSERT],
  ]),
  ...decision(10, [
    ['two', '`webhook-signature` has two signatures.', TWO_SIGNATURES],
    [
      'verifiers',
      'Independent libraries accept the deliveries.',
      delivery(
        'delivery: the message has the bytes of its payload version; three independent verifiers accept it',
      ),
    ],
  ]),
  ...decision(11, [
    ['keys', 'Project keys are clear on v3 and masked on v3.1.', KEYS_SHOWN],
    ['webhook-secret', 'Webhook secrets of subscriptions are clear on v3 and masked on v3.1.', SUBSCRIPTION],
    [
      'project-secret',
      'The webhook secret of a project is clear on v3.',
      testsOf('src/features/webhooks/subscriptions/subscriptions.test.ts')(
        'project reads: show secret, version and time of the webhook; v3.1 and keys have it masked',
      ),
    ],
    [
      'stored',
      'No row of the database has a key in clear.',
      keys('project keys: no row of the database contains a key in clear'),
    ],
  ]),
]
