import * as contract from '../../../contract/policies/index.ts'
import { PROXY_SLUG } from '../../../engine/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { Api } from '../../../platform/http/call.ts'
import {
  readSessionCaller,
  openScope,
  type SessionScopeDeps,
  type SessionService,
} from '../../sessions/index.ts'
import { type ApprovalDeps, decideApproval, decryptArguments, readApproval } from './service.ts'

export interface SessionDecisionDeps extends SessionScopeDeps, ApprovalDeps {
  service: SessionService
}

/**
 * Records the decision of a person through the caller's program (contract of the tool router, 1.16). An allowed call
 * runs at once, with the current configuration of the session.
 */
export function sessionDecisionRoute(api: Api, deps: SessionDecisionDeps): void {
  api.on(contract.decideInSession, async (call) => {
    const {
      projectId,
      keyId,
      params: { session_id: sessionId, approval_id: id },
      body: { decision },
      signal,
    } = call
    const scope = await openScope(
      deps,
      readSessionCaller(call),
      await deps.service.readAndTouch(projectId, sessionId),
    )
    const approvalRow = await readApproval(deps.db, projectId, id)
    if (approvalRow.session_id !== sessionId)
      throw new ApiError('Approval_NotFound', `Approval ${id} not found`)
    const isProxy = approvalRow.tool_slug === PROXY_SLUG
    if (!isProxy && decision !== 'deny' && !scope.find(approvalRow.tool_slug))
      throw new ApiError('Tool_ToolNotFound', `Tool ${approvalRow.tool_slug} not found in this session`)
    const args = decryptArguments(deps.encryptor, approvalRow)
    const { status } = await decideApproval(deps, projectId, id, decision, `key:${keyId}`)
    const approval = { id, status, tool_slug: approvalRow.tool_slug }
    if (decision === 'deny')
      return { data: { approval }, error: 'Denied by user', log_id: approvalRow.log_id ?? '' }
    // The headers and bytes of a proxy request are not stored, so only the caller can send it.
    if (isProxy || !args)
      return {
        data: {
          approval: {
            ...approval,
            instruction: 'This request is allowed. Send exactly the same request again.',
          },
        },
        error: null,
        log_id: approvalRow.log_id ?? '',
      }
    const { data, error, logId } = await scope.execute(approvalRow.tool_slug, args, {
      account: approvalRow.connected_account_id ?? undefined,
      signal,
    })
    return { data, error, log_id: logId }
  })
}
