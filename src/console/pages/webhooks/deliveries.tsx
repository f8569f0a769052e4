import { useMemo, useState } from 'react'
import type { SubscriptionDelivery } from '../../../contract/webhooks/index.ts'
import { may, useApiList, useApiMutation, useMe } from '../../api/index.ts'
import { usePolling } from '../../api/live.ts'
import {
  Button,
  Card,
  type Column,
  DateTime,
  EmptyState,
  FormError,
  showToast,
  StatusBadge,
} from '../../components/index.ts'
import { type Filter, Filters } from '../../components/filters.tsx'
import { RecordList } from '../../components/record-list.tsx'
import { useUrlFilters } from '../../components/url-filters.ts'
import { EventDrawer } from '../events/event-drawer.tsx'
import { startedText } from '../events/started-text.ts'

const POLL_MS = 5_000
const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: 'Status',
    all: 'All deliveries',
    options: [
      { value: 'pending', label: 'Pending' },
      { value: 'delivered', label: 'Delivered' },
      { value: 'dead', label: 'Dead letters' },
    ],
  },
]
type Text = readonly [title: string, hint: string]
const EMPTY: Readonly<Record<string, Text>> & { readonly '': Text } = {
  '': ['Nothing was delivered yet', 'Deliveries appear here with the response of your application.'],
  pending: ['No delivery is pending', 'Everything was delivered, or given up.'],
  delivered: [
    'No delivery has succeeded yet',
    'A delivery succeeds when your application returns a 2xx status.',
  ],
  dead: ['No dead letters', 'Deliveries that failed eight times would be here, to be delivered again.'],
}

interface Choice {
  chosen: ReadonlySet<string>
  toggle(delivery: SubscriptionDelivery): void
}

/** What was delivered to an endpoint, with the last attempt of each delivery. */
export function Deliveries({ id }: { id: string }) {
  const [filters, set] = useUrlFilters()
  const status = filters.get('status') ?? ''
  return (
    <Card title="Deliveries">
      <div className="stack">
        <Filters fields={FILTERS} />
        {/* A new list for each status: what was chosen in another one is not chosen any more. */}
        <DeliveryList key={status} id={id} status={status} onOpen={(event) => set({ event })} />
      </div>
      <EventDrawer
        id={filters.get('event') ?? undefined}
        subscription={id}
        onClose={() => set({ event: undefined })}
      />
    </Card>
  )
}

interface DeliveryListProps {
  id: string
  status: string
  onOpen(event: string): void
}

function DeliveryList({ id, status, onOpen }: DeliveryListProps) {
  const me = useMe()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const canReplay = may(me.data, 'webhooks:write')
  const deliveries = useApiList<SubscriptionDelivery>(
    { path: `/webhook_subscriptions/${id}/deliveries`, query: { status } },
    50,
  )
  // Deliveries have no event of their own, so the list is read again while it is shown.
  usePolling(chosen.size === 0, POLL_MS, () => void deliveries.refetch())
  const columns = useMemo(() => {
    const toggle = ({ event_id: event }: SubscriptionDelivery) =>
      setChosen((before) => toggled(before, event))
    return columnsOf(canReplay ? { chosen, toggle } : undefined)
  }, [chosen, canReplay])
  const [title, hint] = EMPTY[status] ?? EMPTY['']
  return (
    <>
      {canReplay && <ReplayChosen id={id} chosen={chosen} onDone={() => setChosen(new Set())} />}
      <RecordList
        label="Deliveries"
        list={deliveries}
        columns={columns}
        rowId={(delivery) => delivery.id}
        onOpen={(delivery) => onOpen(delivery.event_id)}
        empty={
          <EmptyState icon="webhook" title={title}>
            {hint}
          </EmptyState>
        }
      />
    </>
  )
}

function toggled(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(before)
  if (!next.delete(id)) next.add(id)
  return next
}

/** Delivers the chosen events again. It stays visible, so that nothing moves when a row is chosen. */
function ReplayChosen({ id, chosen, onDone }: { id: string; chosen: ReadonlySet<string>; onDone(): void }) {
  const replay = useApiMutation<void, { queued: number }>(
    () => ({
      method: 'POST',
      path: '/events/replay',
      body: { event_ids: [...chosen], subscription_id: id },
    }),
    {
      invalidates: ['/webhook_subscriptions', '/events', '/overview'],
      onSuccess: ({ queued }) => {
        onDone()
        showToast(startedText(queued))
      },
    },
  )
  return (
    <div className="row">
      <Button
        icon="refresh"
        disabled={chosen.size === 0}
        isBusy={replay.isPending}
        onClick={() => replay.mutate()}
      >
        {chosen.size === 0 ? 'Deliver chosen again' : `Deliver ${chosen.size} again`}
      </Button>
      <span className="hint">Choose deliveries in the list. Pending ones are left as they are.</span>
      <FormError failure={replay.error} />
    </div>
  )
}

const columnsOf = (choice: Choice | undefined): Column<SubscriptionDelivery>[] => [
  ...(choice === undefined ? [] : [choiceColumn(choice)]),
  {
    id: 'status',
    header: 'Status',
    cell: ({ row }) => (
      <StatusBadge
        status={row.original.status}
        {...(row.original.status === 'dead' && { label: 'Dead letter' })}
      />
    ),
  },
  { id: 'event', header: 'Event', cell: ({ row }) => <code>{row.original.event_type}</code> },
  { id: 'queued', header: 'Queued', cell: ({ row }) => <DateTime value={row.original.created_at} /> },
  {
    id: 'attempts',
    header: 'Attempts',
    cell: ({ row }) => <span className="number">{row.original.attempts}</span>,
  },
  { id: 'result', header: 'Last result', cell: ({ row }) => <LastResult delivery={row.original} /> },
]

const choiceColumn = ({ chosen, toggle }: Choice): Column<SubscriptionDelivery> => ({
  id: 'choice',
  header: () => <span className="visually-hidden">Chosen</span>,
  cell: ({ row: { original } }) => (
    <input
      type="checkbox"
      aria-label={`Choose ${original.event_type} ${original.event_id}`}
      checked={chosen.has(original.event_id)}
      onChange={() => toggle(original)}
    />
  ),
})

function LastResult({ delivery: { last_attempt: last, next_at: next } }: { delivery: SubscriptionDelivery }) {
  if (!last) return <span className="hint">not tried yet</span>
  return (
    <span>
      {last.status === null ? (last.error ?? 'No response') : `Status ${last.status}`}
      <span className="hint"> after {last.latency_ms} ms</span>
      {next && (
        <span className="hint">
          , next attempt <DateTime value={next} />
        </span>
      )}
    </span>
  )
}
