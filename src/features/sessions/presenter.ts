import type { TagLists } from '../../catalog/index.ts'
import type { ApiVersion } from '../../contract/route.ts'
import type { Session, SessionConfigView } from '../../contract/sessions/index.ts'
import {
  type SessionConfig,
  type SessionTags,
  type SessionToolLists,
  resolveConfig,
} from './config/session-config.ts'
import { listedMetaTools, type MetaTools } from './meta-tools/meta-tool.ts'
import type { SessionRow } from './store.ts'

export interface SessionPresenterDeps {
  publicUrl: string
  metaTools: MetaTools
}

/** Where MCP clients reach a session: always at the origin of the API, without which clients do not send their key. */
export const sessionMcpUrl = (publicUrl: string, id: string, apiVersion: ApiVersion): string =>
  `${publicUrl}/tool_router/${apiVersion === 'v3' ? 'v3/' : ''}${id}/mcp`

type PresentedLists = { enabled?: string[]; disabled?: string[] }
const presentLists = ({ enable, disable }: TagLists): PresentedLists => ({
  ...(enable ? { enabled: [...enable] } : {}),
  ...(disable ? { disabled: [...disable] } : {}),
})
const presentTagLists = ({ require_approval: asked, ...lists }: SessionTags) => ({
  ...presentLists(lists),
  ...(asked ? { require_approval: [...asked] } : {}),
})
const presentToolLists = ({ tags, ...lists }: SessionToolLists) => ({
  ...presentLists(lists),
  ...(tags ? { tags: presentTagLists(tags) } : {}),
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
  } = resolveConfig(config)
  const { enable: enabled, ...manageFields } = manage
  const { enable_proxy_execution: proxy, ...workbenchFields } = workbench
  return {
    user_id: userId,
    ...(toolkits ? { toolkits: presentLists(toolkits) } : {}),
    auth_configs: { ...configs },
    connected_accounts: Object.fromEntries(
      Object.entries(accounts).map(([toolkit, ids]) => [toolkit, apiVersion === 'v3' ? ids[0] : [...ids]]),
    ),
    manage_connections: { enabled, ...manageFields },
    tools: Object.fromEntries(
      Object.entries(tools).map(([toolkit, one]) => [toolkit, presentToolLists(one)]),
    ),
    ...(tags ? { tags: presentTagLists(tags) } : {}),
    workbench: { ...workbenchFields, proxy_execution_enabled: proxy },
    multi_account,
    preload: { tools: preload.tools },
    search,
    execute,
    ...(hooks ? { hooks: [...hooks] } : {}),
  }
}

/** More tools than this cost a model more attention than they are worth. */
const PRELOADED_RECOMMENDED_MAX = 20

/** `preloaded`: how many tools are listed by their own name. */
export function presentSession(
  { publicUrl, metaTools }: SessionPresenterDeps,
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
    mcp: { type: 'http', url: sessionMcpUrl(publicUrl, row.id, apiVersion) },
    tool_router_tools: listedMetaTools(metaTools, resolveConfig(row.config)).map(
      ({ slug }) => slug as Session['tool_router_tools'][number],
    ),
    config: presentConfig(row.user_id, row.config, apiVersion),
    config_version: row.config_version,
    warnings:
      preloaded > PRELOADED_RECOMMENDED_MAX
        ? [
            {
              code: 'PRELOAD_TOOLS_HIGH_CONTEXT_USAGE',
              message: `${preloaded} tools are preloaded; models work best with at most ${PRELOADED_RECOMMENDED_MAX}.`,
            },
          ]
        : [],
    ...(Object.keys(experimental).length ? { experimental } : {}),
  }
}
