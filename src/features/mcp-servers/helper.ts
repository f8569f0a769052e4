import type { Catalog } from '../../catalog/index.ts'
import { toApiError } from '../../platform/http/failures.ts'
import type { McpOutcome, McpTool } from '../../platform/mcp/serve.ts'
import { type Caller, chooseAccount, type RunDeps } from './run.ts'

const TOOLKITS_MAX = 50

/** With it a model connects what is missing before it needs it. */
export const helperTool = (name: string): McpTool => ({
  name,
  title: 'Manage connections',
  description:
    'Tells which toolkits of this server are connected for the user, and answers a link for each that is not. Show the links to the user and go on when they have been followed.',
  inputSchema: {
    type: 'object',
    required: ['toolkits'],
    properties: {
      toolkits: { type: 'array', minItems: 1, items: { type: 'string' }, description: 'Slugs of toolkits.' },
      reinitiate_all: {
        type: 'boolean',
        default: false,
        description: 'Answer a new link even for what is connected.',
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

interface Told {
  toolkit: string
  status: 'active' | 'initiated' | 'failed'
  has_active_connection: boolean
  [more: string]: unknown
}

/** Answers each toolkit by itself: one that cannot be connected does not keep the others. */
export async function manageConnections(
  deps: RunDeps,
  caller: Caller,
  catalog: Catalog,
  { toolkits, reinitiate_all: again = false }: Record<string, unknown>,
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
  const results: Told[] = []
  for (const slug of slugs) results.push(await told(deps, caller, catalog, slug, again === true))
  const count = (status: Told['status']) => results.filter((one) => one.status === status).length
  const summary = {
    total_toolkits: results.length,
    active_connections: count('active'),
    initiated_connections: count('initiated'),
    failed_connections: count('failed'),
  }
  const message = `${summary.active_connections} connected, ${summary.initiated_connections} waiting for the user, ${summary.failed_connections} failed`
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

async function told(
  deps: RunDeps,
  caller: Caller,
  catalog: Catalog,
  slug: string,
  again: boolean,
): Promise<Told> {
  const failed = (error_message: string): Told => ({
    toolkit: slug,
    status: 'failed',
    has_active_connection: false,
    error_message,
  })
  const toolkit = caller.server.all_toolkits.includes(slug) ? catalog.toolkit(slug) : undefined
  if (!toolkit) return failed('The server has no such toolkit.')
  if (toolkit.noAuth)
    return {
      toolkit: slug,
      status: 'active',
      has_active_connection: true,
      instruction: 'No connection is needed.',
    }
  try {
    const { userId, accountId, missing } = await chooseAccount(deps, caller, slug)
    const configs = await deps.configsOf(caller.projectId, slug)
    const known =
      accountId ??
      (missing
        ? undefined
        : (await deps.accountsOfUser(caller.projectId, userId as string, configs)).find(
            ({ status, auth_config_enabled }) => status === 'ACTIVE' && auth_config_enabled,
          )?.id)
    if (known && !again)
      return {
        toolkit: slug,
        status: 'active',
        has_active_connection: true,
        connected_account_id: known,
        was_reinitiated: false,
      }
    const own = caller.server.configs.find((one) => one.toolkit === slug && one.enabled)?.id
    const configId = missing ? missing.configId : (own ?? configs[0])
    if (!configId) return failed('The project has no enabled auth config for this toolkit.')
    const link = await deps.link(caller.projectId, configId, userId as string, missing?.again)
    return {
      toolkit: slug,
      status: 'initiated',
      has_active_connection: Boolean(known),
      connected_account_id: link.connected_account_id,
      redirect_url: link.redirect_url,
      instruction: 'Show this link to the user, and go on when it has been followed.',
      was_reinitiated: again,
    }
  } catch (error) {
    return failed(toApiError(error).message)
  }
}
