import { requirementsOf, type Requirement, testsOf } from './requirement.ts'

const routes = testsOf('src/features/sessions/routes.test.ts')
const routesSavedAndCustom = testsOf('src/features/sessions/saved-and-custom.test.ts')
const meta = testsOf('src/features/sessions/meta-tools/meta-tools.test.ts')
const metaConnections = testsOf('src/features/sessions/meta-tools/connections.test.ts')
const metaBatches = testsOf('src/features/sessions/meta-tools/batches.test.ts')
const recipesRecipeTools = testsOf('src/features/sessions/recipes/recipe-tools.test.ts')
const tools = testsOf('src/features/sessions/tools/routes.test.ts')
const endpoint = testsOf('src/features/sessions/endpoint/endpoint.test.ts')
const visibility = testsOf('src/catalog/query/visibility.test.ts')
const behaviour = testsOf('test/requirements/behaviour.test.ts')
const workbench = testsOf('src/features/sessions/workbench/workbench.test.ts')

const WORKBENCH = workbench('workbench: Python and bash in a session')
const WHOLE = routes('sessions: the response contains the whole configuration with its defaults')
const INVALID = routes('sessions: invalid fields are rejected by name, all at once')
const ORDER = visibility('visibility: filters apply in the order of the specification')
const ACCOUNT = tools(
  "session tools: the account is the named one, else one of the configured auth config, else the user's latest",
)

export const SESSIONS: readonly Requirement[] = [
  ...requirementsOf('Resources: session', 'session', [
    ['mcp-type', '`mcp.type` is http.', WHOLE],
    ['mcp-url', '`mcp.url` is {app_url}/tool_router/v3/{session_id}/mcp.', WHOLE],
    ['config', '`config` has the whole configuration.', WHOLE],
    ['meta-tools', '`tool_router_tools` lists the meta tools of the session.', WHOLE],
  ]),
  ...requirementsOf('Endpoints: sessions', 'sessions.create', [
    ['user_id', '`user_id` is required.', INVALID],
    ['toolkits', '`toolkits` is either an allow list or a deny list.', INVALID],
    ['toolkit-lists', 'Only tools of visible toolkits can be used.', ORDER],
    ['auth_configs', '`auth_configs` sets the auth config of a toolkit.', ACCOUNT],
    ['connected_accounts', '`connected_accounts` sets the account of a toolkit.', ACCOUNT],
    [
      'manage_connections',
      '`manage_connections` is enabled by default, without waiting for connections.',
      WHOLE,
    ],
    ['tools', '`tools` has an allow list, a deny list or a tag filter for each toolkit.', ORDER],
    ['tags', 'An enabled tool has at least one enabled tag, and no disabled one.', ORDER],
    [
      'tags-as-list',
      '`tags` as a list is the list of enabled tags.',
      behaviour('sessions: tags as a list are the enabled tags'),
    ],
    ['toolkit-tags', 'Tags of a toolkit override those of the session.', ORDER],
    ['lists-over-tags', 'Lists of a toolkit take precedence over tags.', ORDER],
    ['workbench', '`workbench.enable_proxy_execution` is true by default.', WHOLE],
    [
      'workbench-effect',
      '`workbench.enable_proxy_execution` decides whether code in the sandbox may send requests.',
      WORKBENCH,
    ],
    [
      'experimental',
      '`experimental` fields are accepted.',
      routesSavedAndCustom('custom tools: create and attach return final slugs and store nothing'),
    ],
  ]),
  ...requirementsOf('Endpoints: sessions', 'sessions.execute_meta', [
    [
      'search',
      'SERVICE_SEARCH_TOOLS finds tools.',
      meta(
        'meta tool search: returns a result per query, full schemas of primary tools, plans, connection statuses ' +
          'and next steps',
      ),
    ],
    [
      'multi-execute',
      'SERVICE_MULTI_EXECUTE_TOOL runs several tools.',
      metaBatches(
        'meta tool batch: items of one missing connection share a link, the others run, and memory is stored per user',
      ),
    ],
    [
      'manage-connections',
      'SERVICE_MANAGE_CONNECTIONS starts, lists and removes connections.',
      metaConnections(
        'meta tool manage connections: handles toolkits separately, continues started connections, and lists, ' +
          'renames and removes accounts',
      ),
    ],
    [
      'wait',
      'SERVICE_WAIT_FOR_CONNECTIONS waits until users have connected.',
      metaConnections(
        'meta tool wait for connections: ends when all or any are connected, or after 45 seconds',
      ),
    ],
    [
      'schemas',
      'SERVICE_GET_TOOL_SCHEMAS returns the schemas of tools.',
      meta(
        'meta tool get schemas: output schemas are returned on request, and only unknown slugs are an error',
      ),
    ],
    [
      'recipes',
      'SERVICE_UPSERT_RECIPE and SERVICE_GET_RECIPE store and return recipes.',
      recipesRecipeTools(
        'recipes: are saved in versions, found by search and run as one tool, only for their user',
      ),
    ],
    ['workbench', 'SERVICE_REMOTE_WORKBENCH runs code.', WORKBENCH],
    ['bash', 'SERVICE_REMOTE_BASH_TOOL runs commands.', WORKBENCH],
    [
      'arguments',
      'Invalid arguments are reported with the way to fix them.',
      meta(
        'meta tools: invalid arguments, even a megabyte of them, return an error that says how to fix them',
      ),
    ],
    [
      'log',
      '`log_id` names the log of the call.',
      tools('session tools: meta tools run through three endpoints, and their calls are logged under them'),
    ],
    [
      'mcp',
      'The MCP endpoint of a session offers the same tools.',
      endpoint(
        'session MCP endpoint: the official client searches, runs tools and reads results at the returned URL',
      ),
    ],
  ]),
]
