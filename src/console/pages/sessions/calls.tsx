import { useMemo } from 'react'
import { Link } from 'wouter'
import { DateTime, Loaded, Pagination, StatusBadge } from '../../components/index.ts'
import { useLogs } from '../logs/use-logs.ts'

/** The calls of the session, newest first, as they are made. */
export function Calls({ id }: { id: string }) {
  const body = useMemo(
    () => ({ filters: [{ field: 'session_id', operator: '==' as const, value: id }] }),
    [id],
  )
  const logs = useLogs(body, true)
  return (
    <Loaded query={{ ...logs, data: logs.rows }}>
      {(rows) => (
        <>
          {rows.length === 0 && <p className="hint">No tool was called in this session yet.</p>}
          <ol className="timeline">
            {rows.map((log) => (
              <li key={log.id} className={log.status === 'failed' ? 'bad' : 'good'}>
                <div className="row">
                  <Link href={`/logs?session_id=${id}&log=${log.id}`}>{log.metadata.tool_slug}</Link>
                  <StatusBadge status={log.status} />
                  <span className="hint">
                    <DateTime value={log.timestamp} isExact />
                    {log.metrics.duration_ms === null ? '' : `, ${log.metrics.duration_ms} ms`}
                  </span>
                </div>
              </li>
            ))}
          </ol>
          <Pagination of={logs} />
        </>
      )}
    </Loaded>
  )
}
