import { useState } from 'react'
import { Link, useParams } from 'wouter'
import type { ConnectedAccount } from '../../../contract/connected-accounts/index.ts'
import type { listSessions } from '../../../contract/sessions/index.ts'
import type { readUser, UserDeletion } from '../../../contract/users.ts'
import type { ReplyOf } from '../../../contract/route.ts'
import { may, useApi, useApiMutation, useMe } from '../../api/index.ts'
import { useLive } from '../../api/live.ts'
import {
  Button,
  Card,
  ConfirmDialog,
  DateTime,
  Loaded,
  Page,
  Permitted,
  showToast,
  StatusBadge,
} from '../../components/index.ts'
import { Facts } from '../../components/facts.tsx'
import { useToolkitNames } from '../../components/use-toolkit-names.ts'
import { LiveBadge } from '../../components/live-badge.tsx'
import { Notes } from './notes.tsx'

type User = ReplyOf<typeof readUser>

const DELETION_POLL_MS = 1_500

/** Everything about one user. */
export default function UserPage() {
  const { id: encoded } = useParams<{ id: string }>()
  const id = decodeURIComponent(encoded)
  const path = `/users/${encodeURIComponent(id)}`
  const { state } = useLive()
  const [isDeleting, setDeleting] = useState(false)
  const user = useApi<User>({ path }, { refetchInterval: isDeleting ? DELETION_POLL_MS : false })
  const me = useMe()
  const nameOf = useToolkitNames(user.data?.toolkits ?? [])
  const isPending = user.data?.deletion?.status === 'pending'
  if (isDeleting !== isPending && user.data) setDeleting(isPending)
  return (
    <Page
      title={id}
      lead="Accounts, sessions and executions of this user."
      actions={
        <>
          <LiveBadge state={state} />
          {!isPending && (
            <Permitted isAllowed={may(me.data, 'unrestricted')}>
              <DeleteUser id={id} path={path} />
            </Permitted>
          )}
        </>
      }
    >
      <Loaded query={user}>
        {(data) => (
          <div className="stack">
            {data.deletion && <Deletion deletion={data.deletion} />}
            <Card title="Overview">
              <Facts items={factsOf(id, data, nameOf)} />
            </Card>
            <Accounts id={id} />
            <Sessions id={id} />
            {may(me.data, 'sessions:read') && <Notes userId={id} />}
          </div>
        )}
      </Loaded>
    </Page>
  )
}

const factsOf = (id: string, user: User, nameOf: (slug: string) => string) =>
  [
    ['Active accounts', `${user.active_accounts} of ${user.accounts}`],
    ['Applications', user.toolkits.map(nameOf).join(', ') || undefined],
    ['Sessions', user.sessions],
    [
      'Executions in 7 days',
      <Link key="logs" href={`/logs?user_id=${encodeURIComponent(id)}&range=7d`}>
        {user.calls_7d.toLocaleString('en')}, {user.failed_7d.toLocaleString('en')} failed
      </Link>,
    ],
    ['Last call', <DateTime key="last" value={user.last_call_at} />],
    ['Applications with notes of agents', user.memories],
    ['Recipes', user.recipes],
  ] as const

function Deletion({ deletion }: { deletion: UserDeletion }) {
  const removed = Object.entries(deletion.removed)
    .map(([kind, count]) => `${count} ${kind.replaceAll('_', ' ')}`)
    .join(', ')
  return (
    <Card title="Deletion">
      <p role="status">
        <StatusBadge status={deletion.status} />{' '}
        {deletion.status === 'pending'
          ? 'The server revokes and removes everything of this user.'
          : removed
            ? `Removed: ${removed}.`
            : 'Nothing was left to remove.'}
      </p>
      {deletion.status === 'pending' && removed && <p className="hint">Removed so far: {removed}.</p>}
      {deletion.last_error && <p className="field-error">{deletion.last_error}</p>}
    </Card>
  )
}

function Accounts({ id }: { id: string }) {
  const accounts = useApi<{ items: ConnectedAccount[] }>({
    path: '/connected_accounts',
    query: { user_ids: [id], account_type: 'ALL', limit: 100 },
  })
  const nameOf = useToolkitNames((accounts.data?.items ?? []).map(({ toolkit }) => toolkit.slug))
  return (
    <Card title="Accounts">
      <Loaded query={accounts}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="hint">This user has no connected accounts.</p>
          ) : (
            <ul className="timeline">
              {items.map((account) => (
                <li key={account.id}>
                  <div className="row">
                    <Link href={`/accounts/${account.id}`}>{nameOf(account.toolkit.slug)}</Link>
                    <StatusBadge status={account.status} />
                    <span className="hint">{account.identity?.email ?? account.alias ?? account.id}</span>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

function Sessions({ id }: { id: string }) {
  const sessions = useApi<ReplyOf<typeof listSessions>>({
    path: '/tool_router/session',
    query: { user_id: id, limit: 20 },
  })
  return (
    <Card title="Sessions">
      <Loaded query={sessions}>
        {({ items, total_items: total }) =>
          items.length === 0 ? (
            <p className="hint">This user has no sessions.</p>
          ) : (
            <>
              <ul className="timeline">
                {items.map((session) => (
                  <li key={session.session_id}>
                    <div className="row">
                      <Link href={`/sessions/${session.session_id}`}>{session.session_id}</Link>
                      <span className="hint">
                        last used <DateTime value={session.last_used_at} />
                      </span>
                    </div>
                  </li>
                ))}
              </ul>
              {total > items.length && (
                <Link href={`/sessions?user=${encodeURIComponent(id)}`}>All {total} sessions</Link>
              )}
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

function DeleteUser({ id, path }: { id: string; path: string }) {
  const [isOpen, setOpen] = useState(false)
  const remove = useApiMutation<void, UserDeletion>(() => ({ method: 'DELETE', path }), {
    invalidates: ['/users', '/connected_accounts', '/tool_router/session', '/logs'],
    onSuccess: () => {
      setOpen(false)
      showToast('The deletion has started')
    },
  })
  return (
    <>
      <Button icon="trash" look="danger" onClick={() => setOpen(true)}>
        Delete user
      </Button>
      <ConfirmDialog
        title="Delete this user"
        action="Delete user"
        typed={id}
        isOpen={isOpen}
        request={remove}
        onClose={() => setOpen(false)}
      >
        <p>
          The server revokes the access of all accounts at their providers, and deletes accounts, sessions
          with their files, notes of agents, recipes, approvals and the execution log of this user. This
          cannot be undone.
        </p>
      </ConfirmDialog>
    </>
  )
}
