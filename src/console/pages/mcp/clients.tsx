import { useMemo, useState } from 'react'
import type { McpClientGrant } from '../../../contract/mcp-authorization/index.ts'
import { may, useApiList, useApiMutation, useMe } from '../../api/index.ts'
import {
  Button,
  Card,
  type Column,
  ConfirmDialog,
  DateTime,
  EmptyState,
  RestrictedForms,
  showToast,
} from '../../components/index.ts'
import { type Filter, Filters } from '../../components/filters.tsx'
import { RecordList } from '../../components/record-list.tsx'
import { useUrlFilters } from '../../components/url-filters.ts'

const PATH = '/mcp/client_grants'
const FILTERS: readonly Filter[] = [{ kind: 'text', name: 'client_user', label: 'User of the client' }]

const nameOf = ({ client }: McpClientGrant): string => client.name || client.id

/** The clients that users signed in to an MCP server, each with a button that revokes its access. */
export function Clients({ serverId }: { serverId: string }) {
  const me = useMe()
  const [filters] = useUrlFilters()
  const [revoked, setRevoked] = useState<McpClientGrant>()
  const user = filters.get('client_user') ?? undefined
  const canRevoke = may(me.data, 'sessions:write')
  const grants = useApiList<McpClientGrant>({
    path: PATH,
    query: { mcp_server_id: serverId, user_id: user },
  })
  const columns = useMemo(() => (canRevoke ? [...COLUMNS, revokeColumn(setRevoked)] : COLUMNS), [canRevoke])
  return (
    <Card
      title="Connected clients"
      description={
        'Programs in which users signed in to this server. Each may list and run its tools as its user, and ' +
        'nothing else. Programs that send an API key are not listed.'
      }
    >
      <div className="stack">
        {(user !== undefined || Boolean(grants.rows?.length)) && <Filters fields={FILTERS} />}
        <RecordList
          label="Connected clients"
          list={grants}
          columns={columns}
          rowId={({ id }) => id}
          empty={
            <EmptyState
              icon="agent"
              title={user ? 'This user has no client here' : 'No client is connected yet'}
            >
              A client appears here when its user signs in at the URL of this server.
            </EmptyState>
          }
        />
      </div>
      <RestrictedForms isAllowed={canRevoke}>
        <RevokeClient grant={revoked} onClose={() => setRevoked(undefined)} />
      </RestrictedForms>
    </Card>
  )
}

const COLUMNS: Column<McpClientGrant>[] = [
  { id: 'client', header: 'Client', cell: ({ row }) => <strong>{nameOf(row.original)}</strong> },
  { id: 'user', header: 'User', cell: ({ row }) => <code>{row.original.user_id}</code> },
  { id: 'created', header: 'Signed in', cell: ({ row }) => <DateTime value={row.original.created_at} /> },
  { id: 'used', header: 'Last used', cell: ({ row }) => <DateTime value={row.original.last_used_at} /> },
  { id: 'expires', header: 'Expires', cell: ({ row }) => <DateTime value={row.original.expires_at} /> },
]

const revokeColumn = (onRevoke: (grant: McpClientGrant) => void): Column<McpClientGrant> => ({
  id: 'revoke',
  header: () => <span className="visually-hidden">Actions</span>,
  cell: ({ row: { original } }) => (
    <Button look="danger" isSmall onClick={() => onRevoke(original)}>
      Revoke
      <span className="visually-hidden">
        {' '}
        {nameOf(original)} of {original.user_id}
      </span>
    </Button>
  ),
})

function RevokeClient({ grant, onClose }: { grant: McpClientGrant | undefined; onClose(): void }) {
  const revoke = useApiMutation<void>(() => ({ method: 'DELETE', path: `${PATH}/${grant?.id}` }), {
    invalidates: [PATH],
    onSuccess() {
      onClose()
      showToast('The access of the client is revoked')
    },
  })
  return (
    <ConfirmDialog
      title={grant ? `Revoke the access of ${nameOf(grant)}?` : ''}
      action="Revoke access"
      isOpen={grant !== undefined}
      request={revoke}
      onClose={onClose}
    >
      <p>
        Its tokens for <code>{grant?.user_id}</code> stop working at once. The user can sign in again.
        Connected accounts stay.
      </p>
    </ConfirmDialog>
  )
}
