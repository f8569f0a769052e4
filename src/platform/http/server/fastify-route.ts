import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiVersion, Audience, Route } from '../../../contract/route.ts'
import { badRequest } from '../api-error.ts'
import type { AuditRecorder } from '../audit/audit-recorder.ts'
import { type createAuditedCalls, isAudited } from '../audit/audited-handler.ts'
import { recordRejectedCall, rejectionOf } from '../audit/rejected-call.ts'
import type { Branding } from '../branding/branding.ts'
import type { Authenticate, Call, Handler, Limit, Principals, RouteOptions } from '../call.ts'
import { listParameters, type ParsedQuery, splitLists } from '../middleware/query.ts'
import { runCharged } from '../turns/charged-work.ts'
import { type RequestTurns, runInTurn } from '../turns/request-turns.ts'
import { largeBodyHook } from '../middleware/large-body.ts'
import { type UnknownFieldsMode, unknownFieldsCheck } from '../middleware/unknown-fields.ts'
import { toApiError } from './api-errors.ts'
import { callOf } from './handler-call.ts'
import { type Incoming, startTurn, turnHooks } from './turn-hooks.ts'
import { EventStreamReply, STREAM_HEADERS, toReadable } from './event-stream.ts'
import { largeReplySerializer, toBody } from './large-reply.ts'
import { runInSlices } from '../turns/run-in-slices.ts'

export interface RouteContext extends RouteOptions<Route> {
  readonly brand: Branding
  readonly authenticate: Authenticate
  readonly limit: Limit
  readonly turns: RequestTurns
  readonly audit: AuditRecorder
  readonly auditedCalls: ReturnType<typeof createAuditedCalls>
  readonly unknownFields: UnknownFieldsMode
  readonly confirmChanges?: (() => Promise<boolean>) | undefined
}

/** Returns an operation of the contract as a route of Fastify, for one version of the API. */
export function asFastifyRoute<T extends Route>(
  route: T,
  apiVersion: ApiVersion,
  handler: Handler<T>,
  context: RouteContext,
) {
  const wire = context.brand.route(route)
  const hasBody = Object.keys((wire.body as { properties?: object }).properties ?? {}).length > 0
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
    // Before the body is read: a caller without a key learns nothing about its request.
    onRequest: authenticationHook(route, apiVersion, context),
    ...(route.audience === 'project' && turnHooks),
    ...(route.forwardsBody && { preParsing: largeBodyHook(wire.body) }),
    preValidation: normalizationHook(route, apiVersion, wire, hasBody, context),
    // Calls that were rejected before their handler: those that ran have their entry.
    onError: rejectionHook(route, apiVersion, context),
    handler: requestHandler(route, apiVersion, handler, wire, context),
  }
}

type Done = (error?: Error) => void
type WireRoute = ReturnType<Branding['route']>

/** Hooks have callbacks because the key is usually cached, so that nothing must be awaited. */
function authenticationHook(
  route: Route,
  apiVersion: ApiVersion,
  { authenticate, limit, turns, confirmChanges, checkBeforeBody }: RouteContext,
) {
  const deprecation = route.deprecated?.[apiVersion]
  return (request: Incoming, reply: FastifyReply, done: Done) => {
    if (route.neverRetry) reply.header('x-should-retry', 'false')
    if (deprecation !== undefined) reply.header('deprecation', deprecation)
    const admit = (principal: Principals[Audience]): void | Promise<void> => {
      request.principal = principal
      if ('organizationId' in principal) reply.headers(limit(principal))
      if (route.readsAccount) request.changesConfirmed = confirmChanges?.()
      const turn =
        'projectId' in principal ? startTurn(turns, principal.projectId, route.id, request, reply) : undefined
      if (!checkBeforeBody) return turn
      // A project whose calls are rejected pays for receiving their bodies.
      return turn ? turn.then(() => checkBeforeBody(principal)) : checkBeforeBody(principal)
    }
    runMaybeAsync(() => authenticate(route.audience, route.permission, request, route.id), admit, done)
  }
}

/** Brings a request into the form that its schema describes. */
function normalizationHook(
  route: Route,
  apiVersion: ApiVersion,
  wire: WireRoute,
  hasBody: boolean,
  { brand, unknownFields }: RouteContext,
) {
  const checkFields = unknownFieldsCheck(route, apiVersion, unknownFields)
  const lists = [...new Set([...listParameters(wire.query), ...listParameters(brand.schema(wire.query))])]
  const bodyOptional = hasBody && !(wire.body as { required?: string[] }).required?.length
  const normalize = (request: Incoming, reply: FastifyReply) => {
    rejectNul(request)
    splitLists(request.query as ParsedQuery, lists)
    if (bodyOptional && request.body === undefined) request.body = {}
    wire.renameRequest?.(request)
    checkFields(request, reply)
  }
  return (request: Incoming, reply: FastifyReply, done: Done) =>
    runMaybeAsync(
      () => normalize(request, reply),
      () => {},
      done,
    )
}

function rejectionHook(route: Route, apiVersion: ApiVersion, { audit, brand }: RouteContext) {
  return (request: Incoming, _reply: FastifyReply, error: unknown, done: () => void) => {
    const rejection = request.hasRun ? undefined : rejectionOf(request, toApiError(error, brand.spelling))
    if (!rejection || !isAudited(route, apiVersion, maskSecretsOf(request.principal))) return done()
    recordRejectedCall(audit, route, rejection)
      .catch((cause: unknown) => {
        request.log.error({ err: cause, request_id: request.id }, 'a rejected call is not in the audit log')
      })
      .then(done, done)
  }
}

/** Runs handlers in the turns of their requests. */
const inTurn =
  (handle: (request: Incoming, reply: FastifyReply) => Promise<unknown>) =>
  (request: Incoming, reply: FastifyReply): Promise<unknown> =>
    request.turn
      ? runInTurn(request.turn, () => runCharged(() => handle(request, reply)))
      : handle(request, reply)

function requestHandler<T extends Route>(
  route: T,
  apiVersion: ApiVersion,
  handler: Handler<T>,
  { renameReply, reply: replySchema }: WireRoute,
  { authenticate, auditedCalls, brand }: RouteContext,
) {
  const toPayload = payloadOf(replySchema, renameReply)
  return inTurn((request, reply) => {
    request.hasRun = true
    reply.code(route.status)
    const call = callOf(route, apiVersion, authenticate, request, reply)
    if (isAudited(route, apiVersion, maskSecretsOf(request.principal))) {
      const audited = auditedCalls.run(route, handler as Handler<Route>, call as Call<Route>, {
        sourceIp: request.ip,
        userAgent: request.headers['user-agent'],
        status: () => reply.statusCode,
        toApiError: (error) => toApiError(error, brand.spelling),
      })
      return toPayload ? audited.then((answer) => toPayload(answer, reply)) : audited
    }
    if (route.streams)
      return handler(call).then((answer) =>
        answer instanceof EventStreamReply
          ? reply.headers(STREAM_HEADERS).send(toReadable(answer))
          : toPayload
            ? toPayload(answer, reply)
            : answer,
      )
    return toPayload ? handler(call).then((answer) => toPayload(answer, reply)) : handler(call)
  })
}

/** Returns a function that renames fields of a response, and serializes a large one; undefined if nothing is to do. */
function payloadOf(schema: object, renameReply: WireRoute['renameReply']) {
  const serializeLarge = largeReplySerializer(schema)
  if (!serializeLarge) return renameReply
  return (answer: unknown, reply: FastifyReply): unknown => {
    const renamed = renameReply ? renameReply(answer) : answer
    const work = serializeLarge(renamed)
    return work ? runInSlices(work).then((parts) => sendParts(parts, reply)) : renamed
  }
}

function sendParts(parts: readonly Buffer[], reply: FastifyReply) {
  const bytes = parts.reduce((sum, { length }) => sum + length, 0)
  reply.headers({ 'content-type': 'application/json; charset=utf-8', 'content-length': bytes })
  return toBody(parts, bytes)
}

const maskSecretsOf = (principal: Principals[Audience] | null): boolean =>
  !principal || !('settings' in principal) || principal.settings.maskSecrets

/** Runs a step that may be asynchronous, then `then`, then `done`. Errors of both go to `done`. */
function runMaybeAsync<R>(
  step: () => R | Promise<R>,
  then: (result: R) => void | Promise<void>,
  done: (error?: Error) => void,
): void {
  let ended: void | Promise<void>
  try {
    const result = step()
    ended = result instanceof Promise ? result.then(then) : then(result)
  } catch (error) {
    return done(error as Error)
  }
  if (ended instanceof Promise) ended.then(() => done(), done)
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
