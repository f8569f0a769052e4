import { useState } from 'react'
import { useLocation } from 'wouter'
import type { McpServer } from '../../../contract/mcp-servers/index.ts'
import { may, useApi, useMe } from '../../api/index.ts'
import {
  Button,
  type Column,
  DateTime,
  EmptyState,
  Loaded,
  Page,
  RestrictedForms,
  Table,
} from '../../components/index.ts'
import { AddServer } from './server-form.tsx'

const COLUMNS: Column<McpServer>[] = [
  { id: 'name', header: 'Name', cell: ({ row }) => row.original.name },
  { id: 'toolkits', header: 'Applications', cell: ({ row }) => row.original.toolkits.join(', ') },
  {
    id: 'users',
    header: 'Users',
    cell: ({ row }) => <span className="number">{row.original.server_instance_count}</span>,
  },
  { id: 'updated', header: 'Changed', cell: ({ row }) => <DateTime value={row.original.updated_at} /> },
]

/** MCP servers of the project. A project has few, so one page of the API shows them. */
export default function McpServers() {
  const [, navigate] = useLocation()
  const me = useMe()
  const canWrite = may(me.data, 'sessions:write')
  const [isAdding, setAdding] = useState(false)
  const servers = useApi<{ items: McpServer[] }>({ path: '/mcp/servers', query: { limit: 100 } })
  return (
    <Page
      title="MCP servers"
      lead="URLs at which MCP clients use chosen tools, each user with their own accounts."
      actions={
        canWrite && (
          <Button icon="plus" look="primary" onClick={() => setAdding(true)}>
            Create server
          </Button>
        )
      }
    >
      <Loaded query={servers}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon="agent" title="No MCP servers yet">
              Create one to give MCP clients the tools of chosen applications. A session also has a URL for
              MCP clients.
            </EmptyState>
          ) : (
            <Table
              label="MCP servers"
              columns={COLUMNS}
              rows={items}
              rowId={({ id }) => id}
              onOpen={({ id }) => navigate(`/mcp/${id}`)}
            />
          )
        }
      </Loaded>
      {isAdding && (
        <RestrictedForms isAllowed={canWrite}>
          <AddServer onSaved={({ id }) => navigate(`/mcp/${id}`)} onClose={() => setAdding(false)} />
        </RestrictedForms>
      )}
    </Page>
  )
}
