import type { listApprovals } from '../../../contract/policies/index.ts'
import type { ReplyOf } from '../../../contract/route.ts'
import { useApiList } from '../../api/index.ts'
import { useLive, usePolling } from '../../api/live.ts'
import { type Column, DateTime, EmptyState, Page, StatusBadge, Tabs } from '../../components/index.ts'
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

/** Calls that wait for the decision of a person, as they arrive. */
export default function Approvals() {
  const [parameters, set] = useUrlFilters()
  const { state } = useLive()
  const tab = parameters.get('show') === 'all' ? 'all' : 'pending'
  const open = parameters.get('approval') ?? undefined
  const onOpen = (approval: string) => set({ approval })
  return (
    <Page
      title="Approvals"
      lead="Calls of agents that a policy stopped until a person decides."
      actions={<LiveBadge state={state} />}
    >
      <Tabs
        label="Approvals"
        value={tab}
        onChange={(id) => set({ show: id === 'all' ? 'all' : undefined })}
        tabs={[
          { id: 'pending', label: 'To decide', content: <Inbox status="pending" onOpen={onOpen} /> },
          { id: 'all', label: 'All', content: <Inbox status="" onOpen={onOpen} /> },
        ]}
      />
      <ApprovalDrawer id={open} onClose={() => set({ approval: undefined })} />
    </Page>
  )
}

const POLL_MS = 10_000

function Inbox({ status, onOpen }: { status: string; onOpen(id: string): void }) {
  const approvals = useApiList<Approval>({ path: '/approvals', query: { status } })
  const { state } = useLive()
  usePolling(state !== 'live', POLL_MS, () => void approvals.refetch())
  return (
    <RecordList
      label="Approvals"
      list={approvals}
      columns={COLUMNS}
      rowId={({ id }) => id}
      onOpen={({ id }) => onOpen(id)}
      empty={
        <EmptyState icon="approval" title={status ? 'Nothing to decide' : 'No approvals yet'}>
          A call appears here when a policy with the outcome “ask” matches it.
        </EmptyState>
      }
    />
  )
}
