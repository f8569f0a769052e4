import type { Outcome } from '../../contract/policies/index.ts'
import type { CallPolicies, PendingApproval, PreparedCall, ToolResult } from '../../engine/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { SessionKey, SessionRules } from '../sessions/index.ts'
import { approvalUrl } from './approvals/approval-link.ts'
import { callBinding, callIdentity } from './approvals/call-binding.ts'
import { insertDecision } from './approvals/decision-log.ts'
import { reviewedArguments } from './approvals/reviewed-arguments.ts'
import { type ApprovalDeps, requestApproval } from './approvals/service.ts'
import * as store from './approvals/store.ts'
import {
  type CallFacts,
  type CompiledPolicy,
  decisivePolicies,
  evaluatePolicies,
  strictestOutcome,
} from './decision/evaluate-policies.ts'
import type { PolicyCache } from './decision/policy-cache.ts'
import { permissionMode, permissionModeByTags, strictestMode } from './decision/session-permissions.ts'

const PREVIEW_CHARACTERS_MAX = 4_000
const REASON_CHARACTERS_MAX = 1_000
/** How long an approval that a session requires is pending (contract of the tool router, 1.16). */
const SESSION_APPROVAL_SECONDS = 600

export interface AuthorizeCallDeps extends ApprovalDeps {
  policyCache: PolicyCache
  /** Reads the current rules of a session. Returns undefined if it does not exist. */
  sessionRules(key: SessionKey, call: object): Promise<SessionRules | undefined>
}

/** The outcome for a call, and what decided it. */
interface CallDecision {
  outcome: Outcome
  policies: readonly CompiledPolicy[]
  /** The permissions of the session ask or deny. */
  isSessionRule: boolean
  /** The session asks once, and a person already allowed the tool for this session. */
  hasSessionGrant: boolean
}

/** Applies the policies of the project and the permissions of the session to every call. */
export function createCallPolicies(deps: AuthorizeCallDeps): CallPolicies {
  return {
    async authorize(call) {
      const decision = await decideCall(deps, call)
      if (decision?.outcome === 'deny') throw await denyCall(deps, call, decision)
      // A dry run sends nothing, so it needs no approval.
      if (!decision || call.call.dryRun) return undefined
      if (decision.outcome === 'ask') return requireApproval(deps, call, decision)
      if (decision.hasSessionGrant)
        await insertDecision(deps.db, 'let_by_session', callIdentity(call), {
          policy_ids: [],
          log_id: call.logId,
        })
      return undefined
    },
    allowsFollowUp: async (call) => ((await decideCall(deps, call))?.outcome ?? 'allow') === 'allow',
  }
}

/**
 * Decides a call. Returns undefined if neither policies nor permissions apply.
 * @throws ApiError ToolRouterV2_SessionNotFound if the session was deleted
 */
async function decideCall(deps: AuthorizeCallDeps, call: PreparedCall): Promise<CallDecision | undefined> {
  const { projectId, parent } = call.call
  // No await for a cached list, which most calls have: it would cost a tick of the event loop.
  const cached = deps.policyCache.policiesFor(projectId)
  const policies = cached instanceof Promise ? await cached : cached
  const session =
    parent?.sessionId === undefined
      ? undefined
      : await readSessionRules(deps, { projectId, id: parent.sessionId }, call.call)
  const hasSessionRules = session?.permissions || session?.approvalTags.all || session?.approvalTags.toolkits
  if (policies.length === 0 && !hasSessionRules) return undefined
  const facts = callFacts(call)
  const policyDecision = evaluatePolicies(policies, facts)
  const mode = session
    ? strictestMode([
        session.permissions ? permissionMode(session.permissions, facts) : 'allow',
        permissionModeByTags(session.approvalTags, facts),
      ])
    : 'allow'
  const hasSessionGrant =
    mode === 'ask_once' &&
    !call.isProxy &&
    (await store.hasGrant(
      deps.db,
      projectId,
      parent?.sessionId as string,
      call.resolvedTool.tool.slug,
      facts.accountId,
    ))
  const sessionOutcome: Outcome =
    mode === 'allow' || hasSessionGrant ? 'allow' : mode === 'deny' ? 'deny' : 'ask'
  const outcome = strictestOutcome([policyDecision.outcome, sessionOutcome])
  return {
    outcome,
    policies: outcome === policyDecision.outcome ? decisivePolicies(policyDecision) : [],
    isSessionRule: outcome === sessionOutcome && outcome !== 'allow',
    hasSessionGrant,
  }
}

async function readSessionRules(
  { sessionRules }: AuthorizeCallDeps,
  key: SessionKey,
  call: object,
): Promise<SessionRules> {
  const rules = await sessionRules(key, call)
  if (!rules) throw new ApiError('ToolRouterV2_SessionNotFound', `Session ${key.id} not found`)
  return rules
}

function callFacts(call: PreparedCall): CallFacts {
  const { userId, accountId, sessionId } = callIdentity(call)
  const { catalog, resolvedTool, isProxy, arguments: args } = call
  return { catalog, resolvedTool, isProxy, arguments: args, userId, accountId, sessionId }
}

/** Joins the messages of the policies, or their names if they have no message. */
const decisionReason = ({ policies, isSessionRule }: CallDecision): string =>
  [
    ...policies.map(({ name, message }) => message ?? name),
    ...(isSessionRule ? ['The permissions of the session require it.'] : []),
  ]
    .join('; ')
    .slice(0, REASON_CHARACTERS_MAX)

async function denyCall(
  { db }: AuthorizeCallDeps,
  call: PreparedCall,
  decision: CallDecision,
): Promise<ApiError> {
  await insertDecision(db, 'refused', callIdentity(call), {
    policy_ids: decision.policies.map(({ id }) => id),
    log_id: call.logId,
  })
  const denier = decision.policies.length > 0 ? 'A policy of the project' : 'The session'
  return new ApiError(
    'ActionExecute_PolicyRefused',
    `${denier} denies this call of ${call.resolvedTool.tool.slug}: ${decisionReason(decision)}`,
  )
}

/** Lets a call through that a person approved exactly as it is. Any other call gets a pending approval. */
async function requireApproval(
  deps: AuthorizeCallDeps,
  call: PreparedCall,
  decision: CallDecision,
): Promise<PendingApproval | undefined> {
  const { policies } = decision
  const identity = callIdentity(call)
  const binding = callBinding(call)
  if (await store.consumeApproval(deps.db, identity.projectId, binding, call.logId)) return undefined
  const row =
    (await store.findActive(deps.db, identity.projectId, binding)) ??
    (await requestApproval(
      deps,
      {
        identity,
        binding,
        policyIds: policies.map(({ id }) => id),
        reason: decisionReason(decision),
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
  if (row.status === 'approved') return requireApproval(deps, call, decision)
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
  { encryptor, publicUrl }: AuthorizeCallDeps,
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
