import { useLocation } from 'wouter'
import type { ConnectedAccount } from '../../../contract/connected-accounts/index.ts'
import { useApiList } from '../../api/index.ts'
import { useLive } from '../../api/live.ts'
import { type Column, DateTime, EmptyState, Page, StatusBadge } from '../../components/index.ts'
import { type Filter, Filters, hasFilters } from '../../components/filters.tsx'
import { LiveBadge } from '../../components/live-badge.tsx'
import { RecordList } from '../../components/record-list.tsx'
import { useUrlFilters } from '../../components/url-filters.ts'

const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: 'Status',
    all: 'All statuses',
    options: ['ACTIVE', 'EXPIRED', 'FAILED', 'INACTIVE', 'REVOKED', 'INITIATED'].map((value) => ({
      value,
      label: value.charAt(0) + value.slice(1).toLowerCase(),
    })),
  },
  { kind: 'text', name: 'toolkit', label: 'Application' },
  { kind: 'text', name: 'user', label: 'User' },
]

const COLUMNS: Column<ConnectedAccount>[] = [
  { id: 'toolkit', header: 'Application', cell: ({ row }) => row.original.toolkit.slug },
  { id: 'user', header: 'User', cell: ({ row }) => <code>{row.original.user_id}</code> },
  // Before the account, which is outside of a phone's screen.
  { id: 'status', header: 'Status', cell: ({ row }) => <StatusBadge status={row.original.status} /> },
  {
    id: 'identity',
    header: 'Account',
    cell: ({ row: { original } }) => original.identity?.email ?? original.alias ?? original.id,
  },
  {
    id: 'reason',
    header: 'Reason',
    cell: ({ row }) => <span className="hint">{row.original.status_reason?.slice(0, 100) ?? ''}</span>,
  },
  { id: 'updated', header: 'Changed', cell: ({ row }) => <DateTime value={row.original.updated_at} /> },
]

/** Connected accounts of all users. */
export default function Accounts() {
  const [filters] = useUrlFilters()
  const [, navigate] = useLocation()
  const { state } = useLive()
  const accounts = useApiList<ConnectedAccount>({
    path: '/connected_accounts',
    query: {
      statuses: filters.get('status'),
      toolkit_slugs: filters.get('toolkit'),
      user_ids: filters.get('user'),
      account_type: 'ALL',
    },
  })
  const isFiltered = hasFilters(FILTERS, filters)
  return (
    <Page
      title="Accounts"
      lead="Accounts that users connected, with their status at the application."
      actions={<LiveBadge state={state} />}
    >
      <div className="stack">
        <Filters fields={FILTERS} />
        <RecordList
          label="Accounts"
          list={accounts}
          columns={COLUMNS}
          rowId={({ id }) => id}
          onOpen={({ id }) => navigate(`/accounts/${id}`)}
          empty={
            <EmptyState icon="key" title={isFiltered ? 'No account matches' : 'No accounts yet'}>
              {isFiltered
                ? 'Change or clear the filters.'
                : 'Set an application up and connect an account, or let a user connect one with a connect link.'}
            </EmptyState>
          }
        />
      </div>
    </Page>
  )
}
