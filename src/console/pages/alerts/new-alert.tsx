import { useState } from 'react'
import type { AlertChannel, AlertCondition, createAlertRule } from '../../../contract/alerts.ts'
import type { ReplyOf } from '../../../contract/route.ts'
import { useApiMutation } from '../../api/index.ts'
import {
  Button,
  CodeBlock,
  Dialog,
  errorOf,
  Form,
  FormActions,
  Select,
  showToast,
  TextField,
} from '../../components/index.ts'
import { CHANNELS, conditionOf, CONDITIONS, countsMinutes } from './conditions.ts'
import { LimitFields } from './limit-fields.tsx'

type Created = ReplyOf<typeof createAlertRule>

interface Draft {
  name: string
  condition: AlertCondition
  threshold: string
  minutes: string
  channel: AlertChannel
  target: string
}

const START: Draft = {
  name: '',
  condition: 'account_expired',
  threshold: '1',
  minutes: '15',
  channel: 'slack',
  target: '',
}

/** Returns the body that creates a rule. An empty number is left out, so that the server uses its default. */
const bodyOf = ({ name, condition, threshold, minutes, channel, target }: Draft) => ({
  name: name || conditionOf(condition).label,
  condition,
  channel,
  ...(threshold && { threshold: Number(threshold) }),
  ...(countsMinutes(condition) && minutes && { window_minutes: Number(minutes) }),
  ...(channel === 'email'
    ? { email_addresses: target.split(/[\s,;]+/).filter(Boolean) }
    : { webhook_url: target }),
})

/** A form for a new rule. The secret of a webhook is shown afterwards. */
export function NewAlertDialog({ onClose }: { onClose(): void }) {
  const create = useApiMutation<Draft, Created>(
    (draft) => ({ method: 'POST', path: '/alert_rules', body: bodyOf(draft) }),
    {
      invalidates: ['/alert_rules'],
      onSuccess({ secret }) {
        showToast('Rule created')
        if (secret === null) onClose()
      },
    },
  )
  const secret = create.data?.secret
  return (
    <Dialog title={secret ? 'The rule was created' : 'Create an alert rule'} isOpen onClose={onClose} isWide>
      {secret ? (
        <>
          <p>Verify the signature of each notification with this secret. It is not shown again.</p>
          <CodeBlock label="Signing secret" code={secret} />
          <div className="actions">
            <Button look="primary" onClick={onClose}>
              Done
            </Button>
          </div>
        </>
      ) : (
        <DraftForm create={create} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface FormProps {
  create: ReturnType<typeof useApiMutation<Draft, Created>>
  onClose(): void
}

function DraftForm({ create, onClose }: FormProps) {
  const [draft, setDraft] = useState(START)
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const condition = conditionOf(draft.condition)
  return (
    <Form onSubmit={() => create.mutate(draft)}>
      <Select
        label="Condition"
        options={CONDITIONS}
        value={draft.condition}
        onChange={(value) => {
          const next = conditionOf(value as AlertCondition)
          set({ condition: next.value, threshold: String(next.defaultThreshold) })
        }}
      />
      <p className="hint">{condition.hint}</p>
      <LimitFields condition={draft.condition} values={draft} onChange={set} failure={create.error} />
      <Select
        label="Notify by"
        options={CHANNELS}
        value={draft.channel}
        onChange={(value) => set({ channel: value as AlertChannel, target: '' })}
      />
      <Target draft={draft} create={create} onChange={(target) => set({ target })} />
      <TextField
        label="Name"
        placeholder={condition.label}
        maxLength={128}
        value={draft.name}
        onChange={(event) => set({ name: event.target.value })}
        error={errorOf(create.error, 'name')}
      />
      <FormActions request={create} action="Create rule" onCancel={onClose} />
    </Form>
  )
}

/** Who is notified: a URL, or email addresses. */
const Target = ({
  draft: { channel, target },
  create,
  onChange,
}: Pick<FormProps, 'create'> & { draft: Draft; onChange(target: string): void }) =>
  channel === 'email' ? (
    <TextField
      label="Email addresses"
      required
      placeholder="on-call@example.com"
      hint="Separated by commas."
      value={target}
      onChange={(event) => onChange(event.target.value)}
      error={errorOf(create.error, 'email_addresses')}
    />
  ) : (
    <TextField
      label="URL"
      type="url"
      required
      placeholder={
        channel === 'slack' ? 'https://hooks.slack.com/services/…' : 'https://app.example.com/alerts'
      }
      hint={
        channel === 'slack'
          ? 'Slack shows it under Incoming Webhooks of your app. It is stored encrypted and not shown again.'
          : 'It receives a signed POST. It is stored encrypted and not shown again.'
      }
      value={target}
      onChange={(event) => onChange(event.target.value)}
      error={errorOf(create.error, 'webhook_url')}
    />
  )
