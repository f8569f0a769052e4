import { useParams } from 'wouter'
import type { WebhookSubscription } from '../../../contract/webhooks/index.ts'
import { useApi } from '../../api/index.ts'
import { useLive } from '../../api/live.ts'
import { Card, DateTime, Loaded, Page, StatusBadge } from '../../components/index.ts'
import { Facts } from '../../components/facts.tsx'
import { LiveBadge } from '../../components/live-badge.tsx'
import { Deliveries } from './deliveries.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { healthOf } from './webhooks.tsx'

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
            <Deliveries id={id} />
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
            ['Concurrent deliveries', `at most ${subscription.max_at_once}`],
            [
              'Deliveries per second',
              subscription.max_per_second === null ? 'no limit' : `at most ${subscription.max_per_second}`,
            ],
            ['Created', <DateTime key="created" value={subscription.created_at} />],
          ]}
        />
      </div>
    </Card>
  )
}
