import { useState } from 'react'
import type { ReplyOf } from '../../../contract/route.ts'
import type { listProjectKeys } from '../../../contract/projects/index.ts'
import { useApiMutation } from '../../api/index.ts'
import {
  CodeBlock,
  ConfirmDialog,
  Dialog,
  Form,
  FormActions,
  type Option,
  Select,
  showToast,
  TextField,
} from '../../components/index.ts'

export type Key = ReplyOf<typeof listProjectKeys>['items'][number]

const OVERLAPS: readonly Option[] = [
  { value: '3600', label: 'One hour' },
  { value: '86400', label: 'One day' },
  { value: '604800', label: 'Seven days' },
  { value: '0', label: 'Not at all: revoke it now' },
]

/** Replaces a key by a new one; both are valid for a chosen time. */
export function RotateDialog({
  path,
  item,
  onClose,
  onRotated,
}: {
  path: string
  item: Key
  onClose(): void
  onRotated(key: string): void
}) {
  const [overlap, setOverlap] = useState('86400')
  const rotate = useApiMutation<void, { key: string }>(
    () => ({
      method: 'POST',
      path: `${path}/${item.id}/rotate`,
      body: { overlap_seconds: Number(overlap) },
    }),
    { invalidates: [path], onSuccess: ({ key }) => onRotated(key) },
  )
  return (
    <Dialog title={`Rotate ${item.name}`} isOpen onClose={onClose}>
      <Form onSubmit={() => rotate.mutate()}>
        <p>A new key with the same name, permissions and IP addresses replaces this one.</p>
        <Select
          label="The earlier key stays valid for"
          value={overlap}
          onChange={setOverlap}
          options={OVERLAPS}
        />
        <FormActions request={rotate} action="Create new key" onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

/** Revokes a key after a confirmation. */
export function RevokeDialog({ path, item, onClose }: { path: string; item: Key; onClose(): void }) {
  const revoke = useApiMutation<void>(() => ({ method: 'DELETE', path: `${path}/${item.id}` }), {
    invalidates: [path],
    onSuccess: () => {
      showToast('Key revoked')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Revoke ${item.name}?`}
      action="Revoke key"
      isOpen
      request={revoke}
      onClose={onClose}
    >
      <p>Calls with this key fail within a second. This cannot be undone.</p>
    </ConfirmDialog>
  )
}

/** Shows a new key. It is the only time that the key is readable. */
export function NewKeyDialog({ value, onClose }: { value: string | undefined; onClose(): void }) {
  return (
    <Dialog
      title="Copy the new key"
      isOpen={value !== undefined}
      onClose={onClose}
      description="It is shown only now. Store it where secrets belong."
    >
      <CodeBlock label="API key" code={value ?? ''} />
    </Dialog>
  )
}

interface ExpiryFieldProps {
  value: string
  onChange(value: string): void
  error: string | undefined
}

/** The last day of a key. */
export function ExpiryField({ value, onChange, error }: ExpiryFieldProps) {
  return (
    <TextField
      label="Expires after"
      type="date"
      hint="The key is valid until the end of this day (UTC). Empty: it never expires."
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={error}
    />
  )
}
