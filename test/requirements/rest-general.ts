import { type Evidence, requirementsOf, type Requirement, type Row, testsOf } from './requirement.ts'

const sweep = testsOf('test/contract/sweep.test.ts')
const replies = testsOf('test/contract/replies.test.ts')
const paging = testsOf('test/contract/paging.test.ts')
const catalogue = testsOf('test/requirements/error-catalogue.test.ts')
const limits = testsOf('src/platform/http/middleware/rate-limit.test.ts')
const envelope = testsOf('src/platform/http/server/api-errors.test.ts')
const authenticate = testsOf('src/features/projects/api-keys/authenticate.test.ts')
const keys = testsOf('src/features/projects/api-keys/keys.test.ts')
const leaked = testsOf('src/features/projects/api-keys/leaked-keys.test.ts')
const projects = testsOf('src/features/projects/projects.test.ts')
const readAuthConfig = testsOf('src/features/auth-configs/read.test.ts')
const missing = testsOf('src/catalog/query/missing-names.test.ts')

const area = (name: string, rows: readonly Row[]): Requirement[] =>
  requirementsOf('REST: areas', `rest.${name}`, rows)

const CATALOGUE: Evidence = catalogue(
  'error catalogue: each condition of the contract has its status, its code and its slug',
)

/** General rules of the contract of the REST API: ids, keys, headers, queries, limits and errors. */
export const REST_GENERAL: readonly Requirement[] = [
  ...area('ids', [
    [
      'prefixes',
      'Ids have the prefix of their kind, and letters and digits after it.',
      catalogue('ids: each kind has its prefix, followed by letters and digits'),
    ],
    [
      'wrong-kind',
      'An id of another kind is rejected before anything is looked up.',
      readAuthConfig('an id of another kind is rejected before anything is looked up'),
    ],
    [
      'project-spelling',
      'Ids of projects are accepted with `pr_` and `proj_`.',
      projects('an id may be spelled pr_ or proj_'),
    ],
  ]),
  ...area('keys', [
    [
      'one-header',
      'Two credential headers are 401, even if each alone is valid.',
      sweep('two credential headers are rejected even if each alone is valid'),
    ],
    [
      'kinds',
      'A key of another kind in `x-api-key` is 401 with its kind, and is not repeated.',
      authenticate('authentication: a key of another kind in x-api-key is reported by kind and not repeated'),
    ],
    [
      'masked',
      'Errors show a key by its prefix and its last four characters.',
      authenticate('authentication: an unknown key is rejected and shown masked'),
    ],
    [
      'areas',
      'A restricted key without the area or level is 403, code 812.',
      authenticate('key permissions: each area and level allows its own operations only'),
    ],
    [
      'scoped-routes',
      'Every operation belongs to the area that the contract names.',
      sweep('a scoped key opens what it was made for and nothing else'),
    ],
    [
      'allowed-ips',
      'Keys can be restricted to IP addresses.',
      authenticate('allowed IPs: a restricted key works from these IP addresses only'),
    ],
    [
      'regenerate',
      'Regenerating the key of a project ends all earlier ones at once.',
      keys('regenerate key: creates one key and revokes all earlier ones immediately, cached ones too'),
    ],
    [
      'revocation',
      '`POST /api_key_revocation` takes up to 100 keys without a credential, and tells nobody which text was one.',
      leaked(
        'leaked keys: the operation of the API revokes keys, without a credential, and tells nobody which text was one',
      ),
    ],
  ]),
  ...area('headers', [
    [
      'request-id',
      'A request id of the caller of at most 64 characters is returned.',
      sweep('a sane request id of the caller comes back, any other is replaced by one of ours'),
    ],
    [
      'rate-limit',
      'Responses have X-RateLimit, X-RateLimit-Remaining and X-RateLimit-Window-Size.',
      replies(
        'every operation that is built has a realistic call, and its reply is what the contract declares',
      ),
    ],
    [
      'should-retry',
      'Calls that must not be repeated, and conflicts, have `x-should-retry: false`.',
      replies('responses to calls that must not be repeated automatically say so, errors included'),
    ],
    [
      'deprecation',
      'Operations that v3.1 deprecates have the header `Deprecation`.',
      testsOf('test/contract/openapi.test.ts')(
        'OpenAPI document: a deprecated operation is marked in the version that deprecates it',
      ),
    ],
  ]),
  ...area('queries', [
    [
      'lists',
      'Lists are joined by commas, repeated or in brackets; blanks and empty items are dropped.',
      paging('a list may be joined by commas, repeated, or bracketed; blanks and empty items are dropped'),
    ],
    [
      'objects',
      'Objects are written in brackets.',
      paging('an object in the query is written with brackets, its plain form stays possible'),
    ],
    [
      'cursor-wins',
      'The limit of a cursor has priority over `limit`, and a malformed cursor is 400.',
      testsOf('src/platform/http/paging.test.ts')(
        'paging: the cursor of page 2 is Mi0yMA==, and its limit has priority',
      ),
    ],
    [
      'union-errors',
      'An invalid value of a parameter with several types has the error of the type that was meant.',
      testsOf('src/platform/http/server/union-issues.test.ts')(
        'unions: an invalid value has the errors of the variant of its type only',
      ),
    ],
  ]),
  ...area('fields', [
    [
      'limits',
      'Names, slugs, user ids, lists and queries have their limits.',
      testsOf('test/requirements/limits.test.ts')(
        'limits: fields of requests have the limits that the specification and its contracts name',
      ),
    ],
  ]),
  ...area('rate-limits', [
    [
      'window',
      'Windows have a minute, and one budget counts all operations of the organization.',
      testsOf('test/contract/limits.test.ts')(
        'one budget counts every operation of the organization, its failures included',
      ),
    ],
    [
      'response',
      'A rejected call is 429 with the envelope, `message` at the top and Retry-After.',
      limits('rate limit: a rejected call gets the error envelope, the message and the headers'),
    ],
  ]),
  ...area('errors', [
    ['conditions', 'Each condition has its status, code and slug.', CATALOGUE],
    [
      'details',
      'Errors of validation read `Error in <part>.<path>: <reason>`.',
      envelope('api errors: a validation error reads `Error in <part>.<path>: <reason>`'),
    ],
    [
      'families',
      'Codes belong to the family of their slug.',
      testsOf('test/contract/bounds.test.ts')(
        'errors have codes of their own and of their family; an operation has no shared errors',
      ),
    ],
    [
      'tenants',
      'An id of another project gets the response of a missing one.',
      testsOf('test/contract/tenants.test.ts')(
        'in every path, the id of another project gets the same response as one that does not exist',
      ),
    ],
    [
      'meta-tools',
      'The error of a meta tool that is executed outside a session says where it works.',
      missing('unknown tools: a meta tool leads to the operation of sessions, in each brand'),
    ],
  ]),
]
