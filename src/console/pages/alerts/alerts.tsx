import { useState } from 'react'
import type { AlertRule } from '../../../contract/alerts.ts'
import { may, useApi, useMe } from '../../api/index.ts'
import {
  Button,
  type Column,
  DateTime,
  EmptyState,
  Loaded,
  Page,
  RestrictedForms,
  StatusBadge,
  Table,
} from '../../components/index.ts'
import { useLastFound } from '../../components/use-last-found.ts'
import { useUrlFilters } from '../../components/url-filters.ts'
import { AlertDrawer } from './alert-drawer.tsx'
import { channelLabel, describeRule, stateOf, valueText } from './conditions.ts'
import { NewAlertDialog } from './new-alert.tsx'

/** Rules are checked once a minute. */
const RELOAD_MS = 15_000

const COLUMNS: Column<AlertRule>[] = [
  { id: 'name', header: 'Name', cell: ({ row }) => <strong>{row.original.name}</strong> },
  { id: 'condition', header: 'Condition', cell: ({ row }) => describeRule(row.original) },
  {
    id: 'state',
    header: 'State',
    cell: ({ row: { original } }) => {
      const [status, label] = stateOf(original)
      return (
        <span className="row">
          <StatusBadge status={status} label={label} />
          {original.last_error !== null && <StatusBadge status="ERROR" label="Not sent" />}
        </span>
      )
    },
  },
  {
    id: 'value',
    header: 'Value',
    cell: ({ row: { original } }) => <span className="number">{valueText(original)}</span>,
  },
  {
    id: 'channel',
    header: 'Notifies',
    cell: ({ row: { original } }) => (
      <span className="break">
        {channelLabel(original.channel)}: {original.target}
      </span>
    ),
  },
  {
    id: 'checked',
    header: 'Checked',
    cell: ({ row: { original } }) =>
      original.checked_at === null ? 'not yet' : <DateTime value={original.checked_at} />,
  },
]

/** Rules that notify people when something in the project needs them. */
export default function Alerts() {
  const me = useMe()
  const [parameters, set] = useUrlFilters()
  const [isCreating, setCreating] = useState(false)
  const rules = useApi<{ items: AlertRule[] }>({ path: '/alert_rules' }, { refetchInterval: RELOAD_MS })
  const canWrite = may(me.data, 'webhooks:write')
  const open = parameters.get('rule')
  const rule = useLastFound(
    open,
    rules.data?.items.find(({ id }) => id === open),
  )
  const create = canWrite && (
    <Button icon="plus" look="primary" onClick={() => setCreating(true)}>
      Create rule
    </Button>
  )
  return (
    <Page
      title="Alerts"
      lead="People are notified when a condition begins, and when it ends. Rules are checked every minute."
      actions={create}
    >
      <Loaded query={rules} lines={8}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon="bell" title="No rules yet">
              Create a rule to learn of expired accounts, stalled triggers, failing webhooks and failed
              executions before your users report them.
            </EmptyState>
          ) : (
            <Table
              label="Alert rules"
              columns={COLUMNS}
              rows={items}
              rowId={({ id }) => id}
              onOpen={({ id }) => set({ rule: id })}
            />
          )
        }
      </Loaded>
      {isCreating && (
        <RestrictedForms isAllowed={canWrite}>
          <NewAlertDialog onClose={() => setCreating(false)} />
        </RestrictedForms>
      )}
      <AlertDrawer rule={rule} canWrite={canWrite} onClose={() => set({ rule: undefined })} />
    </Page>
  )
}
