import { requirementsOf, type Requirement, type Row, testsOf } from './requirement.ts'

const routes = testsOf('src/features/sessions/routes.test.ts')
const updates = testsOf('src/features/sessions/updates.test.ts')
const custom = testsOf('src/features/sessions/saved-and-custom.test.ts')
const lists = testsOf('src/features/sessions/tools/lists.test.ts')
const tools = testsOf('src/features/sessions/tools/routes.test.ts')
const hooks = testsOf('src/features/sessions/hooks/hooks.test.ts')
const meta = testsOf('src/features/sessions/meta-tools/meta-tools.test.ts')
const batches = testsOf('src/features/sessions/meta-tools/batches.test.ts')
const connections = testsOf('src/features/sessions/meta-tools/connections.test.ts')
const parts = testsOf('src/features/sessions/meta-tools/search-and-batch.test.ts')
const recipes = testsOf('src/features/sessions/recipes/recipe-tools.test.ts')
const workbench = testsOf('src/features/sessions/workbench/workbench.test.ts')
const endpoint = testsOf('src/features/sessions/endpoint/endpoint.test.ts')
const visibility = testsOf('src/catalog/query/visibility.test.ts')

const area = (name: string, rows: readonly Row[]): Requirement[] =>
  requirementsOf('Sessions and MCP: contract', `router.${name}`, rows)

/** What the contract adds for sessions and meta tools. */
export const ROUTER_SESSIONS: readonly Requirement[] = [
  ...area('sessions', [
    [
      'invalid',
      'Unknown toolkits, tools, accounts and tags are rejected by name, all at once.',
      routes('sessions: invalid fields are rejected by name, all at once'),
    ],
    [
      'defaults',
      'The response has every block with its default.',
      routes('sessions: the response contains the whole configuration with its defaults'),
    ],
    [
      'order',
      'Lists, tags of a toolkit and tags of the session have their order.',
      visibility('visibility: filters apply in the order of the specification'),
    ],
    [
      'everywhere',
      'A hidden tool is in no search, list, schema or call.',
      endpoint(
        'session MCP endpoint: for random configurations, exactly the tools in search, lists and schemas can be run',
      ),
    ],
    [
      'account',
      'The account is the named one, else one of the auth config, else the latest.',
      tools(
        "session tools: the account is the named one, else one of the configured auth config, else the user's latest",
      ),
    ],
    [
      'update',
      'An update replaces lists, merges switches, and null restores the default.',
      updates('sessions: an update replaces lists, merges switches, and resets null to the default'),
    ],
    [
      'not-found',
      'An unknown, deleted or foreign session is the same 404 everywhere.',
      updates('sessions: an unknown, deleted or foreign id gets the same 404 from every endpoint'),
    ],
    [
      'tools',
      'The list has the meta tools and the preloaded tools.',
      lists(
        'session tools: lists contain meta tools and preloaded tools, and toolkits with their connections',
      ),
    ],
    [
      'execute',
      'A call returns the result of the tool; a hidden tool is not found.',
      tools('session tools: a call returns the tool result, and a hidden tool is not found'),
    ],
    [
      'offload',
      'With offload, a large result is stored, and its beginning returned.',
      tools(
        'session tools: with offload, a large result is stored in the mount and its beginning is returned',
      ),
    ],
    [
      'link',
      'A link uses the auth config of the project, for toolkits without a named account.',
      lists(
        'session tools: a connect link uses the auth config of the project, for visible toolkits ' +
          'without a pinned account',
      ),
    ],
    [
      'proxy',
      'A proxy request uses the account of the session.',
      lists('session tools: a proxy request uses the account of the session'),
    ],
    [
      'custom',
      'Custom tools have final slugs and are not stored.',
      custom('custom tools: create and attach return final slugs and store nothing'),
    ],
    [
      'saved',
      'A session copies the filters of a saved configuration.',
      custom(
        'saved configs: a session copies the saved filters, and archived, foreign and unknown configs are rejected',
      ),
    ],
    [
      'labs',
      'The older endpoint creates one session per user and configuration.',
      custom('sessions: the older endpoint creates one session per user and configuration'),
    ],
    [
      'hooks',
      'A hook receives a signed message and decides.',
      hooks('session hooks: the receiver gets a signed message and decides'),
    ],
    [
      'execute-permission',
      'A key that may execute tools executes in sessions.',
      custom('sessions: a key with only the execute permission can execute in sessions, and nothing else'),
    ],
  ]),
  ...area('meta-tools', [
    [
      'search',
      'A search has a result per query, schemas, plans and statuses.',
      meta(
        'meta tool search: returns a result per query, full schemas of primary tools, plans, ' +
          'connection statuses and next steps',
      ),
    ],
    [
      'schemas',
      'Unknown slugs are listed with suggestions.',
      meta(
        'meta tool get schemas: output schemas are returned on request, and only unknown slugs are an error',
      ),
    ],
    [
      'hidden',
      'A hidden tool is neither found nor described nor run.',
      meta('meta tools: a hidden tool is not found, described, suggested or run'),
    ],
    [
      'plain-objects',
      'Input schemas are plain objects that every vendor accepts.',
      parts('meta tools: input schemas fit every model vendor, and every field has a description'),
    ],
    [
      'batch',
      'Items run at once, and results keep their order.',
      parts(
        'batch: items run concurrently, results keep their order, and a bad or too large item fails alone',
      ),
    ],
    [
      'batch-file',
      'Large results of a batch are in a file.',
      batches('meta tool batch: large results are stored in a file, and their beginnings are returned'),
    ],
    [
      'memory',
      'Memory is one line a sentence, without secrets.',
      parts('memory: sentences are one line each, without secrets, and keep ids'),
    ],
    [
      'connections',
      'Connections of toolkits are handled one by one.',
      connections(
        'meta tool manage connections: handles toolkits separately, continues started connections, ' +
          'and lists, renames and removes accounts',
      ),
    ],
    [
      'wait',
      'Waiting ends after 45 seconds.',
      connections('meta tool wait for connections: ends when all or any are connected, or after 45 seconds'),
    ],
    [
      'recipes',
      'Recipes are saved in versions, for their user.',
      recipes('recipes: are saved in versions, found by search and run as one tool, only for their user'),
    ],
    [
      'workbench',
      'Variables of Python stay between calls.',
      workbench('workbench: Python and bash in a session'),
    ],
    [
      'time-limit',
      'A time limit ends the code and keeps the variables.',
      workbench('workbench: a time limit ends the code, and keeps the variables'),
    ],
  ]),
]
