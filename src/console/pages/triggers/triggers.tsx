import { Link } from 'wouter'
import type { TriggerInstance } from '../../../contract/triggers/index.ts'
import { may, useApiList, useMe } from '../../api/index.ts'
import { useLive, usePolling } from '../../api/live.ts'
import { type Column, DateTime, EmptyState, Page, StatusBadge } from '../../components/index.ts'
import { LiveBadge } from '../../components/live-badge.tsx'
import { RecordList } from '../../components/record-list.tsx'
import { useUrlFilters } from '../../components/url-filters.ts'
import { stateOf } from './instance-state.ts'
import { TriggerDrawer } from './trigger-drawer.tsx'

/** Polls have no event when they find nothing, so the list is read again while it is shown. */
const POLL_MS = 10_000

const COLUMNS: Column<TriggerInstance>[] = [
  { id: 'type', header: 'Type', cell: ({ row }) => <code>{row.original.trigger_name}</code> },
  { id: 'user', header: 'User', cell: ({ row }) => row.original.user_id },
  {
    id: 'state',
    header: 'State',
    cell: ({ row }) => {
      const [status, label] = stateOf(row.original)
      return <StatusBadge status={status} label={label} />
    },
  },
  {
    id: 'next',
    header: 'Next poll',
    cell: ({ row: { original } }) =>
      original.state.next_run ? (
        <DateTime value={original.state.next_run} />
      ) : (
        <span className="hint">{original.disabled_at ? 'none' : 'by webhook'}</span>
      ),
  },
  {
    id: 'lag',
    header: 'Lag',
    cell: ({ row: { original } }) => (
      <span className="number">
        {typeof original.state.lag_seconds === 'number' ? `${Math.round(original.state.lag_seconds)} s` : ''}
      </span>
    ),
  },
]

/** Trigger instances: what is watched for whom, and how far behind it is. */
export default function Triggers() {
  const [parameters, set] = useUrlFilters()
  const me = useMe()
  const { state } = useLive()
  const triggers = useApiList<TriggerInstance>({
    path: '/trigger_instances/active',
    query: { show_disabled: true },
  })
  usePolling(true, POLL_MS, () => void triggers.refetch())
  const open = parameters.get('trigger')
  const instance = triggers.rows?.find(({ id }) => id === open)
  return (
    <Page
      title="Triggers"
      lead="Events in the applications of your users that the server watches."
      actions={
        <>
          <LiveBadge state={state} />
          {may(me.data, 'triggers:write') && (
            <Link href="/triggers/new" className="button primary">
              New trigger
            </Link>
          )}
        </>
      }
    >
      <RecordList
        label="Trigger instances"
        list={triggers}
        columns={COLUMNS}
        rowId={({ id }) => id}
        onOpen={({ id }) => set({ trigger: id })}
        empty={
          <EmptyState icon="trigger" title="No triggers yet">
            Choose an event of an application, such as a new issue, and the account to watch.
          </EmptyState>
        }
      />
      <TriggerDrawer instance={instance} onClose={() => set({ trigger: undefined })} />
    </Page>
  )
}
