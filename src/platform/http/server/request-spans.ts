import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Span, Tracing } from '../../telemetry/index.ts'

/** Paths that probes, Prometheus and browsers read all the time. */
const UNTRACED = /^\/(healthz|readyz|metrics|logos|console|docs|reference)(\/|\?|$)/

/** Records each request as a span. Its trace continues that of the caller (`traceparent`). */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    if (UNTRACED.test(request.url)) return done()
    const { method, headers, id, routeOptions } = request
    const route = routeOptions.url ?? 'none'
    const attributes = { 'http.request.method': method, 'http.route': route, 'patchbay.request_id': id }
    const span = tracing.start(`${method} ${route}`, { kind: 'server', caller: headers, attributes })
    spans.set(request, span)
    tracing.within(span, done)
  })
  // The body arrives with events of the socket, which belong to no span.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) tracing.within(span, done)
    else done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    span?.set({ 'http.response.status_code': reply.statusCode })
    if (reply.statusCode >= 500) span?.fail(String(reply.statusCode))
    span?.end()
    done()
  })
}
