import type { ApiVersion, Route } from '../../../contract/route.ts'
import type { Call, Handler } from '../call.ts'
import type { ApiError } from '../api-error.ts'
import type { AuditedCall, AuditRecorder } from './audit-recorder.ts'
import { objectIdInPath, objectIdInReply, objectTypeOf, readsObjectOf } from './audited-object.ts'

/** A call with the parts of its request that handlers do not see. */
export interface AuditSource {
  sourceIp: string
  userAgent: string | undefined
  /** HTTP status that a successful response has. */
  status(): number
  toApiError(error: unknown): ApiError
}

type AnyCall = Call<Route> & { keyId?: string; organizationId?: string; projectId?: string }
type AnyHandler = Handler<Route>

/** Whether calls of an operation can be in the audit log; of some reads, only those that return a secret in clear. */
export const canBeAudited = ({ audience, audit, method }: Route): boolean =>
  audience !== 'public' && (audit ?? method !== 'GET') !== false

/**
 * Whether a call is in the audit log: every operation that is not a GET, and reads that return a secret in clear.
 * `maskSecrets` is the setting of the project.
 */
export function isAudited(route: Route, apiVersion: ApiVersion, maskSecrets: boolean): boolean {
  if (!canBeAudited(route)) return false
  if (route.audit === 'secrets_of_v3') return apiVersion === 'v3'
  if (route.audit === 'unmasked_secrets') return !maskSecrets
  return route.audit ?? route.method !== 'GET'
}

/**
 * Runs handlers with an entry in the audit log: it is announced before the handler runs, and completed with the
 * result. The object is read before and after through the GET operation of the same path, if there is one.
 */
export function createAuditedCalls(recorder: AuditRecorder) {
  const readers: { route: Route; handler: AnyHandler }[] = []
  const readerOf = new Map<Route, AnyHandler | undefined>()

  const findReader = (route: Route): AnyHandler | undefined => {
    if (route.method === 'GET') return undefined
    if (!readerOf.has(route))
      readerOf.set(
        route,
        readers
          .filter((reader) => readsObjectOf(reader.route, route))
          .toSorted((a, b) => b.route.path.length - a.route.path.length)[0]?.handler,
      )
    return readerOf.get(route)
  }

  return {
    /** Makes the GET operation available for reading objects. */
    add(route: Route, handler: AnyHandler): void {
      if (route.method === 'GET' && !route.streams) readers.push({ route, handler })
    },

    async run(route: Route, handler: AnyHandler, call: AnyCall, source: AuditSource) {
      const reader = findReader(route)
      const before = reader && (await readObject(reader, call))
      const object = auditedCall(route, call, source)
      const complete = await recorder.begin(object)
      const finish = (result: Parameters<typeof complete>[0]) =>
        // The call has happened. Without this write its announcement becomes an entry with the outcome `unknown`.
        complete(result).catch((error: unknown) =>
          call.log.error({ err: error, request_id: call.requestId }, 'an audit entry could not be completed'),
        )
      const { id: objectId } = object.object
      let reply: Awaited<ReturnType<AnyHandler>>
      try {
        reply = await handler(call)
      } catch (error) {
        const { slug, status } = source.toApiError(error)
        await finish({
          outcome: 'failure',
          status,
          error: slug,
          objectId,
          before: undefined,
          after: undefined,
        })
        throw error
      }
      await finish({
        outcome: 'success',
        status: source.status(),
        error: null,
        objectId: objectId ?? objectIdInReply(reply),
        before,
        after: await objectAfter(route, reader, call, reply),
      })
      return reply
    },
  }
}

function auditedCall(route: Route, call: AnyCall, { sourceIp, userAgent }: AuditSource): AuditedCall {
  return {
    action: route.id,
    organizationId: call.organizationId as string,
    projectId: call.projectId,
    callerId: call.keyId as string,
    object: { type: objectTypeOf(route), id: objectIdInPath(route, call.params) },
    sourceIp,
    userAgent: userAgent ?? null,
    requestId: call.requestId,
  }
}

/** Reads an object as v3.1 shows it: there, secrets are masked. Undefined if it does not exist. */
const readObject = async (reader: AnyHandler, call: AnyCall): Promise<unknown> => {
  const read = Object.assign(Object.create(call) as AnyCall, { query: {}, body: {}, apiVersion: 'v3.1' })
  return await reader(read).catch(() => undefined)
}

/** A new object is in the response; a changed one is read again; where neither is possible, the request tells. */
function objectAfter(route: Route, reader: AnyHandler | undefined, call: AnyCall, reply: unknown): unknown {
  if (route.method === 'GET' || route.method === 'DELETE') return undefined
  if (reader) return readObject(reader, call)
  return route.status === 201 ? reply : call.body
}
