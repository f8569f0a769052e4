import { useState } from 'react'
import type { Incident } from '../../../contract/incidents.ts'
import { type ApiFailure, useApiMutation, useMe } from '../../api/index.ts'
import { Dialog, errorOf, Form, FormActions, Select, TextArea, TextField } from '../../components/index.ts'

const CONFIRMATION = 'freeze'
/** No project has this id. */
const EVERY_PROJECT = 'every'

interface Props {
  onClose(): void
  onCreated(id: string): void
}

const EMPTY = { project: EVERY_PROJECT, toolkit: '', user: '', reason: '', typed: '' }
type Draft = typeof EMPTY

const bodyOf = ({ project, toolkit, user, reason }: Draft) => ({
  ...(project !== EVERY_PROJECT && { project_id: project }),
  ...(toolkit && { toolkit_slug: toolkit }),
  ...(user && { user_id: user }),
  ...(reason && { reason }),
})

/** Asks which accounts are frozen. It cannot be undone, so a word has to be typed. */
export function FreezeDialog({ onClose, onCreated }: Props) {
  const [draft, setDraft] = useState(EMPTY)
  const freeze = useApiMutation<void, Incident>(
    () => ({ method: 'POST', path: '/org/incidents', body: bodyOf(draft) }),
    {
      invalidates: ['/org/incidents', '/connected_accounts', '/users', '/overview'],
      onSuccess: ({ id }) => onCreated(id),
    },
  )
  const hasScope = draft.project !== EVERY_PROJECT || Boolean(draft.toolkit || draft.user)
  const isReady = hasScope && draft.typed === CONFIRMATION
  return (
    <Dialog
      title="Freeze accounts"
      isOpen
      onClose={onClose}
      description="Every matching account fails at once, and its access is revoked. Users must connect again."
    >
      <Form onSubmit={() => isReady && !freeze.isPending && freeze.mutate()}>
        <ScopeFields draft={draft} onChange={setDraft} failure={freeze.error} />
        <TextField
          label={`Type ${CONFIRMATION} to confirm`}
          hint={hasScope ? undefined : 'Choose a project, an application or a user first.'}
          autoComplete="off"
          value={draft.typed}
          onChange={(event) => setDraft({ ...draft, typed: event.target.value })}
        />
        <FormActions
          request={freeze}
          action="Freeze accounts"
          look="danger"
          isDisabled={!isReady}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  )
}

interface FieldsProps {
  draft: Draft
  onChange(draft: Draft): void
  failure: ApiFailure | null
}

function ScopeFields({ draft, onChange, failure }: FieldsProps) {
  const { data: me } = useMe()
  const change = (name: keyof Draft) => (value: string) => onChange({ ...draft, [name]: value })
  return (
    <>
      <Select
        label="Project"
        value={draft.project}
        options={[
          { value: EVERY_PROJECT, label: 'Every project' },
          ...(me?.projects ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={change('project')}
      />
      <TextField
        label="Application"
        hint="Slug, such as github. Empty: every application."
        value={draft.toolkit}
        error={errorOf(failure, 'toolkit_slug')}
        onChange={(event) => change('toolkit')(event.target.value.trim())}
      />
      <TextField
        label="User id"
        hint="Empty: every user."
        value={draft.user}
        error={errorOf(failure, 'user_id')}
        onChange={(event) => change('user')(event.target.value)}
      />
      <TextArea
        label="Reason"
        hint="It is shown with each frozen account."
        rows={2}
        maxLength={500}
        value={draft.reason}
        onChange={(event) => change('reason')(event.target.value)}
      />
    </>
  )
}
