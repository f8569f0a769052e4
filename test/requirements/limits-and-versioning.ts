import { requirementsOf, type Requirement, testsOf } from './requirement.ts'

const reported = testsOf('test/requirements/reported-values.test.ts')
const paging = testsOf('test/contract/paging.test.ts')
const replies = testsOf('test/contract/replies.test.ts')
const servers = testsOf('src/features/mcp-servers/routes.test.ts')
const webhooks = testsOf('src/features/webhooks/subscriptions/subscriptions.test.ts')
const list = testsOf('src/features/tools/list-tools.test.ts')
const operations = testsOf('test/requirements/operations.test.ts')
const behaviour = testsOf('test/requirements/behaviour.test.ts')

const CURSOR = paging(
  'pages follow each other by cursor, each item once, and the cursor is base64 of page and limit',
)
const NAME = behaviour(
  'MCP servers: names have 4 to 30 letters, digits, spaces and hyphens, at creation and update',
)
const DEPRECATED = operations(
  'operations: the document marks the request fields that the specification deprecates',
)
const lists = testsOf('test/requirements/lists.test.ts')
const NOT_MORE_THAN = (resource: string) =>
  [
    `limit-${resource}`,
    `A page of ${resource} has at most 1000 items.`,
    // There are not as many trigger types.
    resource === 'trigger types'
      ? paging('a limit above 1000 is read as 1000, and without one a page has 20')
      : lists('lists: a page of tools, auth configs or files has 1000 items, also if more are requested'),
  ] as const

export const LIMITS_AND_VERSIONING: readonly Requirement[] = [
  ...requirementsOf('Limits', 'limits', [
    ...['auth configs', 'tools', 'trigger types', 'files'].map(NOT_MORE_THAN),
    [
      'mcp-limit',
      'The default limit of MCP server lists is 10.',
      behaviour(
        'MCP servers: lists are sorted by updated_at, newest first, with ten servers a page from page 1',
      ),
    ],
    [
      'page_no',
      '`page_no` starts at 1, the default.',
      behaviour(
        'MCP servers: lists are sorted by updated_at, newest first, with ten servers a page from page 1',
      ),
    ],
    ['cursor', 'A cursor is base64 of page and limit.', CURSOR],
    [
      'nullable',
      'An empty (null) query parameter is the default.',
      lists('nullable query parameters: an empty value is the default, in every list that has one'),
    ],
    ['first-page', 'Without a cursor the first page is returned.', CURSOR],
    ['name', 'Names of MCP servers have 4 to 30 letters, digits, spaces and hyphens.', NAME],
    [
      'webhook_url',
      '`webhook_url` is an https URL.',
      webhooks(
        'webhook_url: must be public, https and without credentials; a loopback URL needs EGRESS_ALLOW',
      ),
    ],
  ]),
  ...requirementsOf('Versioning', 'versioning', [
    [
      'prefix',
      'All paths begin with /api/v3.',
      replies('every operation and both versions are in the served API description, and nothing else is'),
    ],
    [
      'mcp-path',
      'MCP URLs have the path /v3/mcp/.',
      servers('MCP servers: a server has the specified fields and the toolkits of its auth configs'),
    ],
    [
      'session-path',
      'MCP URLs of sessions have the path /tool_router/v3/.',
      testsOf('src/features/sessions/routes.test.ts')(
        'sessions: the response contains the whole configuration with its defaults',
      ),
    ],
    [
      'legacy-ids',
      'Legacy UUIDs are converted for all three kinds of resources.',
      behaviour('migration: the legacy id of an account, an auth config and a trigger is converted'),
    ],
    [
      'format',
      'Versions have the form YYYYMMDD_NN.',
      behaviour('versions: every version in a response has the form YYYYMMDD_NN'),
    ],
    [
      'toolkit_versions',
      '`toolkit_versions` is latest or a mapping in brackets.',
      list('tool versions: toolkit_versions is one version for all toolkits, or one for each toolkit'),
    ],
    [
      'toolkit-default',
      'A toolkit is read in its latest version.',
      testsOf('src/features/toolkits/toolkits.test.ts')(
        'a version shows the toolkit as it was then; one that never was is not found',
      ),
    ],
    [
      'execute-default',
      'A tool is executed in version 00000000_00 by default.',
      behaviour('execute: without a version the first version of v3 runs, and the newest of v3.1'),
    ],
    [
      'include_deprecated',
      '`include_deprecated` is true by default.',
      list('list tools: each filter selects its tools; important tools come first, then by slug'),
    ],
    [
      'trigger-versions',
      'Trigger types show `available_versions`.',
      reported('trigger types: available_versions are the versions of the toolkit, as for tools'),
    ],
    [
      'webhook-versions',
      'Webhook payloads have the versions V1, V2 and V3.',
      webhooks(
        'event types: each has its payload versions, and a subscription with another version is rejected',
      ),
    ],
    ['deprecated-fields', 'Deprecated request fields are accepted and documented as deprecated.', DEPRECATED],
  ]),
]
