import { type Static, Type } from '../schema-type.ts'
import { Described, Enum, exampleId, Nullable, UserId } from '../common.ts'
import { route } from '../route.ts'
import { SESSION_NOT_FOUND, SessionParams } from '../sessions/common.ts'
import { readAccess, ServerId } from './schemas.ts'

export const MCP_CLIENTS = [
  'claude_code',
  'claude_desktop',
  'cursor',
  'vscode',
  'chatgpt',
  'windsurf',
  'codex',
  'gemini_cli',
  'typescript',
  'python',
] as const

const Query = Type.Object({
  auth: Type.Optional(
    Enum(['sign_in', 'key'], {
      description:
        '`sign_in`: the client signs its user in with OAuth. `key`: the client sends a project key in ' +
        '`x-api-key`; the response has a placeholder for it. Default `sign_in`.',
    }),
  ),
})

const ClientConfig = Type.Object({
  client: Enum(MCP_CLIENTS, { description: 'The MCP client.' }),
  name: Type.String({ description: 'Name of the client, for people.' }),
  language: Enum(['shell', 'json', 'toml', 'typescript', 'python', 'text'], {
    description: 'Language of `text`.',
  }),
  file: Nullable(Type.String({ description: 'File that `text` belongs to. Null: run or paste it.' })),
  text: Type.String({ description: 'Command, configuration or program, complete except for the key.' }),
  hint: Type.String({ description: 'Where the text goes, in one sentence.' }),
  needs_https: Type.Boolean({
    description: 'Whether the client connects from the internet, and so needs a public https URL.',
  }),
})

export const ClientConfigs = Type.Object(
  {
    mcp_url: Type.String({ description: 'URL of the MCP endpoint.' }),
    key_placeholder: Type.String({ description: 'Text to replace by a project key wherever it occurs.' }),
    clients: Type.Array(ClientConfig, { description: 'One entry for each client.' }),
  },
  { $id: 'McpClientConfigs' },
)

export type ClientConfigs = Static<typeof ClientConfigs>

const DESCRIPTION =
  'An extension of this server. Returns what each MCP client needs: a command, a configuration file or a ' +
  'program, ready to copy. Programs always use a key; for the others `auth` decides.'

export const readMcpClientConfigs = route({
  ...readAccess,
  id: 'mcp.clientConfigs',
  method: 'GET',
  path: '/mcp/servers/:server_id/client_configs',
  summary: 'Read client configurations of an MCP server',
  description: DESCRIPTION,
  example: { params: { server_id: '6f0d0c6e-91a5-4a7e-8f31-3f2a8d1b7c55' }, needs: 'an MCP server' },
  params: Type.Object({ server_id: Described(ServerId, 'Id of the MCP server.') }),
  query: Type.Object({
    ...Query.properties,
    user_id: Type.Optional(
      Described(UserId, 'User of the calls. Needed with a key, which names no user. Default `default`.'),
    ),
  }),
  reply: ClientConfigs,
  errors: ['Mcp_ServerNotFound'],
})

export const readSessionClientConfigs = route({
  ...readAccess,
  id: 'sessions.clientConfigs',
  method: 'GET',
  path: '/tool_router/session/:session_id/client_configs',
  summary: 'Read client configurations of a session',
  description: DESCRIPTION,
  example: { params: { session_id: exampleId('trs') }, needs: 'a session' },
  params: SessionParams,
  query: Query,
  reply: ClientConfigs,
  errors: SESSION_NOT_FOUND,
})
