import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { TriggerInstance, TriggerLog } from '../../../contract/triggers/index.ts'
import {
  type ApiFailure,
  callApi,
  currentProject,
  may,
  useApiMutation,
  useMe,
  useScreenRequest,
  useStore,
} from '../../api/index.ts'
import {
  Button,
  ConfirmDialog,
  DateTime,
  Drawer,
  FormError,
  JsonView,
  Loaded,
  RestrictedForms,
  showToast,
  StatusBadge,
} from '../../components/index.ts'
import { Facts } from '../../components/facts.tsx'
import { stateOf } from './instance-state.ts'

const CHANGED = ['/trigger_instances', '/overview']
const LOGS_MS = 10_000

/** One instance: its polls, its log, and how to stop it. */
export function TriggerDrawer({
  instance,
  onClose,
}: {
  instance: TriggerInstance | undefined
  onClose(): void
}) {
  return (
    <Drawer title="Trigger instance" isOpen={instance !== undefined} onClose={onClose} isWide>
      {instance && <Details instance={instance} onDeleted={onClose} />}
    </Drawer>
  )
}

function Details({ instance, onDeleted }: { instance: TriggerInstance; onDeleted(): void }) {
  const [status, label] = stateOf(instance)
  const { state } = instance
  return (
    <div className="stack">
      <div className="row">
        <StatusBadge status={status} label={label} />
        <code>{instance.trigger_name}</code>
      </div>
      {instance.disabled_reason && <p>Disabled: {instance.disabled_reason.replaceAll('_', ' ')}.</p>}
      <Facts
        items={[
          ['Id', <code key="id">{instance.id}</code>],
          [
            'User',
            <Link key="user" href={`/users/${encodeURIComponent(instance.user_id)}`}>
              {instance.user_id}
            </Link>,
          ],
          [
            'Account',
            <Link key="account" href={`/accounts/${instance.connected_account_id}`}>
              {instance.connected_account_id}
            </Link>,
          ],
          ['Next poll', state.next_run ? <DateTime value={state.next_run} /> : undefined],
          ['Last successful poll', state.last_ok ? <DateTime value={state.last_ok} /> : undefined],
          [
            'Lag',
            typeof state.lag_seconds === 'number' ? `${Math.round(state.lag_seconds)} seconds` : undefined,
          ],
        ]}
      />
      <Actions instance={instance} onDeleted={onDeleted} />
      <JsonView label="Configuration" value={instance.trigger_config} />
      <Log id={instance.id} />
    </div>
  )
}

function Actions({ instance, onDeleted }: { instance: TriggerInstance; onDeleted(): void }) {
  const me = useMe()
  const [isDeleting, setDeleting] = useState(false)
  const path = `/trigger_instances/manage/${instance.id}`
  const change = useApiMutation<'enable' | 'disable'>(
    (status) => ({ method: 'PATCH', path, body: { status } }),
    {
      invalidates: CHANGED,
      onSuccess: (_, status) => showToast(status === 'enable' ? 'Trigger enabled' : 'Trigger disabled'),
    },
  )
  const remove = useApiMutation<void>(() => ({ method: 'DELETE', path }), {
    invalidates: CHANGED,
    onSuccess: () => {
      showToast('The trigger was deleted')
      onDeleted()
    },
  })
  const test = useApiMutation<void, { payload: unknown }>(() => ({ method: 'POST', path: `${path}/test` }), {
    invalidates: [...CHANGED, '/events'],
    onSuccess: () =>
      showToast('Test event published', 'It is in the log below, and on its way to your webhooks.'),
  })
  const isAllowed = may(me.data, 'triggers:write')
  const next = instance.disabled_at ? 'enable' : 'disable'
  return (
    <>
      {isAllowed && (
        <div className="row">
          <Button
            icon={next === 'enable' ? 'play' : 'pause'}
            isBusy={change.isPending}
            onClick={() => change.mutate(next)}
          >
            {next === 'enable' ? 'Enable' : 'Disable'}
          </Button>
          <Button icon="events" isBusy={test.isPending} onClick={() => test.mutate()}>
            Send test event
          </Button>
          <Button icon="trash" look="danger" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        </div>
      )}
      <FormError failure={change.error ?? test.error} />
      {test.data && <JsonView label="Data of the test event" value={test.data.payload} />}
      <RestrictedForms isAllowed={isAllowed}>
        <ConfirmDialog
          title="Delete the trigger"
          action="Delete trigger"
          isOpen={isDeleting}
          request={remove}
          onClose={() => setDeleting(false)}
        >
          <p>The instance publishes no more events. Its log stays.</p>
        </ConfirmDialog>
      </RestrictedForms>
    </>
  )
}

const KINDS: Readonly<Record<string, string>> = {
  event: 'Event',
  failure: 'Poll failed',
  gap: 'Events may be missing',
  disabled: 'Disabled',
  enabled: 'Enabled',
}

/** The last events and failures of the instance. */
function Log({ id }: { id: string }) {
  const project = useStore(currentProject)
  const request = {
    method: 'POST' as const,
    path: '/internal/trigger/logs',
    body: { limit: 20, search_params: [{ field: 'trigger_id', operation: '==', value: id }] },
  }
  useScreenRequest(request)
  const log = useQuery<{ data: TriggerLog[] }, ApiFailure>({
    queryKey: [project ?? '', '/trigger_instances/log', id],
    queryFn: ({ signal }) => callApi(request, signal),
    refetchInterval: LOGS_MS,
  })
  return (
    <section>
      <h3>Log</h3>
      <Loaded query={log}>
        {({ data }) => (
          <>
            {data.length === 0 && <p className="hint">Nothing happened yet.</p>}
            <ol className="timeline">
              {data.map((entry) => (
                <li key={entry.id} className={entry.type === 'failure' || entry.type === 'gap' ? 'bad' : ''}>
                  <p>
                    {KINDS[entry.type] ?? entry.type}{' '}
                    <span className="hint">
                      <DateTime value={new Date(entry.createdAt).toISOString()} />
                    </span>
                  </p>
                  {entry.meta.message && <p>{entry.meta.message}</p>}
                  {entry.meta.triggerClientError && (
                    <p className="field-error">{entry.meta.triggerClientError}</p>
                  )}
                </li>
              ))}
            </ol>
          </>
        )}
      </Loaded>
    </section>
  )
}
