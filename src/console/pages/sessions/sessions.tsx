import { useLocation } from 'wouter'
import type { listSessions } from '../../../contract/sessions/index.ts'
import type { ReplyOf } from '../../../contract/route.ts'
import { useApiList } from '../../api/index.ts'
import { type Column, DateTime, EmptyState, Page } from '../../components/index.ts'
import { type Filter, Filters } from '../../components/filters.tsx'
import { RecordList } from '../../components/record-list.tsx'
import { useUrlFilters } from '../../components/url-filters.ts'

type Session = ReplyOf<typeof listSessions>['items'][number]

const FILTERS: readonly Filter[] = [{ kind: 'text', name: 'user', label: 'User' }]

const COLUMNS: Column<Session>[] = [
  { id: 'id', header: 'Session', cell: ({ row }) => <code>{row.original.session_id}</code> },
  { id: 'user', header: 'User', cell: ({ row }) => row.original.user_id },
  {
    id: 'version',
    header: 'Configuration',
    cell: ({ row }) => <span className="number">version {row.original.config_version}</span>,
  },
  { id: 'created', header: 'Created', cell: ({ row }) => <DateTime value={row.original.created_at} /> },
  { id: 'used', header: 'Last used', cell: ({ row }) => <DateTime value={row.original.last_used_at} /> },
]

/** Sessions in which agents work, newest first. */
export default function Sessions() {
  const [filters] = useUrlFilters()
  const [, navigate] = useLocation()
  const user = filters.get('user') ?? ''
  const sessions = useApiList<Session>({ path: '/tool_router/session', query: { user_id: user } })
  return (
    <Page title="Sessions" lead="What each agent may see and use for one user, and what it did.">
      <div className="stack">
        <Filters fields={FILTERS} />
        <RecordList
          label="Sessions"
          list={sessions}
          columns={COLUMNS}
          rowId={({ session_id: id }) => id}
          onOpen={({ session_id: id }) => navigate(`/sessions/${id}`)}
          empty={
            <EmptyState icon="agent" title={user ? 'This user has no sessions' : 'No sessions yet'}>
              An application creates one for its user with <code>POST /tool_router/session</code>.
            </EmptyState>
          }
        />
      </div>
    </Page>
  )
}
