export { errorType, traced } from './tracing.ts'
export { tracedEgress } from './traced-egress.ts'
export type {
  MetricFamily,
  MetricSample,
  Span,
  SpanAttributes,
  SpanOptions,
  Telemetry,
  TraceHeaders,
  Tracing,
} from './types.ts'
