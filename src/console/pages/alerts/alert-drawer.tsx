import { useState } from 'react'
import type { AlertRule, testAlertRule } from '../../../contract/alerts.ts'
import type { ReplyOf } from '../../../contract/route.ts'
import { useApiMutation } from '../../api/index.ts'
import {
  Button,
  CheckField,
  ConfirmDialog,
  DateTime,
  Drawer,
  errorOf,
  Form,
  FormError,
  Permitted,
  showToast,
  StatusBadge,
  TextField,
} from '../../components/index.ts'
import { Facts } from '../../components/facts.tsx'
import { Outdated } from '../../components/outdated.tsx'
import { useDraft } from '../../components/use-draft.ts'
import { channelLabel, countsMinutes, describeRule, stateOf, valueText } from './conditions.ts'
import { LimitFields, type LimitValues } from './limit-fields.tsx'

interface DrawerProps {
  rule: AlertRule | undefined
  canWrite: boolean
  onClose(): void
}

/** One rule: its state, its limits, a test, its deletion. */
export const AlertDrawer = ({ rule, canWrite, onClose }: DrawerProps) => (
  <Drawer title={rule?.name ?? 'Alert rule'} isOpen={rule !== undefined} onClose={onClose}>
    {rule && (
      <div className="stack">
        <State rule={rule} />
        <Permitted isAllowed={canWrite}>
          {canWrite && <TestChannel rule={rule} />}
          {/* A new form for each rule, so that it starts with the values of its rule. */}
          <Limits key={rule.id} rule={rule} />
          <Deletion rule={rule} canWrite={canWrite} onClose={onClose} />
        </Permitted>
      </div>
    )}
  </Drawer>
)

function State({ rule }: { rule: AlertRule }) {
  const [status, label] = stateOf(rule)
  return (
    <section className="stack">
      <div className="row">
        <StatusBadge status={status} label={label} />
        {rule.firing_since !== null && (
          <span className="hint">
            since <DateTime value={rule.firing_since} isExact />
          </span>
        )}
      </div>
      {rule.last_error !== null && (
        <p className="form-error" role="alert">
          The last notification was not sent: {rule.last_error} It is repeated every minute.
        </p>
      )}
      <Facts
        items={[
          ['Condition', describeRule(rule)],
          ['Measured value', valueText(rule)],
          ['Notifies by', `${channelLabel(rule.channel)}: ${rule.target}`],
          ['Checked', rule.checked_at === null ? 'not yet' : <DateTime key="at" value={rule.checked_at} />],
        ]}
      />
    </section>
  )
}

function TestChannel({ rule: { id } }: { rule: AlertRule }) {
  const test = useApiMutation<void, ReplyOf<typeof testAlertRule>>(() => ({
    method: 'POST',
    path: `/alert_rules/${id}/test`,
  }))
  return (
    <section>
      <Button icon="play" isBusy={test.isPending} onClick={() => test.mutate()}>
        Send a test notification
      </Button>
      <div role="status">
        {test.data?.sent && (
          <p>
            <StatusBadge status="OK" label="Sent" /> The receiver accepted it.
          </p>
        )}
        {test.data && !test.data.sent && (
          <p>
            <StatusBadge status="ERROR" label="Not sent" /> {test.data.error}
          </p>
        )}
      </div>
      <FormError failure={test.error} />
    </section>
  )
}

interface RuleValues extends LimitValues {
  name: string
  isEnabled: boolean
}

/** What can be changed: name, limits, and whether the rule is checked. */
function Limits({ rule }: { rule: AlertRule }) {
  const {
    draft: values,
    set,
    isOutdated,
    reset,
  } = useDraft<RuleValues>({
    name: rule.name,
    threshold: String(rule.threshold),
    minutes: String(rule.window_minutes),
    isEnabled: rule.is_enabled,
  })
  const save = useApiMutation<void>(
    () => ({
      method: 'PATCH',
      path: `/alert_rules/${rule.id}`,
      body: {
        name: values.name,
        threshold: Number(values.threshold),
        is_enabled: values.isEnabled,
        ...(countsMinutes(rule.condition) && { window_minutes: Number(values.minutes) }),
      },
    }),
    {
      invalidates: ['/alert_rules'],
      onSuccess: () => {
        reset()
        showToast('Rule saved')
      },
    },
  )
  return (
    <Form onSubmit={() => save.mutate()}>
      <h3>Settings</h3>
      <Outdated isShown={isOutdated && !save.isPending} onReset={reset} />
      <TextField
        label="Name"
        required
        maxLength={128}
        value={values.name}
        onChange={(event) => set({ name: event.target.value })}
        error={errorOf(save.error, 'name')}
      />
      <LimitFields condition={rule.condition} values={values} onChange={set} failure={save.error} />
      <CheckField
        label="Check this rule"
        checked={values.isEnabled}
        onChange={(event) => set({ isEnabled: event.target.checked })}
      />
      <p className="hint">To change the condition or the channel, create another rule.</p>
      <FormError failure={save.error} />
      <div className="actions">
        <Button look="primary" type="submit" isBusy={save.isPending}>
          Save
        </Button>
      </div>
    </Form>
  )
}

function Deletion({ rule, canWrite, onClose }: { rule: AlertRule; canWrite: boolean; onClose(): void }) {
  const [isAsking, setAsking] = useState(false)
  const remove = useApiMutation<void>(() => ({ method: 'DELETE', path: `/alert_rules/${rule.id}` }), {
    invalidates: ['/alert_rules'],
    onSuccess() {
      setAsking(false)
      onClose()
      showToast('Rule deleted')
    },
  })
  return (
    <section>
      {canWrite && (
        <Button icon="trash" look="quiet" onClick={() => setAsking(true)}>
          Delete rule…
        </Button>
      )}
      <ConfirmDialog
        title={`Delete ${rule.name}?`}
        action="Delete rule"
        isOpen={isAsking}
        request={remove}
        onClose={() => setAsking(false)}
      >
        <p>Nobody is notified by this rule any more. This cannot be undone.</p>
      </ConfirmDialog>
    </section>
  )
}
