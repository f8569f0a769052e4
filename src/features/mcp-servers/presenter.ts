import type { McpServer } from '../../contract/mcp-servers/index.ts'
import { clientName } from '../../platform/mcp/client-configs.ts'
import type { ServerRow } from './store.ts'

export interface McpServerPresenterDeps {
  publicUrl: string
  logo(slug: string): string
}

export const mcpServerUrl = (publicUrl: string, id: string): string => `${publicUrl}/v3/mcp/${id}`

/**
 * Returns the commands that add a URL to MCP clients: Claude has its own, the others start the `mcp-remote` bridge.
 * They work as they are: the client signs its user in, so that neither a key nor a user id is needed.
 */
function clientCommands(name: string, url: string): McpServer['commands'] {
  const bridge = `npx -y mcp-remote "${url}"`
  return {
    cursor: bridge,
    claude: `claude mcp add --transport http ${clientName(name)} "${url}"`,
    windsurf: bridge,
  }
}

/** Returns the six fields of the response that creates a custom server. */
export function presentServerSummary(
  { id, name, auth_config_ids, allowed_tools }: ServerRow,
  { publicUrl }: McpServerPresenterDeps,
) {
  const url = mcpServerUrl(publicUrl, id)
  return { id, name, auth_config_ids, allowed_tools, mcp_url: url, commands: clientCommands(name, url) }
}

export const presentServer = (row: ServerRow, deps: McpServerPresenterDeps): McpServer => ({
  ...presentServerSummary(row, deps),
  toolkits: row.all_toolkits,
  toolkit_icons: Object.fromEntries(row.all_toolkits.map((slug) => [slug, deps.logo(slug)])),
  updated_at: row.updated_at.toISOString(),
  created_at: row.created_at.toISOString(),
  server_instance_count: row.instances,
  managed_auth_via_service: row.managed_auth,
})

/** Returns one URL for each user and each account. MCP clients send the query with every request. */
export function mcpServerUrls(
  url: string,
  users: readonly string[],
  accounts: readonly string[],
  connectionToolParameter: string | undefined,
) {
  const encodeList = (values: readonly string[]) => values.map(encodeURIComponent).join(',')
  const urlFor = (identity: { accounts: readonly string[]; users: readonly string[] }): string => {
    const query = [
      connectionToolParameter && `${connectionToolParameter}=true`,
      identity.accounts.length > 0 && `connected_account_ids=${encodeList(identity.accounts)}`,
      identity.users.length > 0 && `user_id=${encodeList(identity.users)}`,
    ].filter(Boolean)
    return `${url}?${query.join('&')}`
  }
  return {
    mcp_url: url,
    connected_account_urls: accounts.map((account) => urlFor({ accounts: [account], users })),
    user_ids_url: users.map((user) => urlFor({ accounts, users: [user] })),
  }
}
