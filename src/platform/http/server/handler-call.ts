import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { ApiVersion, Permission, Route } from '../../../contract/route.ts'
import type { Authenticate, Call } from '../call.ts'
import { disconnectSignal } from './client-disconnect.ts'
import type { Incoming } from './turn-hooks.ts'

/** Returns what the handler of a request receives. */
export function callOf<T extends Route>(
  route: T,
  apiVersion: ApiVersion,
  authenticate: Authenticate,
  request: Incoming,
  reply: FastifyReply,
): Call<T> {
  const { params, query, body, log, id: requestId, ip, principal, changesConfirmed } = request
  return new HandlerCall(reply.raw, {
    params,
    query,
    body,
    log,
    requestId,
    ip,
    apiVersion,
    changesConfirmed,
    ...principal,
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
  }) as unknown as Call<T>
}

/**
 * A call whose signal is made when it is read: most handlers do not read it. The accessor is in a class because V8
 * makes a hidden class for each object that has one of its own. That stays in the old generation, and with it all
 * objects of the request, until the next major garbage collection.
 */
class HandlerCall {
  /** Not `#response`: a copy of a call has its fields. */
  private readonly response: ServerResponse
  private ownSignal: AbortSignal | undefined = undefined

  constructor(response: ServerResponse, fields: object) {
    this.response = response
    Object.assign(this, fields)
  }

  get signal(): AbortSignal {
    return (this.ownSignal ??= disconnectSignal(this.response))
  }
}
