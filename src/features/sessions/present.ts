import type { TagLists } from '../../catalog/index.ts'
import type { ApiVersion } from '../../contract/route.ts'
import type { Session, SessionConfigView } from '../../contract/sessions.ts'
import { type SessionConfig, type SessionTags, type SessionToolLists, settled } from './config.ts'
import { listedMetaTools, type MetaTools } from './meta.ts'
import type { SessionRow } from './store.ts'

export interface PresentDeps {
  publicUrl: string
  metaTools: MetaTools
}

/** Where MCP clients reach a session: always at the origin of the API, without which clients do not send their key. */
export const mcpAddress = (publicUrl: string, id: string, apiVersion: ApiVersion): string =>
  `${publicUrl}/tool_router/${apiVersion === 'v3' ? 'v3/' : ''}${id}/mcp`

type Lists = { enabled?: string[]; disabled?: string[] }
const lists = ({ enable, disable }: TagLists): Lists => ({
  ...(enable ? { enabled: [...enable] } : {}),
  ...(disable ? { disabled: [...disable] } : {}),
})
const tagLists = ({ require_approval: asked, ...named }: SessionTags) => ({
  ...lists(named),
  ...(asked ? { require_approval: [...asked] } : {}),
})
const toolLists = ({ tags, ...named }: SessionToolLists) => ({
  ...lists(named),
  ...(tags ? { tags: tagLists(tags) } : {}),
})

/** Answers spell some members otherwise than requests do. */
export function presentConfig(
  userId: string,
  config: SessionConfig,
  apiVersion: ApiVersion,
): SessionConfigView {
  const {
    toolkits,
    auth_configs: configs = {},
    connected_accounts: accounts = {},
    tools = {},
    tags,
    hooks,
    manage_connections: manage,
    workbench,
    multi_account,
    preload,
    search,
    execute,
  } = settled(config)
  const { enable: enabled, ...managing } = manage
  const { enable_proxy_execution: proxy, ...working } = workbench
  return {
    user_id: userId,
    ...(toolkits ? { toolkits: lists(toolkits) } : {}),
    auth_configs: { ...configs },
    connected_accounts: Object.fromEntries(
      Object.entries(accounts).map(([toolkit, ids]) => [toolkit, apiVersion === 'v3' ? ids[0] : [...ids]]),
    ),
    manage_connections: { enabled, ...managing },
    tools: Object.fromEntries(Object.entries(tools).map(([toolkit, one]) => [toolkit, toolLists(one)])),
    ...(tags ? { tags: tagLists(tags) } : {}),
    workbench: { ...working, proxy_execution_enabled: proxy },
    multi_account,
    preload: { tools: preload.tools },
    search,
    execute,
    ...(hooks ? { hooks: [...hooks] } : {}),
  }
}

/** More tools than this cost a model more attention than they are worth. */
const PRELOADED_ADVISED = 20

/** `preloaded`: how many tools are listed by their own name. */
export function presentSession(
  { publicUrl, metaTools }: PresentDeps,
  row: SessionRow,
  preloaded: number,
  apiVersion: ApiVersion,
  more: NonNullable<Session['experimental']> = {},
): Session {
  const { permissions, source_session_config: source } = row.config.experimental ?? {}
  const experimental = {
    ...more,
    ...(permissions ? { permissions: { ...permissions } } : {}),
    ...(source ? { source_session_config: source } : {}),
  }
  return {
    session_id: row.id,
    mcp: { type: 'http', url: mcpAddress(publicUrl, row.id, apiVersion) },
    tool_router_tools: listedMetaTools(metaTools, settled(row.config)).map(
      ({ slug }) => slug as Session['tool_router_tools'][number],
    ),
    config: presentConfig(row.user_id, row.config, apiVersion),
    config_version: row.config_version,
    warnings:
      preloaded > PRELOADED_ADVISED
        ? [
            {
              code: 'PRELOAD_TOOLS_HIGH_CONTEXT_USAGE',
              message: `${preloaded} tools are preloaded; models work best with at most ${PRELOADED_ADVISED}.`,
            },
          ]
        : [],
    ...(Object.keys(experimental).length ? { experimental } : {}),
  }
}
