import { useState } from 'react'
import { useLocation } from 'wouter'
import type { WebhookSubscription } from '../../../contract/webhooks/index.ts'
import { may, useApiList, useMe } from '../../api/index.ts'
import { useLive } from '../../api/live.ts'
import {
  Button,
  type Column,
  DateTime,
  EmptyState,
  Page,
  RestrictedForms,
  StatusBadge,
} from '../../components/index.ts'
import { LiveBadge } from '../../components/live-badge.tsx'
import { RecordList } from '../../components/record-list.tsx'
import { AddWebhook } from './add-webhook.tsx'

/** The health of a subscription as one word. */
export const healthOf = ({
  disabled_at,
  failing_since,
}: WebhookSubscription): [status: string, label: string] =>
  disabled_at ? ['DISABLED', 'Disabled'] : failing_since ? ['ERROR', 'Failing'] : ['OK', 'Healthy']

const countOf = (types: number): string => (types === 1 ? '1 type' : `${types} types`)

const COLUMNS: Column<WebhookSubscription>[] = [
  { id: 'url', header: 'URL', cell: ({ row }) => <code>{row.original.webhook_url}</code> },
  {
    id: 'health',
    header: 'Health',
    cell: ({ row }) => {
      const [status, label] = healthOf(row.original)
      return <StatusBadge status={status} label={label} />
    },
  },
  {
    id: 'events',
    header: 'Events',
    cell: ({ row }) => <span className="number">{countOf(row.original.enabled_events.length)}</span>,
  },
  { id: 'created', header: 'Created', cell: ({ row }) => <DateTime value={row.original.created_at} /> },
]

/** Endpoints of the application that receive events. */
export default function Webhooks() {
  const me = useMe()
  const [, navigate] = useLocation()
  const { state } = useLive()
  const [isAdding, setAdding] = useState(false)
  const subscriptions = useApiList<WebhookSubscription>({ path: '/webhook_subscriptions' })
  const canWrite = may(me.data, 'webhooks:write')
  const add = canWrite && (
    <Button icon="plus" look="primary" onClick={() => setAdding(true)}>
      Add endpoint
    </Button>
  )
  return (
    <Page
      title="Webhooks"
      lead="URLs of your application that receive events as signed requests."
      actions={
        <>
          <LiveBadge state={state} />
          {add}
        </>
      }
    >
      <RecordList
        label="Webhook endpoints"
        list={subscriptions}
        columns={COLUMNS}
        rowId={({ id }) => id}
        onOpen={({ id }) => navigate(`/webhooks/${id}`)}
        empty={
          <EmptyState icon="webhook" title="No endpoints yet">
            Add the URL of your application that should receive events of triggers, accounts and approvals.
          </EmptyState>
        }
      />
      <RestrictedForms isAllowed={canWrite}>
        <AddWebhook isOpen={isAdding} onClose={() => setAdding(false)} />
      </RestrictedForms>
    </Page>
  )
}
