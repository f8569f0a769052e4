import { useState } from 'react'
import type { StoredMemory } from '../../../contract/sessions/index.ts'
import { may, useApi, useApiMutation, useMe } from '../../api/index.ts'
import {
  Card,
  ConfirmDialog,
  DateTime,
  IconButton,
  Loaded,
  RestrictedForms,
  showToast,
  StatusBadge,
} from '../../components/index.ts'

const NOTES_MAX = 100

/** What agents noted about a user, by application. Sessions of the user find these sentences again. */
export function Notes({ userId }: { userId: string }) {
  const notes = useApi<{ items: StoredMemory[] }>({
    path: '/memories',
    query: { user_id: userId, limit: NOTES_MAX },
  })
  return (
    <Card title="Notes of agents">
      <Loaded query={notes}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="hint">No agent has noted anything about this user.</p>
          ) : (
            <ul className="timeline">
              {items.map((memory) => (
                <Note key={memory.id} memory={memory} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

function Note({ memory }: { memory: StoredMemory }) {
  const { data: me } = useMe()
  const isAllowed = may(me, 'sessions:write')
  const [isRemoving, setRemoving] = useState(false)
  const remove = useApiMutation<void>(() => ({ method: 'DELETE', path: `/memories/${memory.id}` }), {
    invalidates: ['/memories', '/users'],
    onSuccess: () => showToast('The notes were deleted'),
  })
  return (
    <li>
      <div className="row">
        <strong>{memory.toolkit}</strong>
        <span className="hint">
          changed <DateTime value={memory.updated_at} />
        </span>
        {memory.is_untrusted && <StatusBadge status="PENDING" label="After content of other people" />}
        {isAllowed && (
          <IconButton
            icon="trash"
            label={`Delete the notes about ${memory.toolkit}`}
            onClick={() => setRemoving(true)}
          />
        )}
      </div>
      <ul>
        {memory.sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <RestrictedForms isAllowed={isAllowed}>
        <ConfirmDialog
          title={`Delete the notes about ${memory.toolkit}?`}
          isOpen={isRemoving}
          onClose={() => setRemoving(false)}
          request={remove}
          action="Delete notes"
        >
          <p>Agents of this user no longer find them.</p>
        </ConfirmDialog>
      </RestrictedForms>
    </li>
  )
}
