import { useLocation } from 'wouter'
import type { UserSummary } from '../../../contract/users.ts'
import { useApiList } from '../../api/index.ts'
import { useLive } from '../../api/live.ts'
import { type Column, DateTime, EmptyState, Page } from '../../components/index.ts'
import { type Filter, Filters } from '../../components/filters.tsx'
import { LiveBadge } from '../../components/live-badge.tsx'
import { RecordList } from '../../components/record-list.tsx'
import { useUrlFilters } from '../../components/url-filters.ts'

const FILTERS: readonly Filter[] = [
  { kind: 'search', name: 'search', label: 'Search by id', placeholder: 'Part of the id' },
]

const COLUMNS: Column<UserSummary>[] = [
  { id: 'user', header: 'User', cell: ({ row }) => <code>{row.original.user_id}</code> },
  {
    id: 'accounts',
    header: 'Active accounts',
    cell: ({ row }) => (
      <span className="number">
        {row.original.active_accounts} of {row.original.accounts}
      </span>
    ),
  },
  {
    id: 'calls',
    header: 'Calls in 7 days',
    cell: ({ row }) => <span className="number">{row.original.calls_7d.toLocaleString('en')}</span>,
  },
  {
    id: 'failed',
    header: 'Failed',
    cell: ({ row }) => <span className="number">{row.original.failed_7d.toLocaleString('en')}</span>,
  },
  { id: 'last', header: 'Last call', cell: ({ row }) => <DateTime value={row.original.last_call_at} /> },
]

/** The users of the project: every id with an account, a session or an execution. */
export default function Users() {
  const [filters] = useUrlFilters()
  const [, navigate] = useLocation()
  const search = filters.get('search') ?? ''
  const { state } = useLive()
  const users = useApiList<UserSummary>({ path: '/users', query: { search } })
  return (
    <Page
      title="Users"
      lead="Users of your application, by the id that your application sends. They are not created here."
      actions={<LiveBadge state={state} />}
    >
      <Filters fields={FILTERS} />
      <RecordList
        label="Users"
        list={users}
        columns={COLUMNS}
        rowId={({ user_id: id }) => id}
        onOpen={({ user_id: id }) => navigate(`/users/${encodeURIComponent(id)}`)}
        empty={
          <EmptyState icon="users" title={search ? `No user contains “${search}”` : 'No users yet'}>
            {search
              ? 'Check the spelling, or clear the search.'
              : 'A user appears with the first account, session or execution for its id.'}
          </EmptyState>
        }
      />
    </Page>
  )
}
