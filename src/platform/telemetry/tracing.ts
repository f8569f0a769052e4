import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attributes, Context, Span as OtelSpan, TextMapPropagator, Tracer } from '@opentelemetry/api'
import type { Span, SpanAttributes, SpanOptions, TraceHeaders, Tracing } from './types.ts'

type OtelApi = typeof import('@opentelemetry/api')

export interface TracingParts {
  api: OtelApi
  tracer: Tracer
  propagator: TextMapPropagator
}

/** Wraps a span of the SDK, with the context in which its children start. */
class RecordedSpan implements Span {
  readonly context: Context
  readonly span: OtelSpan
  readonly #errorStatus: number

  constructor(span: OtelSpan, context: Context, errorStatus: number) {
    this.span = span
    this.context = context
    this.#errorStatus = errorStatus
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes(attributes as Attributes)
  }

  fail(type: string): void {
    this.span.setAttribute('error.type', type)
    this.span.setStatus({ code: this.#errorStatus })
  }

  end(): void {
    this.span.end()
  }
}

/**
 * Creates the tracing of a process. The current span is in a storage of its own: the global state of the
 * OpenTelemetry API is not used, so that servers in one process do not share it.
 */
export function createTracing({ api, tracer, propagator }: TracingParts): Tracing {
  const current = new AsyncLocalStorage<RecordedSpan>()
  const kinds = {
    internal: api.SpanKind.INTERNAL,
    server: api.SpanKind.SERVER,
    client: api.SpanKind.CLIENT,
    consumer: api.SpanKind.CONSUMER,
  }
  const parentOf = ({ caller, isRoot }: SpanOptions): Context => {
    const inherited = isRoot ? api.ROOT_CONTEXT : (current.getStore()?.context ?? api.ROOT_CONTEXT)
    return caller ? propagator.extract(inherited, caller, HEADER_GETTER) : inherited
  }
  const tracing: Tracing = {
    start(name, options = {}) {
      const { kind = 'internal', attributes } = options
      const parent = parentOf(options)
      const span = tracer.startSpan(
        name,
        { kind: kinds[kind], ...(attributes && { attributes: attributes as Attributes }) },
        parent,
      )
      return new RecordedSpan(span, api.trace.setSpan(parent, span), api.SpanStatusCode.ERROR)
    },
    within: (span, work) => current.run(span as RecordedSpan, work),
    async run(name, options, work) {
      const span = tracing.start(name, options)
      try {
        return await current.run(span as RecordedSpan, () => work(span))
      } catch (error) {
        span.fail(errorType(error))
        throw error
      } finally {
        span.end()
      }
    },
    step(name, work) {
      // Without a recorded parent nothing of this call is recorded.
      if (!current.getStore()?.span.isRecording()) return work()
      const span = tracing.start(name) as RecordedSpan
      const result = current.run(span, work)
      // A span that is never ended is never sent. A synchronous step takes less time than a span is worth.
      if (result instanceof Promise) endWith(span, result)
      return result
    },
    logFields() {
      const context = current.getStore()?.span.spanContext()
      return context && { trace_id: context.traceId, span_id: context.spanId }
    },
    headers() {
      const carrier: Record<string, string> = {}
      const active = current.getStore()
      if (active) propagator.inject(active.context, carrier, api.defaultTextMapSetter)
      return carrier
    },
  }
  return tracing
}

function endWith(span: Span, result: Promise<unknown>): void {
  result.then(
    () => span.end(),
    (error: unknown) => {
      span.fail(errorType(error))
      span.end()
    },
  )
}

/** The kind of an error. Its message is left out: messages of applications may quote data. */
export function errorType(error: unknown): string {
  const { slug, kind, name } = (error ?? {}) as { slug?: unknown; kind?: unknown; name?: unknown }
  return [slug, kind, name].find((one) => typeof one === 'string') ?? 'unknown'
}

const HEADER_GETTER = {
  keys: (carrier: TraceHeaders) => Object.keys(carrier),
  get: (carrier: TraceHeaders, name: string) => carrier[name] as string | string[] | undefined,
}

/** Runs `work` as a span if there is tracing. */
export const traced = <T>(
  tracing: Tracing | undefined,
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> => (tracing ? tracing.run(name, options, work) : work(undefined))
