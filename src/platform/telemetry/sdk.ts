import type { HrTime } from '@opentelemetry/api'
import type { ISerializer } from '@opentelemetry/otlp-transformer'
import type { Resource } from '@opentelemetry/resources'
import type { PushMetricExporter, ResourceMetrics } from '@opentelemetry/sdk-metrics'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base'
import { toScopeMetrics } from './otlp-metrics.ts'
import type { OtlpSender } from './otlp-sender.ts'
import type { MetricFamily } from './types.ts'

export type Sdk = Awaited<ReturnType<typeof loadSdk>>

/** Loads the packages of OpenTelemetry. */
export async function loadSdk() {
  const [api, core, otlp, resources, metrics, trace] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/otlp-transformer'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/sdk-trace-base'),
  ])
  return { api, core, otlp, resources, metrics, trace }
}

/** Creates an exporter that serializes what the SDK hands over and sends it. */
function createExporter<Data>(
  sdk: Sdk,
  sender: OtlpSender,
  signal: 'traces' | 'metrics',
  serializer: ISerializer<Data, unknown>,
) {
  const { FAILED, SUCCESS } = sdk.core.ExportResultCode
  return {
    export(data: Data, done: (result: { code: number }) => void) {
      const body = serializer.serializeRequest(data)
      if (!body) return done({ code: FAILED })
      // The sender reports failures itself, so the SDK receives no error to print.
      void sender.send(signal, body).then(
        (isSent) => done({ code: isSent ? SUCCESS : FAILED }),
        () => done({ code: FAILED }),
      )
    },
    forceFlush: async () => {},
    shutdown: async () => {},
  }
}

export const createSpanExporter = (sdk: Sdk, sender: OtlpSender, isJson: boolean): SpanExporter =>
  createExporter<ReadableSpan[]>(
    sdk,
    sender,
    'traces',
    isJson ? sdk.otlp.JsonTraceSerializer : sdk.otlp.ProtobufTraceSerializer,
  )

/** Sends the metrics that `start` reads at every interval. */
export function createMetricsExport(
  sdk: Sdk,
  options: { resource: Resource; sender: OtlpSender; isJson: boolean; intervalMs: number; timeoutMs: number },
) {
  const { resource, sender, isJson, intervalMs, timeoutMs } = options
  const exporter: PushMetricExporter = createExporter<ResourceMetrics>(
    sdk,
    sender,
    'metrics',
    isJson ? sdk.otlp.JsonMetricsSerializer : sdk.otlp.ProtobufMetricsSerializer,
  )
  const startTime: HrTime = sdk.core.millisToHrTime(Date.now() - process.uptime() * 1_000)
  let provider: { shutdown(): Promise<void> } | undefined
  return {
    start(read: () => Promise<readonly MetricFamily[]>) {
      const producer = {
        async collect() {
          const endTime = sdk.core.millisToHrTime(Date.now())
          const scopeMetrics = [toScopeMetrics(sdk.metrics, await read(), startTime, endTime)]
          return { resourceMetrics: { resource, scopeMetrics }, errors: [] }
        },
      }
      const reader = new sdk.metrics.PeriodicExportingMetricReader({
        exporter,
        exportIntervalMillis: intervalMs,
        exportTimeoutMillis: Math.min(timeoutMs, intervalMs),
        metricProducers: [producer],
      })
      provider = new sdk.metrics.MeterProvider({ resource, readers: [reader] })
    },
    close: async () => provider?.shutdown(),
  }
}
