import { useState } from 'react'
import type { WebhookSubscription } from '../../../contract/webhooks/index.ts'
import { useApi, useApiMutation } from '../../api/index.ts'
import {
  Button,
  CheckField,
  CodeBlock,
  Dialog,
  errorOf,
  Form,
  FormActions,
  Loaded,
  TextField,
} from '../../components/index.ts'

interface EventTypes {
  items: { event_type: string; description: string; supported_versions: string[] }[]
}

interface Draft {
  webhook_url: string
  enabled_events: string[]
}

/** A form for a new endpoint. The signing secret is shown afterwards. */
export function AddWebhook({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const create = useApiMutation<Draft, WebhookSubscription>(
    (draft) => ({ method: 'POST', path: '/webhook_subscriptions', body: { ...draft, version: 'V3' } }),
    { invalidates: ['/webhook_subscriptions', '/overview'] },
  )
  const close = () => {
    create.reset()
    onClose()
  }
  return (
    <Dialog
      title={create.data ? 'The endpoint was added' : 'Add endpoint'}
      isOpen={isOpen}
      onClose={close}
      isWide
    >
      {create.data ? (
        <Created subscription={create.data} onClose={close} />
      ) : (
        <DraftForm create={create} onClose={close} />
      )}
    </Dialog>
  )
}

const Created = ({ subscription, onClose }: { subscription: WebhookSubscription; onClose(): void }) => (
  <>
    <p>Verify the signature of each request with this secret. It is not shown again.</p>
    <CodeBlock label="Signing secret" code={subscription.secret} />
    {subscription.approval_secret && (
      <CodeBlock label="Secret for decisions on approvals" code={subscription.approval_secret} />
    )}
    <div className="actions">
      <Button look="primary" onClick={onClose}>
        Done
      </Button>
    </div>
  </>
)

function DraftForm({
  create,
  onClose,
}: {
  create: ReturnType<typeof useApiMutation<Draft, WebhookSubscription>>
  onClose(): void
}) {
  const [url, setUrl] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  return (
    <Form onSubmit={() => create.mutate({ webhook_url: url, enabled_events: [...chosen] })}>
      <TextField
        label="URL"
        type="url"
        required
        placeholder="https://app.example.com/hooks"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
        error={errorOf(create.error, 'webhook_url')}
        hint="It must return a 2xx status within 15 seconds."
      />
      <EventTypeChoice chosen={chosen} onChange={setChosen} />
      <FormActions
        request={create}
        action="Add endpoint"
        isDisabled={chosen.length === 0 || url === ''}
        onCancel={onClose}
      />
    </Form>
  )
}

interface ChoiceProps {
  chosen: readonly string[]
  onChange(types: readonly string[]): void
}

function EventTypeChoice({ chosen, onChange }: ChoiceProps) {
  const types = useApi<EventTypes>({ path: '/webhook_subscriptions/event_types' })
  const set = (type: string, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, type] : chosen.filter((one) => one !== type))
  return (
    <fieldset>
      <legend>Events</legend>
      <Loaded query={types}>
        {({ items }) => (
          <>
            {items.map(({ event_type: type, description }) => (
              <CheckField
                key={type}
                label={type}
                hint={description}
                checked={chosen.includes(type)}
                onChange={(event) => set(type, event.target.checked)}
              />
            ))}
          </>
        )}
      </Loaded>
    </fieldset>
  )
}
