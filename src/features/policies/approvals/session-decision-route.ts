import * as contract from '../../../contract/approvals.ts'
import { PROXY_SLUG } from '../../../engine/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { Api } from '../../../platform/http/call.ts'
import { callerOf, openScope, type ScopeDeps, type SessionService } from '../../sessions/index.ts'
import { type ApprovalDeps, decideApproval, openArguments, readApproval } from './service.ts'

export interface SessionDecisionDeps extends ScopeDeps, ApprovalDeps {
  service: SessionService
}

/** A person decides through the caller's program (contract of the tool router, 1.16): what they allow is run at once, within the session as it is now. */
export function sessionDecisionRoute(api: Api, deps: SessionDecisionDeps): void {
  api.on(contract.decideInSession, async (call) => {
    const {
      projectId,
      keyId,
      params: { session_id: sessionId, approval_id: id },
      body: { decision },
      signal,
    } = call
    const scope = await openScope(deps, callerOf(call), await deps.service.use(projectId, sessionId))
    const asked = await readApproval(deps.db, projectId, id)
    if (asked.session_id !== sessionId) throw new ApiError('Approval_NotFound', `Approval ${id} not found`)
    const isProxy = asked.tool_slug === PROXY_SLUG
    if (!isProxy && decision !== 'deny' && !scope.find(asked.tool_slug))
      throw new ApiError('Tool_ToolNotFound', `Tool ${asked.tool_slug} not found in this session`)
    const args = openArguments(deps.encryptor, asked)
    const { status } = await decideApproval(deps, projectId, id, decision, `key:${keyId}`)
    const approval = { id, status, tool_slug: asked.tool_slug }
    if (decision === 'deny')
      return { data: { approval }, error: 'Denied by user', log_id: asked.log_id ?? '' }
    // Its headers and bytes were not kept, so only the caller can send it.
    if (isProxy || !args)
      return {
        data: { approval: { ...approval, instruction: 'It is allowed: send exactly this request again.' } },
        error: null,
        log_id: asked.log_id ?? '',
      }
    const { data, error, logId } = await scope.execute(asked.tool_slug, args, {
      account: asked.connected_account_id ?? undefined,
      signal,
    })
    return { data, error, log_id: logId }
  })
}
