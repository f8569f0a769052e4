import { Link, useParams } from 'wouter'
import type { listEvents } from '../../../contract/events/index.ts'
import type { ReplyOf } from '../../../contract/route.ts'
import type { WebhookSubscription } from '../../../contract/webhooks/index.ts'
import { useApi, useApiList } from '../../api/index.ts'
import { useLive } from '../../api/live.ts'
import { Card, DateTime, Loaded, Page, Pagination, StatusBadge } from '../../components/index.ts'
import { Facts } from '../../components/facts.tsx'
import { LiveBadge } from '../../components/live-badge.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { healthOf } from './webhooks.tsx'

type EventRow = ReplyOf<typeof listEvents>['items'][number]

/** One endpoint: its health, and what was delivered to it. */
export default function WebhookPage() {
  const { id } = useParams<{ id: string }>()
  const path = `/webhook_subscriptions/${id}`
  const { state, pollMs } = useLive()
  const subscription = useApi<WebhookSubscription>({ path }, { refetchInterval: pollMs })
  return (
    <Page
      title="Webhook endpoint"
      lead={<code>{subscription.data?.webhook_url ?? id}</code>}
      actions={
        <>
          <LiveBadge state={state} />
          {subscription.data && <WebhookActions subscription={subscription.data} />}
        </>
      }
    >
      <Loaded query={subscription}>
        {(data) => (
          <div className="stack">
            <Health subscription={data} />
            <Deliveries id={id} status="dead" title="Dead letters" empty="No delivery was given up." />
            <Deliveries id={id} status="" title="Latest deliveries" empty="Nothing was delivered yet." />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

const REASONS: Readonly<Record<string, string>> = {
  failing: 'Every delivery failed for five days.',
  gone: 'The receiver returned 410 Gone.',
}

function Health({ subscription }: { subscription: WebhookSubscription }) {
  const [status, label] = healthOf(subscription)
  const { disabled_at: disabledAt, disabled_reason: reason, failing_since: failingSince } = subscription
  return (
    <Card title="Health">
      <div className="stack">
        <div className="row">
          <StatusBadge status={status} label={label} />
          {disabledAt && (
            <span>{REASONS[reason ?? ''] ?? ''} A successful test enables the endpoint again.</span>
          )}
          {!disabledAt && failingSince && (
            <span>
              All deliveries fail since <DateTime value={failingSince} />.
            </span>
          )}
        </div>
        <Facts
          items={[
            ['Events', subscription.enabled_events.join(', ')],
            ['Payload version', subscription.version],
            ['At most at once', subscription.max_at_once],
            ['At most per second', subscription.max_per_second ?? 'no limit'],
            ['Created', <DateTime key="created" value={subscription.created_at} />],
          ]}
        />
      </div>
    </Card>
  )
}

interface DeliveriesProps {
  id: string
  status: string
  title: string
  empty: string
}

function Deliveries({ id, status, title, empty }: DeliveriesProps) {
  const events = useApiList<EventRow>(
    { path: '/events', query: { subscription_id: id, delivery_status: status } },
    10,
  )
  return (
    <Card title={title}>
      <Loaded query={{ ...events, data: events.rows }}>
        {(rows) => (
          <>
            {rows.length === 0 && <p className="hint">{empty}</p>}
            <ul className="timeline">
              {rows.map((event) => (
                <li key={event.id} className={event.deliveries.dead > 0 ? 'bad' : ''}>
                  <div className="row">
                    <Link href={`/events?subscription=${id}&event=${event.id}`}>{event.type}</Link>
                    <span className="hint">
                      <DateTime value={event.created_at} />
                    </span>
                  </div>
                </li>
              ))}
            </ul>
            <Pagination
              hasMore={events.hasNextPage}
              isLoading={events.isFetchingNextPage}
              onMore={() => void events.fetchNextPage()}
            />
          </>
        )}
      </Loaded>
    </Card>
  )
}
