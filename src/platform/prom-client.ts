import { createRequire } from 'node:module'
import type * as promClient from 'prom-client'

// Loads the files of prom-client that the metrics need. Its index also loads the API of OpenTelemetry, for exemplars
// that nothing here uses: 44 modules, in 12 ms. The version is pinned, and every test of an application fails if a file
// has another name.
const load = createRequire(import.meta.url)

export const Counter = load('prom-client/lib/counter.js') as typeof promClient.Counter
export const Gauge = load('prom-client/lib/gauge.js') as typeof promClient.Gauge
export const Histogram = load('prom-client/lib/histogram.js') as typeof promClient.Histogram
export const Registry = load('prom-client/lib/registry.js') as typeof promClient.Registry

export type Registry = promClient.Registry

/** The metrics of the process but `processCpuTotal`, whose file loads OpenTelemetry. */
const DEFAULT_METRICS = [
  'processStartTime',
  'osMemoryHeap',
  'processOpenFileDescriptors',
  'processMaxFileDescriptors',
  'eventLoopLag',
  'processResources',
  'processHandles',
  'processRequests',
  'heapSizeAndUsed',
  'heapSpacesSizeAndUsed',
  'version',
  'gc',
]
const OPTIONS = { eventLoopMonitoringPrecision: 10 }

type CollectMetric = (registry: Registry, options: typeof OPTIONS) => void

/** Adds the metrics of the process and of Node.js, with the names that Prometheus and prom-client give them. */
export function collectDefaultMetrics(registry: Registry): void {
  collectProcessorTime(registry)
  for (const name of DEFAULT_METRICS)
    (load(`prom-client/lib/metrics/${name}.js`) as CollectMetric)(registry, OPTIONS)
}

function collectProcessorTime(registry: Registry): void {
  let last = process.cpuUsage()
  const counter = (part: string, text: string, collect?: () => void) =>
    new Counter({
      name: `process_cpu_${part}seconds_total`,
      help: `Total ${text}CPU time spent in seconds.`,
      registers: [registry],
      ...(collect && { collect }),
    })
  // The first one sets all three: they are of the same moment.
  const user = counter('user_', 'user ', () => {
    const now = process.cpuUsage()
    user.inc((now.user - last.user) / 1e6)
    system.inc((now.system - last.system) / 1e6)
    total.inc((now.user - last.user + now.system - last.system) / 1e6)
    last = now
  })
  const system = counter('system_', 'system ')
  const total = counter('', 'user and system ')
}
