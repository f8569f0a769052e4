import { type Static, Type } from '../schema-type.ts'
import { Described, Enum, Open } from '../common.ts'
import { META_TOOLS } from './common.ts'
import { CustomToolView } from './custom-tools.ts'

const Lists = {
  enabled: Type.Optional(Type.Array(Type.String(), { description: 'Values that are enabled.' })),
  disabled: Type.Optional(Type.Array(Type.String(), { description: 'Values that are disabled.' })),
}

const TagsInResponse = Type.Object({
  ...Lists,
  require_approval: Type.Optional(
    Type.Array(Type.String(), { description: 'Tags of tools whose calls need an approval.' }),
  ),
})

const ListsInResponse = Type.Object(Lists)

export const Config = Type.Object(
  {
    user_id: Type.String({ description: 'Id of the user that the session acts for.' }),
    toolkits: Type.Optional(Described(ListsInResponse, 'Toolkits of the session. Absent: all toolkits.')),
    auth_configs: Type.Record(Type.String(), Type.String(), {
      description: 'Ids of auth configs by toolkit slug.',
    }),
    connected_accounts: Type.Record(
      Type.String(),
      Type.Unknown({ description: 'v3: an id; v3.1: a list of ids.' }),
      {
        description: 'Connected accounts by toolkit slug. In v3 each value is an id, in v3.1 a list of ids.',
      },
    ),
    manage_connections: Type.Object(
      {
        enabled: Type.Boolean({
          description: 'Whether the session has a tool with which users connect accounts.',
        }),
        callback_url: Type.Optional(
          Type.String({ description: 'URL to which the browser returns after connecting.' }),
        ),
        enable_wait_for_connections: Type.Boolean({
          description: 'Whether the session has a tool that waits until users have connected.',
        }),
        enable_connection_removal: Type.Boolean({
          description: 'Whether users can delete connections with the tool.',
        }),
      },
      { description: 'Whether and how users connect accounts.' },
    ),
    tools: Type.Record(
      Type.String(),
      Type.Object({ ...Lists, tags: Type.Optional(Described(TagsInResponse, 'Tags of the tools.')) }),
      { description: 'Tools by toolkit slug.' },
    ),
    tags: Type.Optional(Described(TagsInResponse, 'Tags of the tools in all toolkits.')),
    workbench: Type.Object(
      {
        enable: Type.Boolean({ description: 'Whether the session has a remote workbench.' }),
        proxy_execution_enabled: Type.Boolean({
          description: 'Whether the workbench may send proxy requests.',
        }),
        auto_offload_threshold: Type.Number({
          description: 'Size in characters above which results are stored in the mount of the session.',
        }),
        sandbox_size: Type.String({ description: 'Size of the sandbox. Default `standard`.' }),
      },
      { description: 'Remote workbench.' },
    ),
    multi_account: Type.Object(
      {
        enable: Type.Boolean({ description: 'Whether a user may use several accounts of one toolkit.' }),
        max_accounts_per_toolkit: Type.Integer({
          description: 'Largest number of accounts for each toolkit. Default 5.',
        }),
        require_explicit_selection: Type.Boolean({
          description: 'Whether calls have to send `account` when there are several.',
        }),
      },
      { description: 'Use of several accounts of one toolkit.' },
    ),
    preload: Type.Object(
      { tools: Type.Unknown({ description: 'Slugs of tools, or `all`.' }) },
      { description: 'Tools that are listed next to the meta tools.' },
    ),
    search: Type.Object(
      { enable: Type.Boolean({ description: 'Whether the session has the tools that search.' }) },
      { description: 'Search for tools.' },
    ),
    execute: Type.Object(
      {
        enable_multi_execute: Type.Boolean({
          description: 'Whether the session has the tool that executes several tools.',
        }),
      },
      { description: 'Execution by meta tools.' },
    ),
    hooks: Type.Optional(Type.Array(Open({}), { description: 'Hooks of the session.' })),
  },
  { $id: 'SessionConfig' },
)

export type SessionConfigView = Static<typeof Config>

export const Session = Type.Object(
  {
    session_id: Type.String({ examples: ['trs_h3Pw7Yc0bR2k'], description: 'Id of the session, `trs_…`.' }),
    mcp: Type.Object(
      {
        type: Type.Literal('http', { description: 'Always `http`: the transport is streamable HTTP.' }),
        url: Type.String({ description: 'URL of the MCP server of the session.' }),
      },
      { description: 'MCP server of the session.' },
    ),
    tool_router_tools: Type.Array(Enum(META_TOOLS), {
      description: 'Slugs of the meta tools of the session.',
    }),
    config: Described(Config, 'Configuration of the session.'),
    config_version: Type.Integer({
      description: 'Version of the configuration, from 1. Each change adds 1.',
    }),
    warnings: Type.Array(
      Type.Object({
        code: Type.String({ description: 'Code of the warning.' }),
        message: Type.String({ description: 'Warning in plain text.' }),
      }),
      { description: 'Problems of the configuration that do not prevent the session.' },
    ),
    experimental: Type.Optional(
      Type.Object(
        {
          assistive_prompt: Type.Optional(
            Type.String({
              description:
                'System prompt for the language model. Only in the response that creates the session.',
            }),
          ),
          permissions: Type.Optional(
            Open({}, { description: 'Permissions of tools, as they were configured.' }),
          ),
          source_session_config: Type.Optional(
            Type.Object(
              { id: Type.String({ description: 'Id of the saved configuration, `sc_…`.' }) },
              { description: 'Saved configuration that the session was opened with.' },
            ),
          ),
          custom_tools: Type.Optional(
            Type.Array(CustomToolView, {
              description: 'Tools of the request that run in the process of the caller.',
            }),
          ),
          custom_toolkits: Type.Optional(
            Type.Array(
              Open({
                slug: Type.String({ description: 'Slug of the group.' }),
                name: Type.String({ description: 'Display name.' }),
                description: Type.String({ description: 'Description for the language model.' }),
                tools: Type.Array(CustomToolView, { description: 'Tools of the group.' }),
              }),
              { description: 'Groups of tools of the request that run in the process of the caller.' },
            ),
          ),
        },
        { description: 'Experimental fields.' },
      ),
    ),
  },
  { $id: 'Session' },
)

export type Session = Static<typeof Session>
