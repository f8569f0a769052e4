import { Link } from 'wouter'
import type { ToolExecutionLog } from '../../../contract/logs/index.ts'
import { useApi } from '../../api/index.ts'
import { CopyButton, DateTime, Drawer, JsonView, Loaded, StatusBadge } from '../../components/index.ts'
import { Facts } from '../../components/facts.tsx'
import { Waterfall } from './waterfall.tsx'

/** One execution: its outcome, durations, arguments and result. */
export function LogDrawer({ id, onClose }: { id: string | undefined; onClose(): void }) {
  const log = useApi<ToolExecutionLog>(id === undefined ? undefined : { path: `/logs/tool_execution/${id}` })
  return (
    <Drawer title="Execution" isOpen={id !== undefined} onClose={onClose} isWide>
      <Loaded query={log}>{(data) => <Details log={data} />}</Loaded>
    </Drawer>
  )
}

const Details = ({ log }: { log: ToolExecutionLog }) => (
  <div className="stack">
    <div className="row">
      <StatusBadge status={log.status} />
      <code>{log.metadata.tool_slug}</code>
      {log.metadata.dry_run && <span className="badge soft">Dry run</span>}
    </div>
    {log.message && <p>{log.message}</p>}
    <Facts items={factsOf(log)} />
    <Waterfall metrics={log.metrics} />
    <div className="row">
      <Link className="button plain" href={playgroundPath(log)}>
        Open in the playground
      </Link>
      <CopyButton label="Copy for support" text={supportText(log)} />
    </div>
    {log.data.request ? (
      <JsonView label="Arguments" value={argumentsOf(log) ?? log.data.request} />
    ) : (
      <p className="hint">The project stores no arguments and results.</p>
    )}
    {log.data.response && <JsonView label="Result" value={log.data.response} />}
  </div>
)

function factsOf({ metadata, metrics, context, source, parent, ...log }: ToolExecutionLog) {
  const { user_id: user, connected_account_id: account } = metadata
  return [
    ['Time', <DateTime key="time" value={log.timestamp} isExact />],
    ['User', user && <Link href={`/users/${encodeURIComponent(user)}`}>{user}</Link>],
    ['Account', account && <Link href={`/accounts/${account}`}>{account}</Link>],
    [
      'Session',
      context.session_id && <Link href={`/sessions/${context.session_id}`}>{context.session_id}</Link>,
    ],
    ['Application status', metadata.status_code ?? undefined],
    ['Requests to the application', metrics.requests ?? undefined],
    ['Version', metadata.version],
    ['Request id', <code key="request">{context.request_id}</code>],
    [
      'Client',
      [source.framework, source.language, source.sdk_version].filter(Boolean).join(' ') || undefined,
    ],
    ['Called by', parent ? <Link href={`/logs?log=${parent.log_id}`}>{parent.tool_slug}</Link> : undefined],
  ] as const
}

/** The stored arguments; undefined if the project stores none. */
const argumentsOf = ({ data }: ToolExecutionLog): unknown =>
  (data.request as { arguments?: unknown } | undefined)?.arguments

/** The playground with the tool, the user and the arguments of this execution. */
function playgroundPath(log: ToolExecutionLog): string {
  const { metadata } = log
  const parameters = new URLSearchParams({ tool: metadata.tool_slug })
  if (metadata.user_id) parameters.set('user', metadata.user_id)
  const sent = argumentsOf(log)
  if (sent !== undefined) parameters.set('arguments', JSON.stringify(sent))
  return `/playground?${parameters}`
}

/** What support needs to find the execution. It has no arguments and no result. */
const supportText = ({ id, context, metadata, status, message, timestamp }: ToolExecutionLog): string =>
  [
    `log ${id}`,
    `request ${context.request_id}`,
    `time ${timestamp}`,
    `tool ${metadata.tool_slug} ${metadata.version}`,
    `outcome ${status}${metadata.status_code === null ? '' : `, application status ${metadata.status_code}`}`,
    message,
  ].join('\n')
