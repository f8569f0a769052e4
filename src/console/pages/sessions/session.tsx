import { useMemo } from 'react'
import { Link, useParams } from 'wouter'
import type { listMountItems, Session, sessionConfigHistory } from '../../../contract/sessions/index.ts'
import type { ReplyOf } from '../../../contract/route.ts'
import { useApi, useApiList } from '../../api/index.ts'
import { Card, DateTime, JsonView, Loaded, Page, StatusBadge, Tabs } from '../../components/index.ts'
import { Facts } from '../../components/facts.tsx'
import { useLogs } from '../logs/use-logs.ts'
import { Inspector } from '../mcp/inspector.tsx'
import { Snippets } from '../mcp/snippets.tsx'

type Version = ReplyOf<typeof sessionConfigHistory>['items'][number]

/** One session: its configuration over time, its calls and its files. */
export default function SessionPage() {
  const { id } = useParams<{ id: string }>()
  const path = `/tool_router/session/${id}`
  const session = useApi<Session>({ path })
  return (
    <Page title="Session" lead={<code>{id}</code>}>
      <Loaded query={session}>
        {(data) => (
          <div className="stack">
            <Card title="Overview">
              <Facts
                items={[
                  [
                    'User',
                    <Link key="user" href={`/users/${encodeURIComponent(data.config.user_id)}`}>
                      {data.config.user_id}
                    </Link>,
                  ],
                  ['Configuration', `version ${data.config_version}`],
                  ['Applications', data.config.toolkits?.enabled?.join(', ') ?? 'all'],
                  ['URL for MCP clients', <code key="url">{data.mcp.url}</code>],
                ]}
              />
            </Card>
            <Tabs
              label="Parts of the session"
              tabs={[
                { id: 'calls', label: 'Calls', content: <Calls id={id} /> },
                { id: 'config', label: 'Configuration', content: <History path={path} /> },
                { id: 'files', label: 'Files', content: <Files path={path} /> },
                {
                  id: 'connect',
                  label: 'Connect a client',
                  content: <Snippets path={`${path}/client_configs`} />,
                },
                { id: 'inspector', label: 'Inspector', content: <Inspector url={data.mcp.url} /> },
              ]}
            />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

/** The calls of the session, newest first, as they are made. */
function Calls({ id }: { id: string }) {
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
        </>
      )}
    </Loaded>
  )
}

/** Each version of the configuration, with what changed since the one before. */
function History({ path }: { path: string }) {
  const history = useApiList<Version>({ path: `${path}/config_history` }, 20)
  return (
    <Loaded query={{ ...history, data: history.rows }}>
      {(versions) => (
        <ol className="timeline">
          {versions.map((version, index) => (
            <li key={version.version}>
              <p>
                Version {version.version} <DateTime value={version.created_at} />{' '}
                {version.is_current && <StatusBadge status="ACTIVE" label="Current" />}
              </p>
              <Changes current={version.config} former={versions[index + 1]?.config} />
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  )
}

/** The parts of a configuration that differ from the former one; all of the first version. */
function Changes({ current, former }: { current: object; former: object | undefined }) {
  if (!former) return <JsonView label="Configuration" value={current} />
  const before = former as Record<string, unknown>
  const changed = Object.entries(current).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  )
  const removed = Object.keys(before).filter((name) => !(name in current))
  return (
    <>
      {changed.map(([name, value]) => (
        <div key={name}>
          <h3>{name}</h3>
          <JsonView label="Before" value={before[name] ?? null} />
          <JsonView label="After" value={value} />
        </div>
      ))}
      {removed.length > 0 && <p>Removed: {removed.join(', ')}.</p>}
      {changed.length + removed.length === 0 && <p className="hint">Nothing changed.</p>}
    </>
  )
}

/** Files of the session. */
function Files({ path }: { path: string }) {
  const files = useApiList<ReplyOf<typeof listMountItems>['items'][number]>({
    path: `${path}/mounts/files/items`,
  })
  return (
    <Loaded query={{ ...files, data: files.rows }}>
      {(items) => (
        <>
          {items.length === 0 && <p className="hint">The session has no files.</p>}
          <ul className="timeline">
            {items.map((file) => (
              <li key={file.mount_relative_path}>
                <code>{file.mount_relative_path}</code>{' '}
                <span className="hint">
                  {file.size.toLocaleString('en')} bytes, <DateTime value={file.last_modified} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Loaded>
  )
}
