import { useState } from 'react'
import type { Policy, PolicyDraft } from '../../../contract/policies/index.ts'
import { useApiMutation, useScreenRequest } from '../../api/index.ts'
import {
  Button,
  CheckField,
  ConfirmDialog,
  errorOf,
  Form,
  FormActions,
  JsonView,
  Select,
  showToast,
  TextField,
} from '../../components/index.ts'
import { Outdated } from '../../components/outdated.tsx'
import { useDraft } from '../../components/use-draft.ts'
import { draftOf, type FormValues, isSimple, COMPARISONS, valuesOf } from './draft.ts'

const OUTCOMES = [
  { value: 'ask', label: 'Ask a person' },
  { value: 'deny', label: 'Deny' },
  { value: 'allow', label: 'Allow' },
]

interface FormProps {
  /** Undefined for a new policy. */
  policy: Policy | undefined
  onClose(): void
}

/** A form for the common conditions. Policies with others keep them. */
export function PolicyForm({ policy, onClose }: FormProps) {
  const { draft: values, set, isOutdated, reset } = useDraft<FormValues>(valuesOf(policy))
  const request = {
    method: policy ? ('PATCH' as const) : ('POST' as const),
    path: policy ? `/policies/${policy.id}` : '/policies',
    body: draftOf(values, policy),
  }
  useScreenRequest(request)
  const save = useApiMutation<PolicyDraft>((body) => ({ ...request, body }), {
    invalidates: ['/policies'],
    onSuccess: () => {
      showToast('The policy applies from now on')
      onClose()
    },
  })
  return (
    <Form onSubmit={() => save.mutate(request.body)}>
      <Outdated isShown={isOutdated && !save.isPending} onReset={reset} />
      <TextField
        label="Name"
        required
        value={values.name}
        onChange={(event) => set({ name: event.target.value })}
        error={errorOf(save.error, 'name')}
      />
      <Select
        label="Outcome"
        options={OUTCOMES}
        value={values.outcome}
        onChange={(outcome) => set({ outcome: outcome as Policy['outcome'] })}
      />
      <Conditions policy={policy} values={values} set={set} />
      <TextField
        label="Message"
        value={values.message}
        onChange={(event) => set({ message: event.target.value })}
        hint="For the agent, and for the person who decides."
        error={errorOf(save.error, 'message')}
      />
      <CheckField
        label="Enabled"
        checked={values.enabled}
        onChange={(event) => set({ enabled: event.target.checked })}
      />
      <FormActions
        request={save}
        action="Save policy"
        isDisabled={values.name.trim() === ''}
        onCancel={onClose}
      >
        {policy && <DeletePolicy policy={policy} onDeleted={onClose} />}
      </FormActions>
    </Form>
  )
}

interface ConditionsProps {
  policy: Policy | undefined
  values: FormValues
  set(change: Partial<FormValues>): void
}

const Conditions = ({ policy, ...form }: ConditionsProps) =>
  !policy || isSimple(policy) ? (
    <ConditionFields {...form} />
  ) : (
    <JsonView label="Conditions, to be changed through the API" value={policy.when} />
  )

const ConditionFields = ({ values, set }: Omit<ConditionsProps, 'policy'>) => (
  <fieldset>
    <legend>Applies to calls that match all of these</legend>
    <TextField
      label="Tools"
      placeholder="GMAIL_SEND_EMAIL, STRIPE_REFUND"
      value={values.tools}
      onChange={(event) => set({ tools: event.target.value })}
      hint="Slugs, separated by commas. Empty: every tool."
    />
    <TextField
      label="Applications"
      placeholder="gmail, stripe"
      value={values.toolkits}
      onChange={(event) => set({ toolkits: event.target.value })}
    />
    <TextField
      label="Users"
      value={values.user_ids}
      onChange={(event) => set({ user_ids: event.target.value })}
    />
    <CheckField
      label="Only calls that send data after the session read content of other people"
      checked={values.afterUntrusted}
      onChange={(event) => set({ afterUntrusted: event.target.checked })}
    />
    <div className="filters">
      <TextField
        label="Argument"
        placeholder="amount"
        value={values.path}
        onChange={(event) => set({ path: event.target.value })}
      />
      <Select
        label="Comparison"
        options={COMPARISONS}
        value={values.operator}
        onChange={(operator) => set({ operator: operator as FormValues['operator'] })}
      />
      <TextField
        label="Value"
        value={values.value}
        onChange={(event) => set({ value: event.target.value })}
      />
    </div>
  </fieldset>
)

function DeletePolicy({ policy, onDeleted }: { policy: Policy; onDeleted(): void }) {
  const [isOpen, setOpen] = useState(false)
  const remove = useApiMutation<void>(() => ({ method: 'DELETE', path: `/policies/${policy.id}` }), {
    invalidates: ['/policies'],
    onSuccess: onDeleted,
  })
  return (
    <>
      <Button icon="trash" look="danger" onClick={() => setOpen(true)}>
        Delete
      </Button>
      <ConfirmDialog
        title="Delete the policy"
        action="Delete policy"
        isOpen={isOpen}
        request={remove}
        onClose={() => setOpen(false)}
      >
        <p>Calls that the policy stopped are made from now on, unless another policy matches them.</p>
      </ConfirmDialog>
    </>
  )
}
