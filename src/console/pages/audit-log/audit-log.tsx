import { useMemo } from 'react'
import type { OperationSummary } from '../../../contract/operation-summary.ts'
import { callApi, useApiList } from '../../api/index.ts'
import { type Column, DateTime, EmptyState, Page } from '../../components/index.ts'
import { ExportMenu, type PageRequest } from '../../components/export-menu.tsx'
import { dayBounds, type Filter, Filters, hasFilters } from '../../components/filters.tsx'
import { RecordList } from '../../components/record-list.tsx'
import { useUrlFilters } from '../../components/url-filters.ts'
import { useOperations } from '../../shell/samples/operations.ts'
import { actorText, type AuditEntry } from './entry.ts'
import { ActionName, EntryDrawer, OutcomeBadge } from './entry-drawer.tsx'
import { Verification } from './verification.tsx'
import { actionOptions, OBJECT_OPTIONS, objectName, OUTCOME_OPTIONS } from './wording.ts'

const COLUMNS: Column<AuditEntry>[] = [
  { id: 'time', header: 'Time', cell: ({ row }) => <DateTime value={row.original.time} isExact /> },
  { id: 'actor', header: 'Who', cell: ({ row }) => actorText(row.original.actor) },
  { id: 'action', header: 'Operation', cell: ({ row }) => <ActionName action={row.original.action} /> },
  {
    id: 'object',
    header: 'Object',
    cell: ({ row: { original } }) => (
      <>
        {objectName(original.object.type)} {original.object.id && <code>{original.object.id}</code>}
      </>
    ),
  },
  {
    id: 'outcome',
    header: 'Outcome',
    cell: ({ row }) => <OutcomeBadge outcome={row.original.outcome} />,
  },
]

const filtersOf = (operations: readonly OperationSummary[]): readonly Filter[] => [
  {
    kind: 'choice',
    name: 'outcome',
    label: 'Outcome',
    all: 'All outcomes',
    options: OUTCOME_OPTIONS,
  },
  {
    kind: 'choice',
    name: 'action',
    label: 'Operation',
    all: 'All operations',
    options: actionOptions(operations),
  },
  { kind: 'day', name: 'from', label: 'From' },
  { kind: 'day', name: 'until', label: 'Until' },
  { kind: 'text', name: 'actor', label: 'Id of the caller', isRare: true },
  {
    kind: 'choice',
    name: 'kind',
    label: 'Kind of object',
    all: 'All kinds',
    options: OBJECT_OPTIONS,
    isRare: true,
  },
  { kind: 'text', name: 'object', label: 'Id of the object', isRare: true },
]

/** Reads the filters of the API from the URL. */
const queryOf = (filters: URLSearchParams) => ({
  outcome: filters.get('outcome') ?? undefined,
  action: filters.get('action') ?? undefined,
  actor_id: filters.get('actor') ?? undefined,
  object_type: filters.get('kind') ?? undefined,
  object_id: filters.get('object') ?? undefined,
  from: dayBounds(filters.get('from'))?.start,
  to: dayBounds(filters.get('until'))?.end,
})

/** Who changed what in the project, with the values before and after. */
export default function AuditLog() {
  return (
    <Entries
      title="Audit log"
      lead="Who changed what in this project. Entries cannot be changed: each contains a hash of the one before."
      empty="Changes of settings, keys, accounts and applications appear here. Executions are in the logs."
      path="/audit_log"
      file="audit-log"
    />
  )
}

interface EntriesProps {
  title: string
  lead: string
  /** What appears in an empty log. */
  empty: string
  /** Path of the log in the API, below which are `/export` and `/verify`. */
  path: '/audit_log' | '/org/audit_log'
  /** Name of exported files, without extension. */
  file: string
  /** A filter that this log always has. */
  always?: { scope: 'organization' }
}

/** A page with the entries of an audit log: filters, export and verification. */
export function Entries({ title, lead, empty, path, file, always }: EntriesProps) {
  const [filters, set] = useUrlFilters()
  const query = { ...queryOf(filters), ...always }
  const operations = useOperations()
  const fields = useMemo(() => filtersOf(operations.data?.items ?? []), [operations.data])
  const entries = useApiList<AuditEntry>({ path, query })
  const isFiltered = hasFilters(fields, filters)
  return (
    <Page
      title={title}
      lead={lead}
      actions={
        <>
          <ExportMenu name={file} start={() => startExport(path, query)} />
          <Verification path={path} />
        </>
      }
    >
      <div className="stack">
        <Filters fields={fields} />
        <RecordList
          label="Entries of the audit log"
          list={entries}
          columns={COLUMNS}
          rowId={({ id }) => id}
          onOpen={({ id }) => set({ entry: id })}
          empty={
            <EmptyState icon="clock" title={isFiltered ? 'No entry matches' : 'No entries yet'}>
              {isFiltered ? 'Change or clear the filters. An id must match exactly.' : empty}
            </EmptyState>
          }
        />
      </div>
      <EntryDrawer entry={entries.rows?.find(({ id }) => id === filters.get('entry'))} set={set} />
    </Page>
  )
}

/**
 * Ends the export at the newest entry of now: each page that is exported adds an entry, which would move the rows of
 * the pages after it.
 */
async function startExport(
  path: EntriesProps['path'],
  query: ReturnType<typeof queryOf>,
): Promise<PageRequest> {
  const { items } = await callApi<{ items: AuditEntry[] }>({
    path,
    query: { ...query, limit: 1 },
  })
  const newest = items[0] && Date.parse(items[0].time)
  const to = newest === undefined ? query.to : new Date(newest + 1).toISOString()
  return ({ format, limit, cursor }) => ({
    path: `${path}/export`,
    query: { ...query, to, format, limit, cursor: cursor ?? undefined },
  })
}
