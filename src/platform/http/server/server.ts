import { randomUUID } from 'node:crypto'
import Fastify, { LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import {
  API_VERSIONS,
  type ApiVersion,
  type Audience,
  type Permission,
  type Route,
} from '../../../contract/route.ts'
import { runInScope } from '../../db/project-scope.ts'
import type { Logger } from '../../log.ts'
import { ApiError, badRequest } from '../api-error.ts'
import { registerFormBodyParser } from '../middleware/form-body.ts'
import { registerJsonBodyParser } from '../middleware/json-body.ts'
import type { Api, Authenticate, Call, Handler, Limit, Principals } from '../call.ts'
import { respondToInvalidRequest } from './invalid-request.ts'
import { EventStreamReply, STREAM_HEADERS, toReadable } from './event-stream.ts'
import { toApiError } from './api-errors.ts'
import { disconnectSignal } from './client-disconnect.ts'
import {
  hasTooManyValues,
  listParameters,
  type ParsedQuery,
  parseQuery,
  splitLists,
  tooManyValues,
} from '../middleware/query.ts'
import type { AuditRecorder } from '../audit/audit-recorder.ts'
import { createAuditedCalls, isAudited } from '../audit/audited-handler.ts'
import { recordRejectedCall, rejectionOf } from '../audit/rejected-call.ts'
import { TooManyRequests } from '../middleware/rate-limit.ts'
import { type UnknownFieldsMode, unknownFieldsCheck } from '../middleware/unknown-fields.ts'
import { schemaCompilers } from './schema-compilers.ts'
import type { Branding } from '../branding/branding.ts'

export interface ServerOptions {
  log: Logger
  brand: Branding
  authenticate: Authenticate
  limit: Limit
  audit: AuditRecorder
  /** IP addresses and CIDR ranges of proxies whose X-Forwarded-* headers are trusted. Default: none. */
  trustedProxies?: readonly string[] | undefined
  /** What happens to unknown names of requests to v3.1. Default: `reject`. */
  unknownFields?: UnknownFieldsMode | undefined
  /** Returns a page instead of the envelope, for URLs that browsers visit. */
  errorPage?: ErrorPage
}

export type ErrorPage = (
  request: { path: string; accept: string | undefined; id: string },
  failure: ApiError,
) => { html: string; headers: Record<string, string> } | undefined

/** 6 MB: the largest documented body, a proxy call with base64, fits. */
const BODY_BYTES_MAX = 6 * 1024 * 1024
const REQUEST_TIMEOUT_MS = 60_000
const KEEP_ALIVE_MS = 72_000
const SANE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,64}$/

/** Creates the HTTP server, and the interface with which features add their routes. */
export function createServer({
  log,
  brand,
  authenticate,
  limit,
  audit,
  trustedProxies = [],
  unknownFields = 'reject',
  errorPage: failurePage,
}: ServerOptions): {
  app: FastifyInstance
  api: Api
} {
  const compile = schemaCompilers()
  const fail = errorHandler(brand, failurePage)
  const app = Fastify({
    // One logger for all requests: a child logger for each cost more than routing. Log lines contain the id
    // of their request.
    loggerInstance: log as never,
    childLoggerFactory: (logger: unknown) => logger as never,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    requestIdHeader: false,
    genReqId: ({ headers: { 'x-request-id': id } }) =>
      typeof id === 'string' && SANE_REQUEST_ID.test(id) ? id : randomUUID(),
    routerOptions: { querystringParser: parseQuery, maxParamLength: 256, ignoreTrailingSlash: true },
    clientErrorHandler: respondToInvalidRequest,
    frameworkErrors: (error, request, reply) => {
      void fail(error, request, reply)
    },
  }) as unknown as FastifyInstance
  app.setValidatorCompiler(({ schema, httpPart }) => compile.validator(schema as object, httpPart))
  // The framework accepts bytes as well as text, but its types do not say so.
  app.setSerializerCompiler(({ schema }) => compile.serializer(schema as object) as (data: unknown) => string)
  app.setErrorHandler(fail)
  registerJsonBodyParser(app)
  registerFormBodyParser(app)
  app.decorateRequest('principal', null)
  app.decorateRequest('hasRun', false)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    done(hasTooManyValues(request.query) ? tooManyValues() : undefined)
  })
  const known: RegisteredRoute[] = []
  app.setNotFoundHandler((request, reply) => fail(routeNotFound(known, request, reply), request, reply))

  const auditedCalls = createAuditedCalls(audit)
  const api: Api = {
    on(route, unscopedHandler) {
      const handler = inProjectOfCaller(unscopedHandler)
      auditedCalls.add(route, handler as Handler<Route>)
      known.push({
        method: route.method,
        pattern: new RegExp(`^/api/v3(\\.1)?${route.path.replace(/:\w+/g, '[^/]+')}/?$`),
      })
      for (const version of API_VERSIONS)
        app.route(
          asFastifyRoute(route, version, handler, {
            brand,
            authenticate,
            limit,
            audit,
            auditedCalls,
            unknownFields,
          }) as never,
        )
    },
  }
  return { app, api }
}

/** Runs a handler in the project of its caller, if it has one. */
const inProjectOfCaller =
  <T extends Route>(handler: Handler<T>): Handler<T> =>
  (call) =>
    runInScope('projectId' in call ? call.projectId : undefined, () => handler(call))

type RouteContext = Pick<ServerOptions, 'brand' | 'authenticate' | 'limit' | 'audit'> & {
  auditedCalls: ReturnType<typeof createAuditedCalls>
  unknownFields: UnknownFieldsMode
}

function asFastifyRoute<T extends Route>(
  route: T,
  apiVersion: ApiVersion,
  handler: Handler<T>,
  { brand, authenticate, limit, audit, auditedCalls, unknownFields }: RouteContext,
) {
  const wire = brand.route(route)
  const lists = [...new Set([...listParameters(wire.query), ...listParameters(brand.schema(wire.query))])]
  const hasBody = Object.keys((wire.body as { properties?: object }).properties ?? {}).length > 0
  const checkFields = unknownFieldsCheck(route, apiVersion, unknownFields)
  const deprecation = route.deprecated?.[apiVersion]
  const bodyOptional = hasBody && !(wire.body as { required?: string[] }).required?.length
  return {
    method: route.method,
    url: `/api/${apiVersion}${route.path}`,
    config: { acceptsForms: route.acceptsForms },
    schema: {
      params: wire.params,
      querystring: wire.query,
      ...(hasBody ? { body: wire.body } : {}),
      response: {
        [route.status]: wire.reply,
        ...(route.otherStatus && { [route.otherStatus.status]: wire.reply }),
      },
    },
    // Before the body is read: a caller without a key learns nothing about its request. Hooks have callbacks
    // because the key is usually cached, so that nothing must be awaited.
    onRequest(request: Incoming, reply: FastifyReply, done: (error?: Error) => void) {
      if (route.neverRetry) reply.header('x-should-retry', 'false')
      if (deprecation !== undefined) reply.header('deprecation', deprecation)
      const admit = (principal: Principals[Audience]) => {
        request.principal = principal
        if ('organizationId' in principal) reply.headers(limit(principal))
      }
      runMaybeAsync(() => authenticate(route.audience, route.permission, request, route.id), admit, done)
    },
    preValidation(request: Incoming, reply: FastifyReply, done: (error?: Error) => void) {
      runMaybeAsync(
        () => {
          rejectNul(request)
          splitLists(request.query as ParsedQuery, lists)
          if (bodyOptional && request.body === undefined) request.body = {}
          wire.renameRequest?.(request)
          checkFields(request, reply)
        },
        () => {},
        done,
      )
    },
    // Calls that were rejected before their handler: those that ran have their entry.
    onError(request: Incoming, _reply: FastifyReply, error: unknown, done: () => void) {
      const rejection = request.hasRun ? undefined : rejectionOf(request, toApiError(error, brand.spelling))
      if (!rejection || !isAudited(route, apiVersion, maskSecretsOf(request.principal))) return done()
      recordRejectedCall(audit, route, rejection)
        .catch((cause: unknown) => {
          request.log.error({ err: cause, request_id: request.id }, 'a rejected call is not in the audit log')
        })
        .then(done, done)
    },
    handler(request: Incoming, reply: FastifyReply) {
      request.hasRun = true
      reply.code(route.status)
      const { params, query, body, log, id: requestId, principal } = request
      const call = {
        params,
        query,
        body,
        log,
        requestId,
        apiVersion,
        ...principal,
        get signal() {
          return disconnectSignal(reply.raw)
        },
        useAlternateStatus() {
          reply.code((route.otherStatus as NonNullable<T['otherStatus']>).status)
        },
        header(name: string) {
          const value = request.headers[name]
          return Array.isArray(value) ? value[0] : value
        },
        async reauthenticate() {
          await authenticate(route.audience, route.permission, request, route.id)
        },
        async authorize(permission: Permission | undefined) {
          await authenticate(route.audience, permission, request)
        },
      } as unknown as Call<T>
      const { renameReply: outgoing } = wire
      if (isAudited(route, apiVersion, maskSecretsOf(principal))) {
        const audited = auditedCalls.run(route, handler as Handler<Route>, call as Call<Route>, {
          sourceIp: request.ip,
          userAgent: request.headers['user-agent'],
          status: () => reply.statusCode,
          toApiError: (error) => toApiError(error, brand.spelling),
        })
        return outgoing ? audited.then(outgoing) : audited
      }
      if (route.streams)
        return handler(call).then((answer) =>
          answer instanceof EventStreamReply
            ? reply.headers(STREAM_HEADERS).send(toReadable(answer))
            : outgoing
              ? outgoing(answer)
              : answer,
        )
      return outgoing ? handler(call).then(outgoing) : handler(call)
    },
  }
}

const maskSecretsOf = (principal: Principals[Audience] | null): boolean =>
  !principal || !('settings' in principal) || principal.settings.maskSecrets

interface Incoming extends FastifyRequest {
  principal: Principals[Audience] | null
  hasRun: boolean
}

/** Runs a step that may be asynchronous, then `then`, then `done`. Errors of both go to `done`. */
function runMaybeAsync<R>(
  step: () => R | Promise<R>,
  then: (result: R) => void,
  done: (error?: Error) => void,
): void {
  let result: R | Promise<R>
  try {
    result = step()
    if (!(result instanceof Promise)) then(result)
  } catch (error) {
    return done(error as Error)
  }
  if (result instanceof Promise) result.then(then).then(() => done(), done)
  else done()
}

/** Rejects NUL, which PostgreSQL text cannot store. No parameter of the API uses it. */
function rejectNul({ params, query }: FastifyRequest): void {
  for (const [part, values] of [
    ['params', params],
    ['query', query],
  ] as const) {
    for (const name in values as Record<string, unknown>) {
      const value = (values as Record<string, unknown>)[name]
      if (typeof value === 'string' ? value.includes('\0') : JSON.stringify(value).includes('\\u0000'))
        throw badRequest(`Error in ${part}.${name}: must not contain NUL`)
    }
  }
}

/** Responds to any error with the envelope, or with a page for browsers. */
const errorHandler =
  ({ spelling }: Pick<Branding, 'spelling'>, pageFor: ErrorPage | undefined) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const failure = toApiError(error, spelling)
    const { id, url, log, routeOptions, headers } = request
    // An application that does not respond is not an error of this server: log a line without a stack.
    if (failure.slug.startsWith('ActionExecute_Upstream'))
      log.info({ request_id: id, reason: failure.message }, failure.slug)
    else if (failure.status >= 500 && failure.status !== 501)
      log.error({ err: failure.cause ?? failure, request_id: id, url: routeOptions.url }, failure.slug)
    else log.debug({ request_id: id, url: routeOptions.url, details: failure.details }, failure.slug)
    if (failure instanceof TooManyRequests) reply.headers(failure.headers)
    // Retrying does not resolve a conflict or a missing feature, and clients retry both unless this header
    // forbids it.
    if (failure.status === 409 || failure.status === 501) reply.header('x-should-retry', 'false')
    if (failure.status === 503) reply.header('retry-after', '1')
    // A request that the framework itself rejects has passed no hook that sets the id.
    reply.code(failure.status).header('x-request-id', id)
    const page = pageFor?.({ path: pathOf(url), accept: headers.accept, id }, failure)
    if (page) return reply.headers(page.headers).send(page.html)
    const envelope = failure.toEnvelope(id)
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send(failure.status === 429 ? { message: failure.message, ...envelope } : envelope)
  }

const pathOf = (url: string): string => url.split('?')[0]?.slice(0, 200) ?? ''

interface RegisteredRoute {
  method: string
  pattern: RegExp
}

/** Operations of the API before version 3. */
const LEGACY_PATH = /^\/api\/v[12](\/|$)/

function routeNotFound(
  known: readonly RegisteredRoute[],
  request: FastifyRequest,
  reply: FastifyReply,
): ApiError {
  const path = pathOf(request.url)
  const others = [...new Set(known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))]
  if (LEGACY_PATH.test(path))
    return new ApiError(
      'HTTP_Gone',
      `${path} belongs to an earlier API, which was removed. Use /api/v3.1 instead.`,
    )
  if (!others.length) return new ApiError('HTTP_NotFound', `There is nothing at ${path}.`)
  reply.header('allow', others.join(', '))
  return new ApiError(
    'HTTP_MethodNotAllowed',
    `${request.method} is not possible on ${path}; it answers ${others.join(', ')}.`,
  )
}
