import { useSearchParams } from 'wouter'
import type { Overview } from '../../../contract/overview.ts'
import { may, useApi, useMe } from '../../api/index.ts'
// By file: the first page must not load the tables and long lists of the other pages.
import { onDemand } from '../../components/on-demand.tsx'
import { Card, Page } from '../../components/page.tsx'
import { Select } from '../../components/select.tsx'
import { Loaded, Skeleton } from '../../components/states.tsx'
import { DemoData } from './demo-data.tsx'
import { FirstRun } from './first-run.tsx'

const Chart = onDemand(async () => (await import('../../components/chart.tsx')).Chart, <Skeleton />)

const RANGES = [
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
]
const REFRESH_MS = 10_000

/** The first steps, and the health of the project in numbers. */
export default function Home() {
  const { data: me } = useMe()
  const [parameters, setParameters] = useSearchParams()
  const range = RANGES.find(({ value }) => value === parameters.get('range'))?.value ?? '24h'
  const canRead = may(me, 'observability:read')
  const overview = useApi<Overview>(canRead ? { path: '/overview', query: { range } } : undefined, {
    refetchInterval: REFRESH_MS,
    keepPrevious: true,
  })
  return (
    <Page
      title="Home"
      lead="Connect applications, hand them to agents, and see what the agents do."
      actions={
        canRead && (
          <Select
            label="Period"
            isLabelHidden
            value={range}
            options={RANGES}
            onChange={(next) => setParameters({ range: next }, { replace: true })}
          />
        )
      }
    >
      <div className="stack">
        <DemoData />
        <FirstRun overview={overview.data} />
        {canRead && <Loaded query={overview}>{(data) => <Numbers overview={data} />}</Loaded>}
      </div>
    </Page>
  )
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1)} %`
const milliseconds = (value: number | null): string => (value === null ? '–' : `${Math.round(value)} ms`)

function Numbers({ overview }: { overview: Overview }) {
  const { calls, previous, accounts, approvals, triggers, webhooks } = overview
  const figures = [
    {
      label: 'Calls',
      value: calls.total.toLocaleString(),
      hint: `before: ${previous.total.toLocaleString()}`,
    },
    {
      label: 'Error rate',
      value: percent(calls.failed, calls.total),
      hint: `before: ${percent(previous.failed, previous.total)}`,
    },
    { label: 'Latency p50', value: milliseconds(calls.p50_ms), hint: `p95: ${milliseconds(calls.p95_ms)}` },
    { label: 'Active accounts', value: accounts.active, hint: `${accounts.expired} expired` },
    { label: 'Pending approvals', value: approvals.pending, hint: 'wait for a person' },
    { label: 'Stalled triggers', value: triggers.stalled, hint: `${triggers.enabled} enabled` },
    { label: 'Failing webhooks', value: webhooks.failing, hint: `${webhooks.subscriptions} subscriptions` },
  ]
  return (
    <section aria-label="Numbers of the project" className="stack">
      <dl className="figures">
        {figures.map(({ label, value, hint }) => (
          <div key={label} className="figure">
            <dt className="hint">{label}</dt>
            <dd>
              {value} <span className="hint">{hint}</span>
            </dd>
          </div>
        ))}
      </dl>
      {calls.total > 0 && <Charts overview={overview} />}
    </section>
  )
}

function Charts({ overview: { series } }: { overview: Overview }) {
  const times = series.map(({ at }) => Date.parse(at))
  return (
    <div className="split">
      <Card>
        <Chart
          label="Calls"
          times={times}
          series={[
            { label: 'Calls', color: '--accent', values: series.map(({ calls }) => calls) },
            { label: 'Failed', color: '--bad', values: series.map(({ failed }) => failed) },
          ]}
        />
      </Card>
      <Card>
        <Chart
          label="Latency in milliseconds"
          times={times}
          series={[
            { label: 'p50', color: '--accent', values: series.map((step) => step.p50_ms) },
            { label: 'p95', color: '--warn', values: series.map((step) => step.p95_ms) },
          ]}
        />
      </Card>
    </div>
  )
}
