import { Link } from 'wouter'
import type { Delivery, readEvent } from '../../../contract/events/index.ts'
import type { ReplyOf } from '../../../contract/route.ts'
import { may, useApi, useApiMutation, useMe } from '../../api/index.ts'
import {
  Button,
  CodeBlock,
  DateTime,
  Drawer,
  FormError,
  JsonView,
  Loaded,
  showToast,
  StatusBadge,
} from '../../components/index.ts'
import { startedText } from './started-text.ts'

type EventDetails = ReplyOf<typeof readEvent>

/** One event with its data, and each attempt to deliver it. */
export function EventDrawer({
  id,
  subscription,
  onClose,
}: {
  id: string | undefined
  /** Only deliveries to this webhook subscription. */
  subscription?: string
  onClose(): void
}) {
  const event = useApi<EventDetails>(id === undefined ? undefined : { path: `/events/${id}` })
  return (
    <Drawer title="Event" isOpen={id !== undefined} onClose={onClose} isWide>
      <Loaded query={event}>{(data) => <Details event={data} subscription={subscription} />}</Loaded>
    </Drawer>
  )
}

function Details({ event, subscription }: { event: EventDetails; subscription: string | undefined }) {
  const me = useMe()
  const replay = useApiMutation<void, { queued: number }>(
    () => ({
      method: 'POST',
      path: '/events/replay',
      body: { event_ids: [event.id], ...(subscription && { subscription_id: subscription }) },
    }),
    {
      invalidates: ['/events', '/webhook_subscriptions'],
      onSuccess: ({ queued }) => showToast(startedText(queued)),
    },
  )
  const deliveries = event.deliveries.filter(
    (one) => subscription === undefined || one.subscription_id === subscription,
  )
  const canReplay = may(me.data, 'webhooks:write')
  return (
    <div className="stack">
      <div className="row">
        <code>{event.type}</code>
        <DateTime value={event.created_at} isExact />
      </div>
      <p className="hint">
        webhook-id <code>{event.webhook_id}</code>
      </p>
      {canReplay && (
        <div className="row">
          <Button icon="refresh" isBusy={replay.isPending} onClick={() => replay.mutate()}>
            Deliver again
          </Button>
        </div>
      )}
      <FormError failure={replay.error} />
      <section>
        <h3>Deliveries</h3>
        {deliveries.length === 0 && <p className="hint">No webhook subscription received this event.</p>}
        {deliveries.map((delivery) => (
          <DeliveryDetails key={delivery.id} delivery={delivery} />
        ))}
      </section>
      <JsonView label="Request body" value={event.payload ?? event.data} />
    </div>
  )
}

const isSuccess = ({ status }: Delivery['log'][number]): boolean =>
  status !== null && status >= 200 && status < 300

/** A delivery with the response of the receiver to each attempt. */
const DeliveryDetails = ({ delivery }: { delivery: Delivery }) => (
  <div className="stack">
    <div className="row">
      <StatusBadge status={delivery.status} />
      <Link href={`/webhooks/${delivery.subscription_id}`}>{delivery.subscription_id}</Link>
      {delivery.next_at && (
        <span className="hint">
          next attempt <DateTime value={delivery.next_at} />
        </span>
      )}
    </div>
    <ol className="timeline">
      {delivery.log.map((attempt) => (
        <li key={attempt.number} className={isSuccess(attempt) ? 'good' : 'bad'}>
          <p>
            Attempt {attempt.number}: {attempt.status ?? 'no response'}, {attempt.latency_ms} ms,{' '}
            <DateTime value={attempt.ended_at} isExact />
          </p>
          {attempt.error && <p className="field-error">{attempt.error}</p>}
          {attempt.answer && <CodeBlock label="Response" code={attempt.answer} />}
        </li>
      ))}
    </ol>
  </div>
)
