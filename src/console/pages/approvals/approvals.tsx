import type { listApprovals } from '../../../contract/policies/index.ts'
import type { ReplyOf } from '../../../contract/route.ts'
import { useApiList } from '../../api/index.ts'
import { useLive, usePolling } from '../../api/live.ts'
import { type Column, DateTime, EmptyState, Page, StatusBadge } from '../../components/index.ts'
import { type Filter, Filters } from '../../components/filters.tsx'
import { LiveBadge } from '../../components/live-badge.tsx'
import { RecordList } from '../../components/record-list.tsx'
import { useUrlFilters } from '../../components/url-filters.ts'
import { ApprovalDrawer } from './approval-drawer.tsx'

type Approval = ReplyOf<typeof listApprovals>['items'][number]

const COLUMNS: Column<Approval>[] = [
  { id: 'tool', header: 'Tool', cell: ({ row }) => <code>{row.original.tool_slug}</code> },
  { id: 'user', header: 'User', cell: ({ row }) => row.original.user_id ?? '' },
  { id: 'reason', header: 'Reason', cell: ({ row }) => row.original.reason?.slice(0, 120) ?? '' },
  { id: 'status', header: 'Status', cell: ({ row }) => <StatusBadge status={row.original.status} /> },
  { id: 'created', header: 'Requested', cell: ({ row }) => <DateTime value={row.original.created_at} /> },
  { id: 'expires', header: 'Expires', cell: ({ row }) => <DateTime value={row.original.expires_at} /> },
]

const ALL = 'all'
const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: 'Status',
    all: 'To decide',
    options: [
      { value: 'approved', label: 'Approved' },
      { value: 'used', label: 'Executed' },
      { value: 'denied', label: 'Denied' },
      { value: 'expired', label: 'Expired' },
      { value: ALL, label: 'All' },
    ],
  },
]

const POLL_MS = 10_000

/** Calls that wait for the decision of a person, as they arrive, and past ones. */
export default function Approvals() {
  const [parameters, set] = useUrlFilters()
  const status = parameters.get('status') ?? 'pending'
  const approvals = useApiList<Approval>({
    path: '/approvals',
    query: { status: status === ALL ? undefined : status },
  })
  const { state } = useLive()
  usePolling(state !== 'live', POLL_MS, () => void approvals.refetch())
  return (
    <Page
      title="Approvals"
      lead="Calls of agents that a policy stopped until a person decides."
      actions={<LiveBadge state={state} />}
    >
      <div className="stack">
        <Filters fields={FILTERS} />
        <RecordList
          label="Approvals"
          list={approvals}
          columns={COLUMNS}
          rowId={({ id }) => id}
          onOpen={({ id }) => set({ approval: id })}
          empty={
            <EmptyState icon="approval" title={EMPTY[status] ?? 'No approval matches'}>
              {status in EMPTY
                ? 'A call appears here when a policy with the outcome “ask” matches it.'
                : 'Choose another status, or clear the filters.'}
            </EmptyState>
          }
        />
      </div>
      <ApprovalDrawer
        id={parameters.get('approval') ?? undefined}
        onClose={() => set({ approval: undefined })}
      />
    </Page>
  )
}

const EMPTY: Readonly<Record<string, string>> = { pending: 'Nothing to decide', [ALL]: 'No approvals yet' }
