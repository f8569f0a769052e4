import { useState } from 'react'
import { useParams } from 'wouter'
import type { McpServer } from '../../../contract/mcp-servers/index.ts'
import { useApi } from '../../api/index.ts'
import { Card, Loaded, Page, TextField } from '../../components/index.ts'
import { Facts } from '../../components/facts.tsx'
import { useToolkitNames } from '../../components/use-toolkit-names.ts'
import { UsedAuthConfigs } from './auth-configs.tsx'
import { Clients } from './clients.tsx'
import { Inspector } from './inspector.tsx'
import { ServerActions } from './server-actions.tsx'
import { Snippets } from './snippets.tsx'

/** One MCP server: what it offers, which clients are connected, how others connect, and an inspector. */
export default function McpServerPage() {
  const { id } = useParams<{ id: string }>()
  const server = useApi<McpServer>({ path: `/mcp/${id}` })
  const nameOf = useToolkitNames(server.data?.toolkits ?? [])
  const [user, setUser] = useState('default')
  return (
    <Page
      title={server.data?.name ?? 'MCP server'}
      lead={<code>{id}</code>}
      actions={server.data && <ServerActions server={server.data} />}
    >
      <Loaded query={server}>
        {(data) => (
          <div className="stack">
            <Card title="Overview">
              <Facts
                items={[
                  ['URL', <code key="url">{data.mcp_url}</code>],
                  ['Applications', data.toolkits.map(nameOf).join(', ')],
                  ['Auth configs', <UsedAuthConfigs key="auth-configs" server={data} />],
                  ['Tools', data.allowed_tools.join(', ') || 'every tool of the applications'],
                  ['Users', data.server_instance_count],
                ]}
              />
            </Card>
            <Snippets path={`/mcp/servers/${id}/client_configs`} />
            <Clients serverId={id} />
            <TextField
              label="User of the inspector"
              value={user}
              onChange={(event) => setUser(event.target.value)}
              hint="The inspector calls tools with the accounts of this user."
            />
            <Inspector key={user} url={withUser(data.mcp_url, user)} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function withUser(url: string, user: string): string {
  const result = new URL(url)
  result.searchParams.set('user_id', user || 'default')
  return result.href
}
