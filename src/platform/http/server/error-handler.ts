import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiError } from '../api-error.ts'
import type { Branding } from '../branding/branding.ts'
import { discardUnreadBody } from '../middleware/discard-body.ts'
import { createRejectionPace } from '../middleware/rejection-pace.ts'
import { toApiError } from './api-errors.ts'
import { pathOf } from './path-of.ts'

/** Returns a page for a URL that browsers visit, or undefined for the envelope. */
export type ErrorPage = (
  request: { path: string; headers: IncomingHttpHeaders; query: unknown; id: string },
  failure: ApiError,
) => { html: string; headers: Record<string, string> } | undefined

/** Responds to any error with the envelope, or with a page for browsers. */
export const createErrorHandler =
  ({ spelling }: Pick<Branding, 'spelling'>, pageFor: ErrorPage | undefined, pace = createRejectionPace()) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const failure = toApiError(error, spelling)
    const { id, url, log, routeOptions, headers } = request
    // An application that does not respond is not an error of this server: log a line without a stack.
    if (failure.slug.startsWith('ActionExecute_Upstream'))
      log.info({ request_id: id, reason: failure.message }, failure.slug)
    else if (failure.status >= 500 && failure.status !== 501)
      log.error({ err: failure.cause ?? failure, request_id: id, url: routeOptions.url }, failure.slug)
    else log.debug({ request_id: id, url: routeOptions.url, details: fieldsOf(failure) }, failure.slug)
    discardUnreadBody(request)
    if (failure.headers) reply.headers(failure.headers)
    // Retrying does not resolve a conflict, a used-up budget or a missing feature, and clients retry both unless this
    // header forbids it.
    if (failure.status === 409 || failure.status === 501 || failure.slug === 'Budget_Exceeded')
      reply.header('x-should-retry', 'false')
    if (failure.status === 503) reply.header('retry-after', '1')
    // A request that the framework itself rejects has passed no hook that sets the id.
    reply.code(failure.status).header('x-request-id', id)
    const page = pageFor?.({ path: pathOf(url), headers, query: request.query, id }, failure)
    const send = () => {
      if (page) return reply.headers(page.headers).send(page.html)
      const envelope = failure.toEnvelope(id)
      return reply
        .header('content-type', 'application/json; charset=utf-8')
        .serializer(JSON.stringify)
        .send(failure.status === 429 ? { message: failure.message, ...envelope } : envelope)
    }
    const delayMs = failure.status === 429 || failure.status === 401 ? pace.delayMs(sourceOf(request)) : 0
    return delayMs > 0 ? pace.wait(delayMs).then(send) : send()
  }

/** The project of a caller that was recognized, else its IP address. */
const sourceOf = (request: FastifyRequest): string =>
  (request as { principal?: { projectId?: string } | null }).principal?.projectId ?? request.ip

/** The names of rejected fields, without the rest of each detail: it quotes values of the request. */
const fieldsOf = ({ details }: ApiError): string[] =>
  details.map((detail) => detail.split(': ', 2)).flatMap(([name, rest]) => (name && rest ? [name] : []))
