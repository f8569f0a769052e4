import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callProfile } from '../../api/client.ts'
import { type ApiFailure, useRequest } from '../../api/index.ts'
import {
  Button,
  Card,
  DateTime,
  errorOf,
  Form,
  FormError,
  Loaded,
  showToast,
  TextField,
} from '../../components/index.ts'
import { createPasskey, hasPasskeys } from '../../sign-in/passkey.ts'

interface Passkey {
  id: string
  name: string
  is_synced: boolean
  created_at: string
  last_used_at: string | null
}

/** Adds and removes the passkeys of the signed-in member. */
export function PasskeysCard() {
  const passkeys = useQuery<{ items: Passkey[] }, ApiFailure>({
    queryKey: ['passkeys of the person'],
    queryFn: () => callProfile('GET', '/auth/passkeys'),
  })
  const onChanged = () => void passkeys.refetch()
  return (
    <Card
      title="Passkeys"
      description="Sign in with the fingerprint, face or PIN of your device, without a password and a code."
    >
      <Loaded query={passkeys}>
        {({ items }) => (
          <>
            {items.length > 0 && <PasskeyList items={items} onChanged={onChanged} />}
            {hasPasskeys() ? (
              <AddPasskey onChanged={onChanged} />
            ) : (
              <p className="hint">This browser has no passkeys here. They need https, or localhost.</p>
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}

interface ListProps {
  items: readonly Passkey[]
  onChanged(): void
}

function PasskeyList({ items, onChanged }: ListProps) {
  const { failure, run } = useRequest()
  const remove = ({ id, name }: Passkey) =>
    run(async () => {
      await callProfile('DELETE', `/auth/passkeys/${id}`)
      showToast('Passkey removed', `${name} signs in no longer. Remove it on your device, too.`)
      onChanged()
    })
  return (
    <>
      <ul className="plain-list">
        {items.map((passkey) => (
          <li key={passkey.id} className="row">
            <span>
              <strong>{passkey.name}</strong>
              <span className="hint">
                {' '}
                {passkey.is_synced ? 'synced between devices' : 'on one device'} ·{' '}
                {passkey.last_used_at === null ? (
                  'never used'
                ) : (
                  <>
                    last used <DateTime value={passkey.last_used_at} />
                  </>
                )}
              </span>
            </span>
            <Button isSmall aria-label={`Remove ${passkey.name}`} onClick={() => void remove(passkey)}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <FormError failure={failure} />
    </>
  )
}

function AddPasskey({ onChanged }: { onChanged(): void }) {
  const [name, setName] = useState('')
  const { failure, isBusy, run } = useRequest()
  const add = () =>
    run(async () => {
      await createPasskey(name)
      setName('')
      showToast('Passkey added', 'Use it at the next sign-in.')
      onChanged()
    })
  return (
    <Form onSubmit={() => void add()}>
      <TextField
        label="Name of the passkey"
        required
        maxLength={128}
        placeholder="Laptop"
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={errorOf(failure, 'name')}
      />
      <FormError failure={failure} />
      <Button type="submit" isBusy={isBusy}>
        Add a passkey
      </Button>
    </Form>
  )
}
