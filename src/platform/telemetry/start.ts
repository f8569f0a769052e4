import { randomUUID } from 'node:crypto'
import type { Resource } from '@opentelemetry/resources'
import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Logger } from '../log.ts'
import { withTimeout } from '../timeout.ts'
import { SCOPE } from './otlp-metrics.ts'
import { createOtlpSender, type OtlpSettings } from './otlp-sender.ts'
import { createMetricsExport, createSpanExporter, loadSdk, type Sdk } from './sdk.ts'
import { createTracing } from './tracing.ts'
import type { Telemetry } from './types.ts'

export interface TelemetrySettings extends OtlpSettings {
  /** The name of this program in the traces. */
  serviceName: string
  version: string
  /** Describe this installation, such as `deployment.environment.name`. */
  resourceAttributes: Readonly<Record<string, string>>
  /** The share of traces that is recorded, from 0 to 1. A caller with a trace of its own decides for it. */
  sampledShare: number
  metricIntervalMs: number
  propagationHosts: readonly string[]
}

/** Spans that wait to be sent; more are dropped. At about 1 KB each, this bounds the memory. */
const QUEUE_SPANS_MAX = 8_192
const BATCH_SPANS_MAX = 1_024
const BATCH_DELAY_MS = 2_000
const EXPORT_MS_MAX = 20_000
/** For the last spans and metrics. Both limits are part of the time that a stop may take. */
const FLUSH_MS_MAX = 1_000
const CLOSE_MS_MAX = 250

/** Loads the OpenTelemetry SDK and starts to send. Without a collector this is not called, and nothing is loaded. */
export async function startTelemetry(settings: TelemetrySettings, log: Logger): Promise<Telemetry> {
  const sdk = await loadSdk()
  const sender = createOtlpSender(settings, log)
  const isJson = settings.protocol === 'http/json'
  const resource = sdk.resources.resourceFromAttributes({
    'service.name': settings.serviceName,
    'service.version': settings.version,
    'service.instance.id': randomUUID(),
    ...settings.resourceAttributes,
  })
  const traces = createTracerProvider(
    sdk,
    resource,
    settings.sampledShare,
    createSpanExporter(sdk, sender, isJson),
  )
  const intervalMs = settings.metricIntervalMs
  const metrics = createMetricsExport(sdk, { resource, sender, isJson, intervalMs, timeoutMs: EXPORT_MS_MAX })
  return {
    tracing: createTracing({
      api: sdk.api,
      tracer: traces.getTracer(SCOPE, settings.version),
      propagator: new sdk.core.W3CTraceContextPropagator(),
    }),
    propagationHosts: settings.propagationHosts,
    exportMetrics: metrics.start,
    async close() {
      await withTimeout(Promise.allSettled([traces.shutdown(), metrics.close()]), FLUSH_MS_MAX)
      await withTimeout(sender.close(), CLOSE_MS_MAX)
    },
  }
}

function createTracerProvider(sdk: Sdk, resource: Resource, sampledShare: number, exporter: SpanExporter) {
  const { BasicTracerProvider, BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler } = sdk.trace
  return new BasicTracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampledShare) }),
    spanProcessors: [
      new BatchSpanProcessor(exporter, {
        maxQueueSize: QUEUE_SPANS_MAX,
        maxExportBatchSize: BATCH_SPANS_MAX,
        scheduledDelayMillis: BATCH_DELAY_MS,
        exportTimeoutMillis: EXPORT_MS_MAX,
      }),
    ],
  })
}
