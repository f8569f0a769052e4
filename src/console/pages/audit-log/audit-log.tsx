import { useSearchParams } from 'wouter'
import { useApiList } from '../../api/index.ts'
import { type Column, DateTime, EmptyState, Page, Select, StatusBadge } from '../../components/index.ts'
import { RecordList } from '../../components/record-list.tsx'
import { actorText, type AuditEntry } from './entry.ts'
import { EntryDrawer } from './entry-drawer.tsx'
import { Verification } from './verification.tsx'

const OUTCOMES = [
  { value: 'all', label: 'All outcomes' },
  { value: 'success', label: 'Succeeded' },
  { value: 'failure', label: 'Failed' },
  { value: 'unknown', label: 'Not finished' },
]
const COLUMNS: Column<AuditEntry>[] = [
  { id: 'time', header: 'Time', cell: ({ row }) => <DateTime value={row.original.time} isExact /> },
  { id: 'actor', header: 'Who', cell: ({ row }) => actorText(row.original.actor) },
  { id: 'action', header: 'Operation', cell: ({ row }) => <code>{row.original.action}</code> },
  {
    id: 'object',
    header: 'Object',
    cell: ({ row: { original } }) => original.object.id ?? original.object.type,
  },
  {
    id: 'outcome',
    header: 'Outcome',
    cell: ({ row: { original } }) => (
      <StatusBadge status={original.outcome === 'failure' ? 'failed' : original.outcome} />
    ),
  },
]

/** Who changed what in the project, with the values before and after. */
export default function AuditLog() {
  const [parameters, setParameters] = useSearchParams()
  const outcome = parameters.get('outcome') ?? ''
  const entries = useApiList<AuditEntry>({ path: '/audit_log', query: { outcome } })
  const set = (name: string, value: string | undefined) => {
    const next = new URLSearchParams(parameters)
    if (!value || value === 'all') next.delete(name)
    else next.set(name, value)
    setParameters(next, { replace: true })
  }
  return (
    <Page
      title="Audit log"
      lead="Who changed what in this project. Entries cannot be changed: each contains a hash of the one before."
      actions={<Verification />}
    >
      <div className="stack">
        <section className="filters" aria-label="Filters">
          <Select
            label="Outcome"
            options={OUTCOMES}
            value={outcome || 'all'}
            onChange={(value) => set('outcome', value)}
          />
        </section>
        <RecordList
          label="Entries of the audit log"
          list={entries}
          columns={COLUMNS}
          rowId={({ id }) => id}
          onOpen={({ id }) => set('entry', id)}
          empty={
            <EmptyState icon="clock" title={outcome ? 'No entry matches' : 'No entries yet'}>
              Changes of settings, keys, accounts and applications appear here. Executions are in the logs.
            </EmptyState>
          }
        />
      </div>
      <EntryDrawer
        entry={entries.rows?.find(({ id }) => id === parameters.get('entry'))}
        onClose={() => set('entry', undefined)}
      />
    </Page>
  )
}
