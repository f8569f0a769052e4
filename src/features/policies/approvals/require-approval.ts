import type { PendingApproval, PreparedCall, ToolResult, UsedApproval } from '../../../engine/index.ts'
import type { UntrustedSourceRow } from '../data-flow/store.ts'
import { presentSource } from '../data-flow/track-sources.ts'
import type { CompiledPolicy } from '../decision/evaluate-policies.ts'
import { approvalUrl } from './approval-link.ts'
import { callBinding, callIdentity } from './call-binding.ts'
import { reviewedArguments } from './reviewed-arguments.ts'
import { type ApprovalDeps, requestApproval, restoreUsedApproval } from './service.ts'
import * as store from './store.ts'
import { consumeApproval } from './use-store.ts'

const PREVIEW_CHARACTERS_MAX = 4_000
/** How long an approval that a session requires is pending (contract of the tool router, 1.16). */
const SESSION_APPROVAL_SECONDS = 600
/** Sources that a person can read on a page. */
const SOURCES_SHOWN_MAX = 100

/** Why a call needs an approval. Without policies, the permissions of the session require it. */
export interface ApprovalRequirement {
  policies: readonly CompiledPolicy[]
  /** The untrusted content because of which the policies apply. */
  sources: readonly UntrustedSourceRow[]
  reason: string
}

/** Lets a call through that a person approved exactly as it is. Any other call gets a pending approval. */
export async function requireApproval(
  deps: ApprovalDeps,
  call: PreparedCall,
  requirement: ApprovalRequirement,
): Promise<PendingApproval | UsedApproval> {
  const { policies, sources, reason } = requirement
  const identity = callIdentity(call)
  const { projectId } = identity
  const binding = callBinding(call)
  const id = await consumeApproval(deps.db, projectId, binding, call.logId)
  if (id) {
    const used = { id, logId: call.logId, binding }
    return { restore: () => restoreUsedApproval(deps, projectId, used, reviewedArguments(call)) }
  }
  const row =
    (await store.findActive(deps.db, projectId, binding)) ??
    (await requestApproval(
      deps,
      {
        identity,
        binding,
        policyIds: policies.map((policy) => policy.id),
        reason,
        sources: sources.slice(0, SOURCES_SHOWN_MAX).map(presentSource),
        seconds:
          policies.length > 0
            ? Math.min(...policies.map(({ approvalSeconds }) => approvalSeconds))
            : SESSION_APPROVAL_SECONDS,
        logId: call.logId,
        // A policy asks for each call. Only the session's own rules can be allowed for the whole session, and only for
        // a tool: a proxy request can be any request of the account.
        choices:
          policies.length > 0 || call.isProxy
            ? ['allow_once', 'deny']
            : ['allow_once', 'allow_session', 'deny'],
      },
      reviewedArguments(call),
      call.call.settings.storePayloads,
    ))
  // Approved by a concurrent request between the two statements above.
  if (row.status === 'approved') return requireApproval(deps, call, requirement)
  // An agent could open the link and decide. Only a policy can say that callers receive it.
  const hasLink = policies.length > 0 && policies.every(({ approvalLink }) => approvalLink)
  return toPendingApproval(deps, row, call, hasLink)
}

const INSTRUCTIONS = {
  pending:
    'This call was not sent. Ask a person to decide, at the url if there is one. ' +
    'Then send exactly this call again before expires_at.',
  denied: 'A person denied this call, and it was not sent. Do not repeat it.',
}

function toPendingApproval(
  { encryptor, publicUrl }: ApprovalDeps,
  row: store.ApprovalRow,
  call: PreparedCall,
  hasLink: boolean,
): PendingApproval {
  const isDenied = row.status === 'denied'
  const approval = {
    id: row.id,
    status: row.status,
    tool_slug: row.tool_slug,
    arguments_preview: previewArguments(call.loggedArguments),
    reason: row.reason,
    ...(row.untrusted_sources.length > 0 && { untrusted_sources: row.untrusted_sources }),
    expires_at: row.expires_at.toISOString(),
    choices: isDenied ? [] : row.choices,
    instruction: INSTRUCTIONS[isDenied ? 'denied' : 'pending'],
  }
  const result = (more: object): ToolResult => ({
    data: { approval: { ...approval, ...more } },
    error: isDenied ? 'Denied by user' : 'Approval required',
    successful: false,
    statusCode: null,
    isWithheld: true,
  })
  // Anyone with the URL can decide, so the log does not contain it.
  return {
    loggedResult: result({}),
    result: result(
      hasLink && !isDenied ? { url: approvalUrl(encryptor, publicUrl, row.project_id, row.id) } : {},
    ),
  }
}

/** Returns the arguments, or the beginning of large ones. */
function previewArguments(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(args)
  return text.length <= PREVIEW_CHARACTERS_MAX ? args : { truncated: text.slice(0, PREVIEW_CHARACTERS_MAX) }
}
