import Fastify, { LogController, type FastifyInstance } from 'fastify'
import { API_VERSIONS, type Route } from '../../../contract/route.ts'
import { newRequestId } from '../../ids.ts'
import { runInScope } from '../../db/project-scope.ts'
import type { Logger } from '../../log.ts'
import { registerFormBodyParser } from '../middleware/form-body.ts'
import { registerJsonBodyParser } from '../middleware/json-body.ts'
import type { Api, Authenticate, Call, Handler, Limit, ObserveCall, RouteOptions } from '../call.ts'
import { respondToInvalidRequest } from './invalid-request.ts'
import { hasTooManyValues, parseQuery, tooManyValues } from '../middleware/query.ts'
import { createRequestTurns, type RequestTurns } from '../turns/request-turns.ts'
import type { UnknownFieldsMode } from '../middleware/unknown-fields.ts'
import type { AuditRecorder } from '../audit/audit-recorder.ts'
import { createAuditedCalls } from '../audit/audited-handler.ts'
import { KEEP_ALIVE_MS } from './keep-alive.ts'
import { schemaCompilers } from './schema-compilers.ts'
import type { Branding } from '../branding/branding.ts'
import { createErrorHandler, type ErrorPage } from './error-handler.ts'
import { type RegisteredRoute, routeNotFound } from './missing-route.ts'
import { asFastifyRoute } from './fastify-route.ts'

export interface ServerOptions {
  log: Logger
  brand: Branding
  authenticate: Authenticate
  limit: Limit
  /** Default: projects are not limited. */
  turns?: RequestTurns
  audit: AuditRecorder
  /** IP addresses and CIDR ranges of proxies whose X-Forwarded-* headers are trusted. Default: none. */
  trustedProxies?: readonly string[] | undefined
  /**
   * Resolves true when reports of all changes that had committed before the call have been handled. Default: handlers
   * confirm what is cached themselves.
   */
  confirmChanges?: (() => Promise<boolean>) | undefined
  /** What happens to unknown names of requests to v3.1. Default: `reject`. */
  unknownFields?: UnknownFieldsMode | undefined
  /** Default: handlers receive the call itself. */
  observeCall?: ObserveCall | undefined
  /** Returns a page instead of the envelope, for URLs that browsers visit. */
  errorPage?: ErrorPage
}

/** 6 MB: the largest documented body, a proxy call with base64, fits. */
const BODY_BYTES_MAX = 6 * 1024 * 1024
const REQUEST_TIMEOUT_MS = 60_000
const SANE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,64}$/

/** Creates the HTTP server, and the interface with which features add their routes. */
export function createServer(options: ServerOptions): { app: FastifyInstance; api: Api } {
  const { brand, authenticate, limit, audit, observeCall, unknownFields = 'reject' } = options
  const { turns = createRequestTurns({ perProject: 0, waitingMax: 0 }) } = options
  const fail = createErrorHandler(brand, options.errorPage)
  const app = createFastify(options, fail)
  addRequestSteps(app)
  const known: RegisteredRoute[] = []
  app.setNotFoundHandler((request, reply) => fail(routeNotFound(known, request, reply), request, reply))
  const auditedCalls = createAuditedCalls(audit)
  const { confirmChanges } = options
  const context = { brand, authenticate, limit, turns, audit, auditedCalls, unknownFields, confirmChanges }
  const api: Api = {
    on(route, unscopedHandler, routeOptions = {}) {
      const scoped = inProjectOfCaller(unscopedHandler)
      const handler: typeof scoped = observeCall
        ? (call) => scoped(observeCall(route, call as Call<Route>) as typeof call)
        : scoped
      auditedCalls.add(route, handler as Handler<Route>)
      known.push({ method: route.method, path: route.path })
      for (const version of API_VERSIONS)
        app.route(
          asFastifyRoute(route, version, handler, {
            ...context,
            ...(routeOptions as RouteOptions<Route>),
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

function createFastify(
  { log, trustedProxies = [] }: ServerOptions,
  fail: ReturnType<typeof createErrorHandler>,
): FastifyInstance {
  const compile = schemaCompilers()
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
      typeof id === 'string' && SANE_REQUEST_ID.test(id) ? id : newRequestId(),
    routerOptions: { querystringParser: parseQuery, maxParamLength: 256, ignoreTrailingSlash: true },
    // Given here, so that the framework does not load its own compilers.
    schemaController: {
      compilersFactory: {
        buildValidator: () =>
          (({ schema, httpPart }: { schema: object; httpPart?: string }) =>
            compile.validator(schema, httpPart)) as never,
        buildSerializer: () => (({ schema }: { schema: object }) => compile.serializer(schema)) as never,
      },
    },
    clientErrorHandler: respondToInvalidRequest,
    frameworkErrors: (error, request, reply) => {
      void fail(error, request, reply)
    },
  }) as unknown as FastifyInstance
  app.setErrorHandler(fail)
  return app
}

/** Adds what every request passes before the hooks of its route. */
function addRequestSteps(app: FastifyInstance): void {
  registerJsonBodyParser(app)
  registerFormBodyParser(app)
  app.decorateRequest('principal', null)
  app.decorateRequest('hasRun', false)
  app.decorateRequest('turn', null)
  app.decorateRequest('changesConfirmed', undefined)
  app.decorateRequest('largeBody', null)
  app.decorateRequest('serializationStart', null)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    done(hasTooManyValues(request.query) ? tooManyValues() : undefined)
  })
}
