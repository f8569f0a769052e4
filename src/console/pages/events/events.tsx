import type { listEvents } from '../../../contract/events/index.ts'
import type { ReplyOf } from '../../../contract/route.ts'
import { useApiList } from '../../api/index.ts'
import { useLive, usePolling } from '../../api/live.ts'
import { type Column, DateTime, EmptyState, Page, StatusBadge } from '../../components/index.ts'
import { type Filter, Filters, hasFilters } from '../../components/filters.tsx'
import { LiveBadge } from '../../components/live-badge.tsx'
import { RecordList } from '../../components/record-list.tsx'
import { useUrlFilters } from '../../components/url-filters.ts'
import { EventDrawer } from './event-drawer.tsx'

type EventRow = ReplyOf<typeof listEvents>['items'][number]

const POLL_MS = 10_000
const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: 'Deliveries',
    all: 'All events',
    options: [
      { value: 'pending', label: 'With pending deliveries' },
      { value: 'delivered', label: 'Delivered' },
      { value: 'dead', label: 'Dead letters' },
    ],
  },
  { kind: 'text', name: 'subscription', label: 'Id of the webhook endpoint' },
]

const COLUMNS: Column<EventRow>[] = [
  { id: 'time', header: 'Time', cell: ({ row }) => <DateTime value={row.original.created_at} isExact /> },
  { id: 'type', header: 'Type', cell: ({ row }) => <code>{row.original.type}</code> },
  {
    id: 'deliveries',
    header: 'Deliveries',
    cell: ({ row: { original } }) => <DeliveryCounts counts={original.deliveries} />,
  },
  { id: 'id', header: 'Id', cell: ({ row }) => <code>{row.original.id}</code> },
]

const DeliveryCounts = ({ counts }: { counts: EventRow['deliveries'] }) => {
  const parts = (['delivered', 'pending', 'dead'] as const).filter((status) => counts[status] > 0)
  if (parts.length === 0) return <span className="hint">no subscription</span>
  return (
    <span className="row">
      {parts.map((status) => (
        <StatusBadge key={status} status={status} label={`${counts[status]} ${status}`} />
      ))}
    </span>
  )
}

/** Events of the project, as they happen. */
export default function Events() {
  const [parameters, set] = useUrlFilters()
  const { state } = useLive()
  const status = parameters.get('status') ?? ''
  const subscription = parameters.get('subscription') ?? ''
  const events = useApiList<EventRow>({
    path: '/events',
    query: { delivery_status: status, subscription_id: subscription },
  })
  usePolling(state === 'paused', POLL_MS, () => void events.refetch())
  return (
    <Page
      title="Events"
      lead="What happened in the project and in its applications. Webhooks and the event stream deliver the same."
      actions={<LiveBadge state={state} />}
    >
      <div className="stack">
        <Filters fields={FILTERS} />
        <RecordList
          label="Events"
          list={events}
          columns={COLUMNS}
          rowId={({ id }) => id}
          onOpen={({ id }) => set({ event: id })}
          empty={
            <EmptyState
              icon="events"
              title={hasFilters(FILTERS, parameters) ? 'No event matches' : 'No events yet'}
            >
              Events come from triggers, accounts, approvals and webhooks. New ones appear here at once.
            </EmptyState>
          }
        />
      </div>
      <EventDrawer id={parameters.get('event') ?? undefined} onClose={() => set({ event: undefined })} />
    </Page>
  )
}
