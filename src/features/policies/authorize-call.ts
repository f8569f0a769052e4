import type { Outcome } from '../../contract/policies/index.ts'
import type { CallPolicies, PreparedCall, UsedApproval } from '../../engine/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { runInSlices } from '../../platform/http/turns/run-in-slices.ts'
import { isPartlyUnparsed, parseAllMembers } from '../../platform/json-outline/index.ts'
import type { SessionKey, SessionRules } from '../sessions/index.ts'
import { callIdentity } from './approvals/call-binding.ts'
import { insertDecision } from './approvals/decision-log.ts'
import { type ApprovalRequirement, requireApproval } from './approvals/require-approval.ts'
import type { ApprovalDeps } from './approvals/service.ts'
import * as store from './approvals/store.ts'
import {
  type CallFacts,
  type CompiledPolicy,
  decisivePolicies,
  evaluatePolicies,
  matchingSources,
  strictestOutcome,
} from './decision/evaluate-policies.ts'
import type { PolicyCache } from './decision/policy-cache.ts'
import type { UntrustedSourceRow } from './data-flow/store.ts'
import { flowContextOf, type SourceTracker } from './data-flow/track-sources.ts'
import { permissionMode, permissionModeByTags, strictestMode } from './decision/session-permissions.ts'

const REASON_CHARACTERS_MAX = 1_000

export interface AuthorizeCallDeps extends ApprovalDeps {
  policyCache: PolicyCache
  sources: SourceTracker
  /** Reads the current rules of a session. Returns undefined if it does not exist. */
  sessionRules(key: SessionKey, call: object): Promise<SessionRules | undefined>
}

/** The outcome for a call, and what decided it. */
interface CallDecision {
  outcome: Outcome
  policies: readonly CompiledPolicy[]
  /** The untrusted content because of which the policies apply. */
  sources: readonly UntrustedSourceRow[]
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
      if (call.call.dryRun) return undefined
      let used: UsedApproval | undefined
      if (decision?.outcome === 'ask') {
        const approval = await requireApproval(deps, call, toRequirement(decision))
        if (!('restore' in approval)) return approval
        used = approval
      }
      if (decision?.hasSessionGrant)
        await insertDecision(deps.db, 'let_by_session', callIdentity(call), {
          policy_ids: [],
          log_id: call.logId,
        })
      // Before the call is sent: whatever it returns, later calls of the session are judged by it.
      await deps.sources.recordCall(call)
      return used
    },
    async allowsFollowUp(call) {
      if (((await decideCall(deps, call))?.outcome ?? 'allow') !== 'allow') return false
      await deps.sources.recordCall(call)
      return true
    },
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
  // Conditions and approvals read arguments.
  if (isPartlyUnparsed(call.arguments)) await runInSlices(parseAllMembers(call.arguments))
  const facts = { ...callFacts(call), sources: await readSources(deps, policies, call) }
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
  const decisive = outcome === policyDecision.outcome ? decisivePolicies(policyDecision) : []
  return {
    outcome,
    policies: decisive,
    sources: sourcesOf(decisive, facts.sources ?? []),
    isSessionRule: outcome === sessionOutcome && outcome !== 'allow',
    hasSessionGrant,
  }
}

/** Reads what the session has read, if a policy needs to know. */
async function readSources(
  { sources }: AuthorizeCallDeps,
  policies: readonly CompiledPolicy[],
  call: PreparedCall,
): Promise<CallFacts['sources']> {
  const context = flowContextOf(call)
  if (!context) return undefined
  return policies.some(({ untrustedContent }) => untrustedContent) ? sources.list(context) : []
}

const sourcesOf = (
  policies: readonly CompiledPolicy[],
  sources: readonly UntrustedSourceRow[],
): readonly UntrustedSourceRow[] => {
  const matching = new Set(
    policies.flatMap(({ untrustedContent }) =>
      untrustedContent ? matchingSources(untrustedContent, sources) : [],
    ),
  )
  return sources.filter((source) => matching.has(source))
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

function callFacts(call: PreparedCall): Omit<CallFacts, 'sources'> {
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

const toRequirement = (decision: CallDecision): ApprovalRequirement => ({
  policies: decision.policies,
  sources: decision.sources,
  reason: decisionReason(decision),
})

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
