import { requirementsOf, type Requirement, type Row, testsOf } from './requirement.ts'

const choose = testsOf('src/engine/pipeline/choose-connection.test.ts')
const toolkits = testsOf('src/features/toolkits/toolkits.test.ts')
const tools = testsOf('src/features/tools/list-tools.test.ts')
const select = testsOf('src/catalog/query/select.test.ts')
const proxy = testsOf('src/engine/proxy.test.ts')
const proxyLimits = testsOf('src/engine/proxy-limits.test.ts')
const result = testsOf('src/engine/http/tool-result.test.ts')
const instances = testsOf('src/features/triggers/instances/instances.test.ts')
const endpoints = testsOf('src/features/triggers/push/endpoints/endpoints.test.ts')
const webhooks = testsOf('src/features/webhooks/subscriptions/subscriptions.test.ts')
const attempt = testsOf('src/features/webhooks/delivery/attempt.test.ts')
const delivery = testsOf('src/features/webhooks/delivery/delivery.test.ts')

const area = (name: string, rows: readonly Row[]): Requirement[] =>
  requirementsOf('REST: resources', `rest.${name}`, rows)

/** What the contract of the REST API adds for toolkits, tools, triggers and webhooks. */
export const REST_TOOLKITS_AND_TRIGGERS: readonly Requirement[] = [
  ...area('toolkits', [
    [
      'filters',
      'Lists are filtered by category, provenance and search, and sorted.',
      toolkits('each filter leaves what it names, in the order that is asked for'),
    ],
    [
      'search',
      'A search has at least three characters.',
      toolkits(
        'a value of another kind, or a search of less than three characters, is rejected with its name',
      ),
    ],
    [
      'multi',
      'Chosen toolkits are listed, unknown ones left out.',
      toolkits('chosen toolkits are listed in any case, unknown ones are left out, and no choice is all'),
    ],
    ['categories', 'Categories are one page.', toolkits('the categories are one page, by id')],
    [
      'changelog',
      'The changelog has the last ten versions.',
      toolkits('the changelog has the last ten versions of each toolkit, newest first'),
    ],
  ]),
  ...area('tools', [
    [
      'important',
      'A toolkit without important tools is listed whole.',
      select('tool list: `important` filters, except in a selected toolkit without important tools'),
    ],
    [
      'enum',
      '`/tools/enum` is a list of slugs.',
      tools('tool slugs: the response is a list of the slugs of all tools'),
    ],
    [
      'scopes',
      'Required scopes are those of tools of one toolkit.',
      tools(
        'required scopes: the scopes of tools of one toolkit are combined, with the first of alternatives',
      ),
    ],
    [
      'invalid-arguments',
      'Invalid arguments are a failed result that names them.',
      testsOf('src/engine/http/egress-request.test.ts')(
        'arguments: invalid arguments are a failure of the tool that names them, and nothing is sent',
      ),
    ],
    [
      'failure-data',
      'A failed result has http_error, status_code and message.',
      result('result: an error of the provider is 200 with successful false, its status and its text'),
    ],
    [
      'refresh-once',
      'After a 401 the token is refreshed and the call repeated, once.',
      testsOf('src/features/connected-accounts/token-refresh/refresh.test.ts')(
        'token refresh: a 401 refreshes the token once and repeats the call once',
      ),
    ],
    [
      'toolkit-slug',
      'Connection data of another toolkit is rejected.',
      choose(
        'account: connection data of another toolkit, an unknown scheme, or without required values is 400',
      ),
    ],
    [
      'size',
      'A result of more than the limit fails with 413 in the text.',
      testsOf('src/features/logs/interrupted-calls.test.ts')(
        'execute: a timeout is 504, and a response over the limit of the tool fails with 413',
      ),
    ],
    [
      'proxy',
      'A proxy request returns the status of the provider.',
      proxy('proxy: a request goes below the base URL with credentials of the account; its response returns'),
    ],
    [
      'proxy-site',
      'A proxy request never sends credentials to another site.',
      proxyLimits('proxy: no URL or redirect sends credentials to another site, and no caller replaces them'),
    ],
    [
      'proxy-authorization',
      'The header `Authorization` of the caller replaces no credential.',
      proxyLimits(
        'proxy: a credential in the query or Authorization cannot be replaced; no error contains one',
      ),
    ],
    [
      'proxy-bytes',
      'Bytes are sent and returned unchanged.',
      proxy('proxy: JSON, forms, texts and bytes are sent and returned unchanged'),
    ],
  ]),
  ...area('triggers', [
    [
      'rejections',
      'Configurations, intervals and accounts that cannot work have their codes.',
      instances('trigger: a request that cannot work is rejected with an explanation, and stores nothing'),
    ],
    [
      'list',
      'Instances are listed by every filter, disabled ones on request.',
      instances('triggers: listed by every filter, with the state of polling; disabled ones only on request'),
    ],
    [
      'gone',
      'A deleted instance is 410.',
      instances(
        'trigger: enabling twice succeeds, a deleted one is 410, one of a disabled account stays off',
      ),
    ],
    [
      'endpoints',
      'Webhook endpoints have setup fields, masked and merged.',
      endpoints(
        'setup fields are described, checked, encrypted, masked, merged and replaced; other projects cannot read them',
      ),
    ],
    [
      'older-url',
      'The older URL with the project accepts the same deliveries.',
      endpoints('the older URL, which contains the project, accepts the same deliveries'),
    ],
    [
      'realtime',
      'Realtime credentials and authorization work with the client library.',
      testsOf('src/features/realtime/realtime.test.ts')(
        'the credentials name this server for the client library, and a form authorizes as JSON does',
      ),
    ],
  ]),
  ...area('webhooks', [
    [
      'versions',
      'Event types have payload versions; others are rejected.',
      webhooks(
        'event types: each has its payload versions, and a subscription with another version is rejected',
      ),
    ],
    [
      'rotation',
      'A former secret is valid for the requested time.',
      webhooks('secret rotation: the former secret is valid for the requested time'),
    ],
    [
      'vector',
      'The first signature equals the published test vector.',
      attempt('signature: each secret has two, and the first equals the published test vector'),
    ],
    [
      'private',
      'A host that resolves to a private IP address receives nothing.',
      attempt('attempt: a host name that resolves to a private IP address later is rejected'),
    ],
    [
      'retries',
      'Delays follow the schedule, within a fifth.',
      attempt(
        'retries: delays follow the schedule within a fifth, and Retry-After can extend one by up to a day',
      ),
    ],
    [
      'disabling',
      'Five days of failures disable a subscription, and an update enables it.',
      delivery(
        'delivery: five days of failures disable a subscription, an update enables it; old secrets sign',
      ),
    ],
    [
      'older',
      'The webhook of the project is that of the subscription.',
      webhooks('project webhook: the older API uses the oldest subscription with trigger messages'),
    ],
  ]),
]
