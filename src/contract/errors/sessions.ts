import type { ErrorDefinition } from './definition.ts'

/** Errors of sessions (43xx). */
export const SESSION_ERRORS = {
  ToolRouterV2_SessionNotFound: {
    code: 4300,
    status: 404,
    fix: 'Create a session with POST /tool_router/session and use its session_id.',
  },
  ToolRouterV2_InvalidConfig: {
    code: 4301,
    status: 400,
    fix: 'Correct the fields in errors and send the request again.',
  },
  ToolRouterV2_NoActiveConnection: {
    code: 4302,
    status: 400,
    fix: 'Connect an account of the toolkit first, with POST /tool_router/session/{session_id}/link.',
  },
  ToolRouterV2_AccountRequired: {
    code: 4303,
    status: 400,
    fix: 'Send `account` with one of the accounts in the message.',
  },
  ToolRouterV2_NoAuthConfig: {
    code: 4304,
    status: 404,
    fix: 'Create an auth config for the toolkit, or set one in auth_configs of the session.',
  },
  ToolRouterV2_AccountPinned: {
    code: 4305,
    status: 400,
    fix: 'Remove the toolkit from connected_accounts of the session to connect another account.',
  },
  ToolRouterV2_MetaToolDisabled: {
    code: 4306,
    status: 400,
    fix:
      'Use one of tool_router_tools of the session. PATCH can enable the others. REMOTE_WORKBENCH and ' +
      'REMOTE_BASH_TOOL also need a server with WORKBENCH_DRIVER.',
  },
  ToolRouterV2_LocalTool: {
    code: 4307,
    status: 400,
    fix: 'Execute the tool in your own process, which has its function. The SDK does that automatically.',
  },
  ToolRouterV2_MountNotFound: {
    code: 4308,
    status: 404,
    fix: 'Use the mount `files`. Sessions have no other mount.',
  },
  ToolRouterV2_ConfigVersionConflict: {
    code: 4309,
    status: 409,
    fix: 'Read the session, and send the change with its config_version.',
  },
  ToolRouterV2_SessionExists: {
    code: 4310,
    status: 409,
    fix: 'Use the session that the user has, or another configuration.',
  },
  ToolRouterV2_SavedConfigNotFound: {
    code: 4311,
    status: 404,
    fix:
      'List the saved configurations with GET /tool_router/session_configs, and use the id ' +
      'of one that is not archived.',
  },
  ToolRouterV2_SavedConfigConflict: {
    code: 4312,
    status: 409,
    fix: 'Use another name, or archive the other configuration.',
  },
  ToolRouterV2_RecipeNotFound: {
    code: 4313,
    status: 404,
    fix: 'List the recipes with GET /recipes, and use the id of one.',
  },
  ToolRouterV2_MemoryNotFound: {
    code: 4314,
    status: 404,
    fix: 'List the memories with GET /memories, and use the id of one.',
  },
} as const satisfies Record<string, ErrorDefinition>
