import { useState } from 'react'
import type { Incident } from '../../../contract/incidents.ts'
import { useApiList } from '../../api/index.ts'
import { Button, type Column, DateTime, EmptyState, Page, StatusBadge } from '../../components/index.ts'
import { RecordList } from '../../components/record-list.tsx'
import { useUrlFilters } from '../../components/url-filters.ts'
import { FreezeDialog } from './freeze-dialog.tsx'
import { IncidentDrawer } from './incident-drawer.tsx'

/** What an incident covers, in words. */
const scopeOf = ({ project_id: project, toolkit_slug: toolkit, user_id: user }: Incident): string =>
  [toolkit, user && `user ${user}`, project && `project ${project}`].filter(Boolean).join(', ')

/** How far the revocation is, as one word. */
export const progressOf = ({
  frozen,
  revocations: { pending, failed },
}: Incident): [status: string, label: string] => {
  if (pending > 0) return ['PENDING', `${pending} of ${frozen} left`]
  return failed > 0 ? ['ERROR', `${failed} failed`] : ['OK', 'Finished']
}

const COLUMNS: Column<Incident>[] = [
  { id: 'scope', header: 'Accounts of', cell: ({ row }) => <strong>{scopeOf(row.original)}</strong> },
  { id: 'reason', header: 'Reason', cell: ({ row }) => row.original.reason ?? '' },
  {
    id: 'frozen',
    header: 'Frozen',
    cell: ({ row }) => <span className="number">{row.original.frozen}</span>,
  },
  {
    id: 'progress',
    header: 'Revocation',
    cell: ({ row }) => {
      const [status, label] = progressOf(row.original)
      return <StatusBadge status={status} label={label} />
    },
  },
  { id: 'created', header: 'When', cell: ({ row }) => <DateTime value={row.original.created_at} /> },
]

/** Freezes of accounts after a leak, in all projects of the organization. */
export default function Incidents() {
  const [parameters, set] = useUrlFilters()
  const [isFreezing, setFreezing] = useState(false)
  const incidents = useApiList<Incident>({ path: '/org/incidents' })
  const open = parameters.get('incident')
  const show = (id: string) => set({ incident: id })
  return (
    <Page
      title="Incidents"
      lead="After a leak: freeze the accounts concerned, and revoke their access at the applications."
      actions={
        <Button icon="warning" look="danger" onClick={() => setFreezing(true)}>
          Freeze accounts
        </Button>
      }
    >
      <RecordList
        label="Incidents"
        list={incidents}
        columns={COLUMNS}
        rowId={({ id }) => id}
        onOpen={({ id }) => show(id)}
        empty={
          <EmptyState icon="shield" title="No incidents">
            If credentials may have leaked, freeze the accounts of a user, an application or a project. Calls
            with them fail at once.
          </EmptyState>
        }
      />
      {isFreezing && (
        <FreezeDialog
          onClose={() => setFreezing(false)}
          onCreated={(id) => {
            setFreezing(false)
            show(id)
          }}
        />
      )}
      <IncidentDrawer id={open} onClose={() => set({ incident: undefined })} />
    </Page>
  )
}
