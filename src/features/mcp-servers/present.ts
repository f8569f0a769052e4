import type { McpServer } from '../../contract/mcp-servers.ts'
import type { ServerRow } from './store.ts'

export interface McpPresenterDeps {
  publicUrl: string
  logo(slug: string): string
}

export const addressOf = (publicUrl: string, id: string): string => `${publicUrl}/v3/mcp/${id}`

/** How the clients are told of an address: one by its own command, the others through the bridge that they start. The key's place is left to whoever runs it. */
function commandsOf(name: string, url: string): McpServer['commands'] {
  const bridge = `npx -y mcp-remote "${url}" --header "x-api-key:$API_KEY"`
  return {
    cursor: bridge,
    claude: `claude mcp add --transport http ${name.trim().replaceAll(/ +/g, '-').toLowerCase()} "${url}" --header "x-api-key: $API_KEY"`,
    windsurf: bridge,
  }
}

/** The six members that creating a custom server answers. */
export function presentShort(
  { id, name, auth_config_ids, allowed_tools }: ServerRow,
  { publicUrl }: McpPresenterDeps,
) {
  const url = addressOf(publicUrl, id)
  return { id, name, auth_config_ids, allowed_tools, mcp_url: url, commands: commandsOf(name, url) }
}

export const presentServer = (row: ServerRow, deps: McpPresenterDeps): McpServer => ({
  ...presentShort(row, deps),
  toolkits: row.all_toolkits,
  toolkit_icons: Object.fromEntries(row.all_toolkits.map((slug) => [slug, deps.logo(slug)])),
  updated_at: row.updated_at.toISOString(),
  created_at: row.created_at.toISOString(),
  server_instance_count: row.instances,
  managed_auth_via_service: row.managed_auth,
})

/** The addresses for users and accounts. Clients send the whole of it, so the identity is part of it. */
export function addressesFor(
  url: string,
  users: readonly string[],
  accounts: readonly string[],
  helperKey: string | undefined,
) {
  const address = (of: { accounts: readonly string[]; users: readonly string[] }): string => {
    const list = (values: readonly string[]) => values.map(encodeURIComponent).join(',')
    const query = [
      helperKey && `${helperKey}=true`,
      of.accounts.length > 0 && `connected_account_ids=${list(of.accounts)}`,
      of.users.length > 0 && `user_id=${list(of.users)}`,
    ].filter(Boolean)
    return `${url}?${query.join('&')}`
  }
  return {
    mcp_url: url,
    connected_account_urls: accounts.map((account) => address({ accounts: [account], users })),
    user_ids_url: users.map((user) => address({ accounts, users: [user] })),
  }
}
