import type { Catalog, Toolkit } from '../../../catalog/index.ts'
import { toApiError } from '../../../platform/http/server/api-errors.ts'
import type { McpOutcome, McpTool } from '../../../platform/mcp/server/context.ts'
import { chooseSignIns } from '../../auth-configs/index.ts'
import { chooseServerAccount } from './choose-account.ts'
import type { McpCaller, RunToolDeps } from './run-tool.ts'

const TOOLKITS_MAX = 50

/** Defines the tool with which a model connects toolkits before it calls their tools. */
export const manageConnectionsTool = (name: string): McpTool => ({
  name,
  title: 'Manage connections',
  description:
    'Reports which toolkits of this server are connected for the user, and returns a link for each that is not. ' +
    'Show the links to the user, and continue after the user has connected.',
  inputSchema: {
    type: 'object',
    required: ['toolkits'],
    properties: {
      toolkits: { type: 'array', minItems: 1, items: { type: 'string' }, description: 'Slugs of toolkits.' },
      reinitiate_all: {
        type: 'boolean',
        default: false,
        description: 'Return a new link even for connected toolkits.',
      },
    },
  },
  annotations: {
    title: 'Manage connections',
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
})

interface ToolkitConnection {
  toolkit: string
  status: 'active' | 'initiated' | 'failed'
  has_active_connection: boolean
  [more: string]: unknown
}

/** Connects each toolkit separately: a toolkit that cannot be connected does not affect the others. */
export async function manageServerConnections(
  deps: RunToolDeps,
  caller: McpCaller,
  catalog: Catalog,
  { toolkits, reinitiate_all: reconnect = false }: Record<string, unknown>,
): Promise<McpOutcome> {
  if (
    !Array.isArray(toolkits) ||
    !toolkits.length ||
    toolkits.length > TOOLKITS_MAX ||
    toolkits.some((slug) => typeof slug !== 'string')
  ) {
    return {
      structured: {
        successful: false,
        data: {},
        error: `toolkits must be a list of 1 to ${TOOLKITS_MAX} slugs.`,
        log_id: null,
      },
      isError: true,
    }
  }
  const slugs = [...new Set((toolkits as string[]).map((slug) => slug.toLowerCase()))]
  const results: ToolkitConnection[] = []
  for (const slug of slugs)
    results.push(await connectToolkit(deps, caller, catalog, slug, reconnect === true))
  const count = (status: ToolkitConnection['status']) => results.filter((one) => one.status === status).length
  const summary = {
    total_toolkits: results.length,
    active_connections: count('active'),
    initiated_connections: count('initiated'),
    failed_connections: count('failed'),
  }
  const message =
    `${summary.active_connections} connected, ${summary.initiated_connections} waiting for the user, ` +
    `${summary.failed_connections} failed`
  return {
    structured: {
      successful: true,
      data: { message, results: Object.fromEntries(results.map((one) => [one.toolkit, one])), summary },
      error: null,
      log_id: null,
    },
    isError: false,
  }
}

async function connectToolkit(
  deps: RunToolDeps,
  caller: McpCaller,
  catalog: Catalog,
  slug: string,
  reconnect: boolean,
): Promise<ToolkitConnection> {
  const toolkit = caller.server.all_toolkits.includes(slug) ? catalog.toolkit(slug) : undefined
  if (!toolkit) return failedConnection(slug, `This server has no toolkit ${slug}.`)
  if (toolkit.noAuth)
    return {
      toolkit: slug,
      status: 'active',
      has_active_connection: true,
      instruction: 'No connection is needed.',
    }
  try {
    return await connectOrReport(deps, caller, toolkit, reconnect)
  } catch (error) {
    return failedConnection(slug, toApiError(error).message)
  }
}

/** Returns the active account of the toolkit, or a link for a new one. @throws ApiError */
async function connectOrReport(
  deps: RunToolDeps,
  caller: McpCaller,
  toolkit: Toolkit,
  reconnect: boolean,
): Promise<ToolkitConnection> {
  const { slug } = toolkit
  const { userId, accountId, missing } = await chooseServerAccount(deps, caller, slug)
  const configs = await deps.listAuthConfigs(caller.projectId, slug)
  const userAccounts =
    accountId || missing
      ? []
      : await deps.listUserAccounts(
          caller.projectId,
          userId as string,
          configs.map(({ id }) => id),
        )
  const active = userAccounts.find((account) => account.status === 'ACTIVE' && account.auth_config_enabled)
  const connectedId = accountId ?? active?.id
  if (connectedId && !reconnect)
    return {
      toolkit: slug,
      status: 'active',
      has_active_connection: true,
      connected_account_id: connectedId,
      was_reinitiated: false,
    }
  const ofServer = caller.server.configs.filter((config) => config.toolkit === slug && config.enabled)
  const [first, ...others] = chooseSignIns(
    toolkit,
    missing?.configs ?? (ofServer.length > 0 ? ofServer : configs),
  )
  if (first === undefined)
    return failedConnection(slug, 'The project has no enabled auth config for this toolkit.')
  const link = await deps.createConnectLink(
    caller.projectId,
    [first, ...others],
    userId as string,
    missing?.reconnectAccountId,
  )
  return {
    toolkit: slug,
    status: 'initiated',
    has_active_connection: Boolean(connectedId),
    connected_account_id: link.connected_account_id,
    redirect_url: link.redirect_url,
    instruction: 'Show this link to the user, and continue after the user has connected.',
    was_reinitiated: reconnect,
  }
}

const failedConnection = (slug: string, error_message: string): ToolkitConnection => ({
  toolkit: slug,
  status: 'failed',
  has_active_connection: false,
  error_message,
})
