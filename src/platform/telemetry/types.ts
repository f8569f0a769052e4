/** Attribute values of a span. Undefined values are omitted. They never contain arguments, results or credentials. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>

/** The headers of W3C Trace Context (https://www.w3.org/TR/trace-context/), names in lower case. */
export type TraceHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

export interface SpanOptions {
  /** Default `internal`. */
  kind?: 'internal' | 'server' | 'client' | 'consumer'
  attributes?: SpanAttributes
  /** The headers of the caller whose trace continues. Default: the span in which the code runs. */
  caller?: TraceHeaders
  /** Starts a new trace, for work that belongs to no request. */
  isRoot?: boolean
}

/** A span in progress. */
export interface Span {
  set(attributes: SpanAttributes): void
  /** Marks the span as failed. `type` is one of few values: a status, or the name of an error. */
  fail(type: string): void
  end(): void
}

/** Records spans. The current span follows asynchronous calls. */
export interface Tracing {
  start(name: string, options?: SpanOptions): Span
  /** Runs `work` with `span` as the current span. */
  within<T>(span: Span, work: () => T): T
  /** Records `work` as a span. An error marks the span as failed, and is thrown. */
  run<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>
  /** Records `work` as a span if it is asynchronous. */
  step<T>(name: string, work: () => T): T
  /** The ids of the current span for log lines. Undefined outside of spans. */
  logFields(): { trace_id: string; span_id: string } | undefined
  /** The headers with which another program continues the trace. */
  headers(): Record<string, string>
}

/** One metric with its current values. */
export interface MetricFamily {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  samples: readonly MetricSample[]
}

/** A value of a counter or gauge, or the state of a histogram with these labels. */
export interface MetricSample {
  labels: Readonly<Record<string, string | number>>
  /** The sum of the observations in case of a histogram. */
  value: number
  /** Upper bounds of the buckets and the observations up to each, both ascending; the last bound is infinite. */
  buckets?: readonly { le: number; count: number }[]
}

/** Sends traces and metrics to an OpenTelemetry collector. */
export interface Telemetry {
  tracing: Tracing
  /** Hosts whose requests carry the trace, in addition to no other: `api.example.com` or `*.example.com`. */
  propagationHosts: readonly string[]
  /** Reads the metrics at every interval from now on. */
  exportMetrics(read: () => Promise<readonly MetricFamily[]>): void
  /** Sends what is left, within a few seconds. */
  close(): Promise<void>
}
