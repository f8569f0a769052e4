import { useState } from 'react'
import { Link } from 'wouter'
import type { SystemState } from '../../../contract/system.ts'
import { useApi } from '../../api/index.ts'
import {
  Button,
  Card,
  type Column,
  DateTime,
  Loaded,
  Page,
  StatusBadge,
  Table,
} from '../../components/index.ts'
import { capitalize } from '../../components/label.ts'
import { Facts } from '../../components/facts.tsx'
import { Settings } from './settings.tsx'

const RELOAD_MS = 30_000
const MEGABYTE = 1024 * 1024

type Check = SystemState['checks'][number]
type Job = SystemState['jobs'][number]

/** The server itself: version, checks, jobs and settings. */
export default function SystemPage() {
  const system = useApi<SystemState>({ path: '/system' }, { refetchInterval: RELOAD_MS })
  const [isChecking, setChecking] = useState(false)
  const check = async () => {
    setChecking(true)
    await system.refetch()
    setChecking(false)
  }
  return (
    <Page
      title="System"
      lead="The state of the server. It is read again every 30 seconds."
      actions={
        <Button icon="refresh" isBusy={isChecking} onClick={() => void check()}>
          Check again
        </Button>
      }
    >
      <Loaded query={system} lines={12}>
        {(state) => (
          <div className="stack">
            <Checks checks={state.checks} />
            <About state={state} />
            <Card title="In an emergency">
              <p>
                If credentials may have leaked, <Link href="/incidents">freeze accounts</Link>: calls with
                them fail at once, and their access is revoked at the applications.
              </p>
            </Card>
            <Jobs jobs={state.jobs} deliveries={state.waiting_deliveries} />
            <Settings settings={state.settings} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

const LABELS: Readonly<Record<Check['status'], readonly [status: string, label: string]>> = {
  ok: ['OK', 'OK'],
  warn: ['PENDING', 'Change before production'],
  fail: ['FAILED', 'Does not work'],
}

const Checks = ({ checks }: { checks: readonly Check[] }) => (
  <Card
    title="Checks"
    description="More checks, also without a running server: patchbay doctor, on the machine of the server."
  >
    <ul className="plain-list">
      {checks.map(({ name, status, detail, fix }) => {
        const [tone, label] = LABELS[status]
        return (
          <li key={name} className="row">
            <span>
              <strong>{capitalize(name)}</strong>
              <span className="hint"> {detail}.</span>
              {fix !== null && <p>{fix}</p>}
            </span>
            <StatusBadge status={tone} label={label} />
          </li>
        )
      })}
    </ul>
  </Card>
)

const About = ({ state }: { state: SystemState }) => (
  <Card title="Server">
    <Facts
      items={[
        ['Version', state.version],
        ['Started', <DateTime key="started" value={state.started_at} />],
        ['Public URL', <code key="url">{state.public_url}</code>],
        ['Node.js', state.node_version],
        ['PostgreSQL', state.database.version],
        [
          'Size of the database',
          `${Math.round(state.database.size_bytes / MEGABYTE).toLocaleString('en')} MB`,
        ],
      ]}
    />
  </Card>
)

const number = (value: number) => <span className="number">{value.toLocaleString('en')}</span>

const JOB_COLUMNS: Column<Job>[] = [
  { id: 'task', header: 'Task', cell: ({ row }) => <code>{row.original.task}</code> },
  { id: 'due', header: 'Due', cell: ({ row }) => number(row.original.due) },
  { id: 'running', header: 'Running', cell: ({ row }) => number(row.original.running) },
  { id: 'later', header: 'Later', cell: ({ row }) => number(row.original.later) },
  { id: 'failed', header: 'Failed', cell: ({ row }) => number(row.original.failed) },
  { id: 'error', header: 'Latest error', cell: ({ row }) => row.original.last_error ?? '' },
]

const waitingDeliveries = (count: number): string =>
  count === 1
    ? '1 webhook delivery waits'
    : `${count === 0 ? 'No' : count.toLocaleString('en')} webhook deliveries wait`

const Jobs = ({ jobs, deliveries }: { jobs: readonly Job[]; deliveries: number }) => (
  <Card title="Jobs" description={`${waitingDeliveries(deliveries)}. Jobs that succeeded leave the queue.`}>
    {jobs.length === 0 ? (
      <p className="hint">The queue is empty.</p>
    ) : (
      <Table label="Jobs by task" columns={JOB_COLUMNS} rows={jobs} rowId={({ task }) => task} />
    )}
  </Card>
)
