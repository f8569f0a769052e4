import { requirementsOf, type Requirement, type Row, testsOf } from './requirement.ts'

const mounts = testsOf('src/features/sessions/mounts/mounts.test.ts')
const endpoint = testsOf('src/features/sessions/endpoint/endpoint.test.ts')
const servers = testsOf('src/features/mcp-servers/routes.test.ts')
const mcp = testsOf('src/features/mcp-servers/endpoint/endpoint.test.ts')
const mcpAccounts = testsOf('src/features/mcp-servers/endpoint/accounts.test.ts')
const clients = testsOf('src/features/mcp-servers/client-configs.test.ts')
const files = testsOf('src/features/files/files.test.ts')

const area = (name: string, rows: readonly Row[]): Requirement[] =>
  requirementsOf('Sessions and MCP: contract', `router.${name}`, rows)

/** What the contract adds for MCP servers and files. */
export const ROUTER_MCP_AND_FILES: readonly Requirement[] = [
  ...area('mcp', [
    [
      'custom',
      'Creating a custom server returns six fields.',
      servers(
        'MCP servers: creating a custom server returns six fields, and a server with only tools gets their toolkits',
      ),
    ],
    [
      'generate',
      'One URL is generated for each account and each user.',
      servers('MCP servers: one URL is generated for each account and each user'),
    ],
    [
      'commands',
      'The printed commands work for every valid name.',
      clients('MCP servers: the command of each valid name adds the server under a name that is no option'),
    ],
    [
      'revisions',
      'Every revision of the protocol is supported.',
      mcp('MCP servers: every protocol revision is supported, and a newer one gets the newest supported one'),
    ],
    [
      'unknown-tool',
      'An unknown tool is a protocol error, a failed one a result.',
      mcp('MCP servers: an unknown tool or method is a protocol error, and a failed tool is a result'),
    ],
    [
      'access',
      'Access depends on the key, host, origin and identity.',
      mcp('MCP servers: access depends on the key, host, origin, identity and server id'),
    ],
    [
      'link',
      'A call without an account returns a link.',
      mcpAccounts(
        'MCP servers: a call without an account returns a connect link, the connection tool ' +
          'returns it in advance, and accounts of other auth configs are not used',
      ),
    ],
    [
      'listed',
      'Exactly the listed tools can be called.',
      mcpAccounts('MCP servers: for random configurations, exactly the listed tools can be called'),
    ],
    [
      'session-unlisted',
      'A tool that is not listed names the meta tool to use.',
      endpoint(
        'session MCP endpoint: a hidden tool is unknown, an unlisted tool names the meta tool to ' +
          'use, and a missing connection returns a link',
      ),
    ],
    [
      'session-key',
      'The endpoint of a session needs a key unless the project allows access without.',
      endpoint(
        'session MCP endpoint: a missing, deleted or foreign session gets the same 404, and a key ' +
          'is required unless the project allows access without it',
      ),
    ],
  ]),
  ...area('files', [
    [
      'upload',
      'Digest, type and size of an upload are checked, and equal requests share a file.',
      files('upload: digest, type and size are checked, and equal requests share one file'),
    ],
    [
      'foreign',
      'A missing, expired or foreign file is the same failure.',
      testsOf('src/engine/files/files.test.ts')(
        'files: a missing, expired or foreign file is the same failure, and nothing is sent',
      ),
    ],
    [
      'mount',
      'A file of a mount is uploaded, listed, downloaded and deleted.',
      mounts('session mounts: a file is uploaded, listed, downloaded, replaced and deleted'),
    ],
    [
      'mount-paths',
      'A path cannot leave the mount.',
      mounts('session mounts: a path cannot leave the mount'),
    ],
    [
      'mount-pages',
      'A list continues after the last path.',
      mounts('session mounts: a list continues after the last path, and a prefix is matched literally'),
    ],
    [
      'mount-lifetime',
      'Files end a day after their session.',
      mounts(
        'session mounts: files are separate by session and project, and expire a day after the session is deleted',
      ),
    ],
  ]),
]
