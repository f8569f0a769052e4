import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from './prom-client.ts'
import { toMetricFamilies } from './telemetry/prometheus-families.ts'
import type { ObserveTurns } from './http/turns/request-turns.ts'
import type { MetricFamily } from './telemetry/index.ts'
import type { PartitionState } from './db/partitions/index.ts'

const LAG_SECONDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 900]
const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]

/** The metrics of this process. */
export interface Metrics {
  /** Returns all metrics in the Prometheus text format. */
  text(): Promise<string>
  /** Returns all metrics as data. */
  families(): Promise<MetricFamily[]>
  /** Calls `update` before each read, to set gauges that are measured on demand. */
  beforeRead(update: () => Promise<void>): void
  contentType: string
  watch(app: FastifyInstance): void
  executed(toolkit: string, outcome: 'success' | 'failure'): void
  /** Counts a poll of a trigger, with its delay in seconds. */
  polled(toolkit: string, outcome: 'ok' | 'failed', lagSeconds: number): void
  /** Sets the number of triggers that are more than 15 minutes late, and the delay of the latest. */
  polling(now: { stalled: number; lag_s: number }): void
  /** Counts an attempt to deliver a webhook. */
  delivered(outcome: 'delivered' | 'failed', latencyMs: number): void
  /** Counts a token refresh. */
  refreshed(toolkit: string, outcome: 'success' | 'failure'): void
  database(up: boolean): void
  /** Counts a statement that reads logs or statistics, with a read replica. */
  readLogs(target: 'primary' | 'replica'): void
  /** Counts requests that waited for their turn, and those that were rejected because too many waited. */
  turns: ObserveTurns
  /** Sets the numbers of requests that run and wait. */
  turnsNow(now: { running: number; waiting: number }): void
  /** Sets the lengths of the queues: jobs and webhook deliveries that are due and not yet in progress. */
  waiting(now: { jobs: number; deliveries: number }): void
  /** Sets for how long partitions exist, and the rows without a partition of their time. */
  partitions(states: readonly PartitionState[]): void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics(registry)
  const requests = requestTimes(registry)
  const triggers = triggerMetrics(registry)
  const queues = queueMetrics(registry)
  const executions = executionsByToolkit(registry)
  const refreshes = refreshesByToolkit(registry)
  const updates: (() => Promise<void>)[] = []
  const update = () => Promise.all(updates.map((one) => one()))
  return {
    text: () => update().then(() => registry.metrics()),
    families: async () => {
      await update()
      return toMetricFamilies(await registry.getMetricsAsJSON())
    },
    beforeRead(one) {
      updates.push(one)
    },
    contentType: registry.contentType,
    watch: (app) => observeRequests(app, requests),
    executed(toolkit, outcome) {
      executions.inc({ toolkit, outcome })
    },
    polled(toolkit, outcome, lagSeconds) {
      triggers.polls.inc({ toolkit, outcome })
      triggers.lag.observe(Math.max(0, lagSeconds))
    },
    polling(now) {
      triggers.stalled.set(now.stalled)
      triggers.behind.set(now.lag_s)
    },
    delivered(outcome, latencyMs) {
      queues.attempts.labels(outcome).observe(latencyMs / 1_000)
    },
    refreshed(toolkit, outcome) {
      refreshes.inc({ toolkit, outcome })
    },
    ...turnMetrics(registry),
    database(up) {
      queues.database.set(up ? 1 : 0)
    },
    readLogs(target) {
      queues.reads.inc({ target })
    },
    waiting(now) {
      queues.jobs.set(now.jobs)
      queues.deliveries.set(now.deliveries)
    },
    partitions: partitionMetrics(registry),
  }
}

const requestTimes = (registry: Registry) =>
  new Histogram({
    name: 'patchbay_http_request_seconds',
    help: 'HTTP requests by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: SECONDS,
    registers: [registry],
  })

const executionsByToolkit = (registry: Registry) =>
  new Counter({
    name: 'patchbay_tool_executions_total',
    help: 'Tool executions by toolkit and outcome.',
    labelNames: ['toolkit', 'outcome'],
    registers: [registry],
  })

const refreshesByToolkit = (registry: Registry) =>
  new Counter({
    name: 'patchbay_token_refreshes_total',
    help: 'Token refreshes by toolkit and outcome.',
    labelNames: ['toolkit', 'outcome'],
    registers: [registry],
  })

function triggerMetrics(registry: Registry) {
  return {
    polls: new Counter({
      name: 'patchbay_trigger_polls_total',
      help: 'Polls of triggers by toolkit and outcome.',
      labelNames: ['toolkit', 'outcome'],
      registers: [registry],
    }),
    lag: new Histogram({
      name: 'patchbay_trigger_poll_lag_seconds',
      help: 'Delay of polls.',
      buckets: LAG_SECONDS,
      registers: [registry],
    }),
    stalled: new Gauge({
      name: 'patchbay_triggers_stalled',
      help: 'Triggers whose poll is more than 15 minutes late.',
      registers: [registry],
    }),
    behind: new Gauge({
      name: 'patchbay_trigger_lag_seconds',
      help: 'Delay of the poll that is due for the longest time.',
      registers: [registry],
    }),
  }
}

function queueMetrics(registry: Registry) {
  return {
    database: new Gauge({
      name: 'patchbay_database_up',
      help: '1 while the database responds.',
      registers: [registry],
    }),
    reads: new Counter({
      name: 'patchbay_replica_reads_total',
      help: 'With DATABASE_READ_URL: statements that read logs and statistics, by database.',
      labelNames: ['target'],
      registers: [registry],
    }),
    jobs: new Gauge({
      name: 'patchbay_jobs_waiting',
      help: 'Background jobs that are due. At most 10000.',
      registers: [registry],
    }),
    attempts: new Histogram({
      name: 'patchbay_webhook_attempt_seconds',
      help: 'Attempts to deliver webhooks by outcome.',
      labelNames: ['outcome'],
      buckets: SECONDS,
      registers: [registry],
    }),
    deliveries: new Gauge({
      name: 'patchbay_webhook_deliveries_waiting',
      help: 'Webhook deliveries that are due. At most 10000.',
      registers: [registry],
    }),
  }
}

function partitionMetrics(registry: Registry): Metrics['partitions'] {
  const ahead = new Gauge({
    name: 'patchbay_partitions_ahead_seconds',
    help: 'Time from now for which a table has partitions.',
    labelNames: ['table'],
    registers: [registry],
  })
  const strays = new Gauge({
    name: 'patchbay_default_partition_rows',
    help: 'Rows of a table without a partition of their time. At most 1000.',
    labelNames: ['table'],
    registers: [registry],
  })
  return (states) => {
    for (const { table, ahead_s: seconds, default_rows: rows } of states) {
      ahead.set({ table }, seconds)
      strays.set({ table }, rows)
    }
  }
}

function turnMetrics(registry: Registry): Pick<Metrics, 'turns' | 'turnsNow'> {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] })
  const running = gauge(
    'patchbay_request_turns_running',
    'Requests of projects that run, by PROJECT_CONCURRENCY.',
  )
  const waiting = gauge('patchbay_request_turns_waiting', 'Requests of projects that wait for their turn.')
  const waits = new Histogram({
    name: 'patchbay_request_turn_wait_seconds',
    help: 'Waits of requests that did not start at once because other requests of their project ran.',
    buckets: SECONDS,
    registers: [registry],
  })
  const rejected = new Counter({
    name: 'patchbay_request_turns_rejected_total',
    help: 'Requests that were rejected because PROJECT_QUEUE_MAX requests of their project waited.',
    registers: [registry],
  })
  return {
    turns: { waited: (seconds) => waits.observe(seconds), rejected: () => rejected.inc() },
    turnsNow(now) {
      running.set(now.running)
      waiting.set(now.waiting)
    },
  }
}

function observeRequests(app: FastifyInstance, requests: ReturnType<typeof requestTimes>): void {
  // Looking up labels costs more than counting, so each combination is looked up once.
  const timers = new Map<string, { observe(seconds: number): void }>()
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const key = `${request.method} ${route} ${reply.statusCode}`
    let timer = timers.get(key)
    if (!timer) timers.set(key, (timer = requests.labels(route, request.method, String(reply.statusCode))))
    timer.observe(reply.elapsedTime / 1_000)
    done()
  })
}
