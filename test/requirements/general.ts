import { requirementsOf, type Requirement, testsOf } from './requirement.ts'

const sweep = testsOf('test/contract/sweep.test.ts')
const replies = testsOf('test/contract/replies.test.ts')
const acceptance = testsOf('test/acceptance/acceptance.test.ts')
const envelope = testsOf('src/platform/http/server/api-errors.test.ts')
const pages = testsOf('src/platform/http/paging.test.ts')
const servers = testsOf('src/features/mcp-servers/routes.test.ts')
const outbox = testsOf('src/features/events/outbox.test.ts')
const delivery = testsOf('src/features/webhooks/delivery/delivery.test.ts')
const webhooks = testsOf('src/features/webhooks/subscriptions/subscriptions.test.ts')
const operations = testsOf('test/requirements/operations.test.ts')
const behaviour = testsOf('test/requirements/behaviour.test.ts')

export const GENERAL: readonly Requirement[] = [
  ...requirementsOf('Purpose', 'purpose', [
    [
      'auth-configs',
      'A project defines how users authenticate with a toolkit.',
      acceptance('acceptance: an auth config and a connected account are created, read and deleted'),
    ],
    [
      'accounts',
      'A project creates and deletes connected accounts of its users.',
      acceptance('acceptance: an auth config and a connected account are created, read and deleted'),
    ],
    [
      'tools',
      'A project browses toolkits and tools, and executes a tool.',
      acceptance('acceptance: tools are listed, read and executed, and the execution is logged'),
    ],
    [
      'mcp',
      'A project creates MCP servers, and instances of them for its users.',
      acceptance('acceptance: an MCP server lists and calls its tools'),
    ],
    [
      'triggers',
      'A project creates trigger instances that listen to applications.',
      acceptance('acceptance: a trigger delivers a signed webhook'),
    ],
    [
      'sessions',
      'A project opens sessions and runs meta tools in them.',
      acceptance('acceptance: a session finds tools and runs them in a batch'),
    ],
    [
      'project',
      'A project configures itself, lists files, manages webhooks and converts legacy ids.',
      operations(
        'operations: the document of v3 has every operation, parameter and field that the specification has',
      ),
    ],
    [
      'json',
      'Requests and responses are application/json.',
      replies(
        'every operation that is built has a realistic call, and its reply is what the contract declares',
      ),
    ],
  ]),
  ...requirementsOf('Resources: error envelope', 'error', [
    [
      'always',
      'Every failing response has the envelope with all fields.',
      envelope('api errors: the envelope has all seven fields'),
    ],
    [
      'request-id',
      '`request_id` is that of the response header.',
      sweep('a sane request id of the caller comes back, any other is replaced by one of ours'),
    ],
  ]),
  ...requirementsOf('Resources: cursor page', 'cursor-page', [
    [
      'last',
      '`next_cursor` is null on the last page.',
      pages('paging: pages start at 1, and the last cursor is null'),
    ],
    ['complete', 'The cursors lead to every item once.', pages('paging: the cursors visit every item once')],
  ]),
  ...requirementsOf('Resources: numbered page', 'numbered-page', [
    [
      'numbers',
      '`total_pages` and `current_page` describe the page.',
      servers('MCP servers: a list has numbered pages, filters and a sort order'),
    ],
  ]),
  ...requirementsOf('Events', 'events', [
    [
      'subscription',
      'Events are delivered to the subscriptions that enabled their type.',
      outbox('outbox: an event has a delivery for each subscription that has its type enabled'),
    ],
    [
      'payload',
      'A delivery has the payload of the version of its subscription.',
      delivery(
        'delivery: the message has the bytes of its payload version; three independent verifiers accept it',
      ),
    ],
    [
      'project-webhook',
      'The webhook of a project can be read and set.',
      webhooks('project webhook: the older API uses the oldest subscription with trigger messages'),
    ],
    [
      'order',
      'Messages of a trigger arrive in order.',
      delivery(
        'delivery: messages of a trigger keep their order if one fails; no repeated event is delivered',
      ),
    ],
    [
      'retries',
      'Failed deliveries are repeated.',
      delivery(
        'delivery: redirects fail, Retry-After counts, the 8th failure is last, 410 disables, retry works',
      ),
    ],
  ]),
  ...requirementsOf('Errors', 'errors', [
    [
      'not-found',
      'Unknown paths and methods have the envelope.',
      sweep('an unknown path returns 404, an unknown method 405 with those that exist'),
    ],
    [
      'bodies',
      'Bodies that are too large, of another type or not JSON have their own errors.',
      sweep('a body that is too large, not JSON, or of another type is rejected with its own error'),
    ],
    [
      'validation',
      '`errors` lists what is wrong by field.',
      envelope('api errors: validation errors name the part of the request, and at most 50 are listed'),
    ],
    [
      'instance-precondition',
      'An instance without an account for every auth config is rejected.',
      servers(
        'MCP servers: an instance needs an account for every auth config, and deleting it deletes these accounts',
      ),
    ],
    [
      'empty-update',
      'An update of a webhook subscription without a field is rejected.',
      behaviour('webhook subscriptions: an update without a field is rejected'),
    ],
    [
      'declared',
      'Every operation declares its errors.',
      testsOf('src/platform/http/openapi/document.test.ts')(
        'OpenAPI document: an operation has its credential, its permission and its errors',
      ),
    ],
  ]),
]
