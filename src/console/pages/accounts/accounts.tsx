import { useLocation } from 'wouter'
import type { ConnectedAccount } from '../../../contract/connected-accounts/index.ts'
import { useApiList } from '../../api/index.ts'
import { useLive } from '../../api/live.ts'
import {
  type Column,
  DateTime,
  EmptyState,
  Page,
  Select,
  StatusBadge,
  TextField,
} from '../../components/index.ts'
import { LiveBadge } from '../../components/live-badge.tsx'
import { RecordList } from '../../components/record-list.tsx'
import { useUrlFilters } from '../../components/url-filters.ts'

const STATUSES = [
  { value: 'all', label: 'All statuses' },
  ...['ACTIVE', 'EXPIRED', 'FAILED', 'INACTIVE', 'REVOKED', 'INITIATED'].map((value) => ({
    value,
    label: value.charAt(0) + value.slice(1).toLowerCase(),
  })),
]

const COLUMNS: Column<ConnectedAccount>[] = [
  { id: 'toolkit', header: 'Application', cell: ({ row }) => row.original.toolkit.slug },
  { id: 'user', header: 'User', cell: ({ row }) => <code>{row.original.user_id}</code> },
  {
    id: 'identity',
    header: 'Account',
    cell: ({ row: { original } }) => original.identity?.email ?? original.alias ?? original.id,
  },
  { id: 'status', header: 'Status', cell: ({ row }) => <StatusBadge status={row.original.status} /> },
  {
    id: 'reason',
    header: 'Reason',
    cell: ({ row }) => <span className="hint">{row.original.status_reason?.slice(0, 100) ?? ''}</span>,
  },
  { id: 'updated', header: 'Changed', cell: ({ row }) => <DateTime value={row.original.updated_at} /> },
]

/** Connected accounts of all users. */
export default function Accounts() {
  const [parameters, set] = useUrlFilters()
  const [, navigate] = useLocation()
  const { state } = useLive()
  const [status, toolkit, user] = ['status', 'toolkit', 'user'].map((name) => parameters.get(name) ?? '')
  const accounts = useApiList<ConnectedAccount>({
    path: '/connected_accounts',
    query: { statuses: status, toolkit_slugs: toolkit, user_ids: user, account_type: 'ALL' },
  })
  const isFiltered = [status, toolkit, user].some(Boolean)
  return (
    <Page
      title="Accounts"
      lead="Accounts that users connected, with their status at the application."
      actions={<LiveBadge state={state} />}
    >
      <div className="stack">
        <section className="filters" aria-label="Filters">
          <Select
            label="Status"
            options={STATUSES}
            value={status || 'all'}
            onChange={(value) => set('status', value)}
          />
          {(['toolkit', 'user'] as const).map((name) => (
            <TextField
              key={`${name} ${parameters.get(name) ?? ''}`}
              label={name === 'toolkit' ? 'Application' : 'User'}
              defaultValue={parameters.get(name) ?? ''}
              onBlur={(event) => set(name, event.target.value.trim())}
              onKeyDown={(event) => {
                if (event.key === 'Enter') set(name, event.currentTarget.value.trim())
              }}
            />
          ))}
        </section>
        <RecordList
          label="Accounts"
          list={accounts}
          columns={COLUMNS}
          rowId={({ id }) => id}
          onOpen={({ id }) => navigate(`/accounts/${id}`)}
          empty={
            <EmptyState icon="key" title={isFiltered ? 'No account matches' : 'No accounts yet'}>
              {isFiltered
                ? 'Change the filters.'
                : 'Set an application up and connect an account, or let a user connect one with a connect link.'}
            </EmptyState>
          }
        />
      </div>
    </Page>
  )
}
