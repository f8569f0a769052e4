import type { FastifyRequest } from 'fastify'
import type { Audience, Route } from '../../../contract/route.ts'
import type { ApiError, CallerIdentity } from '../api-error.ts'
import type { Principals } from '../call.ts'
import type { AuditRecorder } from './audit-recorder.ts'
import { objectIdInPath, objectTypeOf } from './audited-object.ts'

/** A call that was rejected before its handler: without permission, or with an invalid request. */
export interface RejectedCall {
  caller: CallerIdentity
  params: unknown
  sourceIp: string
  userAgent: string | undefined
  requestId: string
  error: Pick<ApiError, 'slug' | 'status'>
}

/** Describes a rejected call for the audit log; undefined if its caller is not known. */
export function rejectionOf(
  request: FastifyRequest & { principal: Principals[Audience] | null },
  error: ApiError,
): RejectedCall | undefined {
  const { principal, params, id, ip, headers } = request
  const caller = principal && 'organizationId' in principal ? principal : error.caller
  return caller && { caller, params, error, sourceIp: ip, userAgent: headers['user-agent'], requestId: id }
}

/** Records a rejected call in the audit log. */
export const recordRejectedCall = (
  recorder: AuditRecorder,
  route: Route,
  { caller, params, sourceIp, userAgent, requestId, error }: RejectedCall,
): Promise<void> =>
  recorder.reject(
    {
      action: route.id,
      organizationId: caller.organizationId,
      projectId: caller.projectId,
      callerId: caller.keyId,
      // The id was not validated, and PostgreSQL stores no NUL.
      object: { type: objectTypeOf(route), id: objectIdInPath(route, params)?.replaceAll('\0', '') ?? null },
      sourceIp,
      userAgent: userAgent ?? null,
      requestId,
    },
    { status: error.status, error: error.slug },
  )
