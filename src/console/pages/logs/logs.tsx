import { useCallback, useMemo, useState } from 'react'
import {
  Button,
  type Column,
  DateTime,
  EmptyState,
  ErrorState,
  Page,
  Skeleton,
  StatusBadge,
  Table,
} from '../../components/index.ts'
import { ExportMenu } from '../../components/export-menu.tsx'
import { Filters } from '../../components/filters.tsx'
import { LiveBadge } from '../../components/live-badge.tsx'
import { useUrlFilters } from '../../components/url-filters.ts'
import { FILTERS, searchOf } from './filters.ts'
import { LogDrawer } from './log-drawer.tsx'
import { type LogEntry, useLogs } from './use-logs.ts'

const COLUMNS: Column<LogEntry>[] = [
  {
    id: 'time',
    header: 'Time',
    cell: ({ row }) => <DateTime value={row.original.timestamp} isExact />,
  },
  {
    id: 'status',
    header: 'Outcome',
    cell: ({ row }) => <StatusBadge status={row.original.status} />,
  },
  {
    id: 'tool',
    header: 'Tool',
    cell: ({ row }) => <code>{row.original.metadata.tool_slug}</code>,
  },
  { id: 'user', header: 'User', cell: ({ row }) => row.original.metadata.user_id ?? '' },
  {
    id: 'duration',
    header: 'Duration',
    cell: ({ row }) => (
      <span className="number">
        {row.original.metrics.duration_ms === null ? '' : `${row.original.metrics.duration_ms} ms`}
      </span>
    ),
  },
  { id: 'message', header: 'Message', cell: ({ row }) => row.original.message.slice(0, 120) },
]

/** Executions of tools: a list of any length, filters in the URL, and what is new at once. */
export default function Logs() {
  const [parameters, set] = useUrlFilters()
  const [now] = useState(() => Date.now())
  const isLive = parameters.get('live') !== 'off'
  const body = useMemo(() => searchOf(parameters, now), [parameters, now])
  const logs = useLogs(body, isLive)
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = logs
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])

  return (
    <Page
      title="Logs"
      lead="Every execution of a tool, newest first. Open one for its arguments, result and durations."
      actions={
        <>
          {isLive && logs.liveState !== 'paused' && <LiveBadge state={logs.liveState} />}
          <ExportMenu
            name="executions"
            start={() => (page) => ({
              method: 'POST',
              path: '/logs/tool_execution/export',
              body: { ...body, ...page },
            })}
          />
          <Button
            icon={isLive ? 'pause' : 'play'}
            aria-pressed={isLive}
            onClick={() => set({ live: isLive ? 'off' : undefined })}
          >
            {isLive ? 'Pause' : 'Follow'}
          </Button>
        </>
      }
    >
      <div className="stack">
        <Filters fields={FILTERS} />
        {isLive && logs.liveState === 'paused' && (
          <p className="form-error" role="alert">
            New executions do not arrive: the connection to the server is interrupted. The page connects again
            automatically.
          </p>
        )}
        <LogRows logs={logs} onOpen={(id) => set({ log: id })} onEnd={onEnd} />
      </div>
      <LogDrawer id={parameters.get('log') ?? undefined} onClose={() => set({ log: undefined })} />
    </Page>
  )
}

interface RowsProps {
  logs: ReturnType<typeof useLogs>
  onOpen(id: string): void
  onEnd(): void
}

function LogRows({ logs, onOpen, onEnd }: RowsProps) {
  const { rows, error } = logs
  if (!rows && error) return <ErrorState failure={error} onRetry={() => void logs.refetch()} />
  if (!rows) return <Skeleton lines={10} />
  if (rows.length === 0)
    return (
      <EmptyState icon="logs" title="No executions match">
        Execute a tool in the playground, or clear the filters. New executions appear here at once.
      </EmptyState>
    )
  return (
    <>
      <Table
        label="Executions"
        columns={COLUMNS}
        rows={rows}
        rowId={({ id }) => id}
        onOpen={({ id }) => onOpen(id)}
        onEnd={onEnd}
      />
      <p className="hint" role="status">
        {rows.length === 1 ? 'One execution' : `${rows.length.toLocaleString('en')} executions`}
        {logs.hasNextPage ? ' so far; scroll for older ones' : ''}
        {logs.isFetchingNextPage ? ', loading…' : ''}
      </p>
    </>
  )
}
