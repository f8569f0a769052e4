import type { Outcome } from '../../contract/policies.ts'
import type { CallPolicies, PreparedCall, PendingApproval, ToolResult } from '../../engine/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { SessionKey, SessionRules } from '../sessions/index.ts'
import * as store from './approvals/store.ts'
import { type ApprovalDeps, request } from './approvals/service.ts'
import { bindingOf, calledOf } from './approvals/call-binding.ts'
import { decide, deciding, type Facts, type Rule, strictest } from './decision/evaluate-policies.ts'
import { linkTo } from './approvals/approval-link.ts'
import { modeByTags, modeOf, strictestMode } from './decision/session-permissions.ts'
import type { Rules } from './decision/policy-cache.ts'

const PREVIEW_CHARACTERS = 4_000
/** Contract of the tool router, 1.16. */
const SESSION_SECONDS = 600

export interface GuardDeps extends ApprovalDeps {
  rules: Rules
  /** As the database has it; undefined for a session that is not there. */
  sessionRules(key: SessionKey, call: object): Promise<SessionRules | undefined>
}

/** What is to become of a call, and on whose word. */
interface Judged {
  outcome: Outcome
  policies: readonly Rule[]
  /** The session asks or refuses by itself. */ bySession: boolean
  /** It would have asked, and was told before. */ isGranted: boolean
}

/** Holds every call to the policies of its project and the permissions of its session. */
export function policyGuard(deps: GuardDeps): CallPolicies {
  return {
    async authorize(call) {
      const judged = await judge(deps, call)
      if (judged?.outcome === 'deny') throw await refused(deps, call, judged)
      // A dry run sends nothing that somebody would have to allow.
      if (!judged || call.call.dryRun) return undefined
      if (judged.outcome === 'ask') return ask(deps, call, judged)
      if (judged.isGranted)
        await store.note(deps.db, 'let_by_session', calledOf(call), { policy_ids: [], log_id: call.logId })
      return undefined
    },
    allowsFollowUp: async (call) => ((await judge(deps, call))?.outcome ?? 'allow') === 'allow',
  }
}

/** Undefined: nothing is said about it. @throws ApiError ToolRouterV2_SessionNotFound for a session that was deleted meanwhile */
async function judge(deps: GuardDeps, call: PreparedCall): Promise<Judged | undefined> {
  const { projectId, parent: within } = call.call
  const asked = deps.rules.of(projectId)
  const rules = asked instanceof Promise ? await asked : asked
  const session =
    within?.sessionId === undefined
      ? undefined
      : await rulesIn(deps, { projectId, id: within.sessionId }, call.call)
  if (rules.length === 0 && !session?.permissions && !session?.asks.all && !session?.asks.toolkits)
    return undefined
  const facts = factsOf(call)
  const verdict = decide(rules, facts)
  const mode = session
    ? strictestMode([
        session.permissions ? modeOf(session.permissions, facts) : 'allow',
        modeByTags(session.asks, facts),
      ])
    : 'allow'
  const isGranted =
    mode === 'ask_once' &&
    (await store.isGranted(
      deps.db,
      projectId,
      within?.sessionId as string,
      call.resolvedTool.tool.slug,
      facts.accountId,
    ))
  const ofSession: Outcome = mode === 'allow' || isGranted ? 'allow' : mode === 'deny' ? 'deny' : 'ask'
  const outcome = strictest([verdict.outcome, ofSession])
  return {
    outcome,
    policies: outcome === verdict.outcome ? deciding(verdict) : [],
    bySession: outcome === ofSession && outcome !== 'allow',
    isGranted,
  }
}

async function rulesIn({ sessionRules }: GuardDeps, key: SessionKey, call: object): Promise<SessionRules> {
  const rules = await sessionRules(key, call)
  if (!rules) throw new ApiError('ToolRouterV2_SessionNotFound', `Session ${key.id} not found`)
  return rules
}

function factsOf(call: PreparedCall): Facts {
  const { userId, accountId, sessionId } = calledOf(call)
  const { catalog, resolvedTool: found, isProxy, arguments: args } = call
  return { catalog, found, isProxy, arguments: args, userId, accountId, sessionId }
}

/** What the policies say for themselves; else their names. */
const reasonOf = ({ policies, bySession }: Judged): string =>
  [
    ...policies.map(({ name, message }) => message ?? name),
    ...(bySession ? ['The permissions of the session say so.'] : []),
  ]
    .join('; ')
    .slice(0, 1_000)

async function refused({ db }: GuardDeps, call: PreparedCall, judged: Judged): Promise<ApiError> {
  await store.note(db, 'refused', calledOf(call), {
    policy_ids: judged.policies.map(({ id }) => id),
    log_id: call.logId,
  })
  return new ApiError(
    'ActionExecute_PolicyRefused',
    `${judged.policies.length > 0 ? 'A policy of the project' : 'The session'} refuses this call of ${call.resolvedTool.tool.slug}: ${reasonOf(judged)}`,
  )
}

/** Lets a call through that a person approved, exactly as it is; any other waits for them. */
async function ask(deps: GuardDeps, call: PreparedCall, judged: Judged): Promise<PendingApproval | undefined> {
  const { policies } = judged
  const called = calledOf(call)
  const binding = bindingOf(call)
  if (await store.use(deps.db, called.projectId, binding, call.logId)) return undefined
  const row =
    (await store.live(deps.db, called.projectId, binding)) ??
    (await request(
      deps,
      {
        called,
        binding,
        policyIds: policies.map(({ id }) => id),
        reason: reasonOf(judged),
        seconds:
          policies.length > 0
            ? Math.min(...policies.map(({ approvalSeconds }) => approvalSeconds))
            : SESSION_SECONDS,
        logId: call.logId,
        // What a policy asks about is one call; a session may be told once for all of its own questions.
        choices: policies.length > 0 ? ['allow_once', 'deny'] : ['allow_once', 'allow_session', 'deny'],
      },
      call.isProxy ? call.call.arguments : call.arguments,
      call.call.settings.storePayloads,
    ))
  // It was approved a moment ago, after it was looked for.
  if (row.status === 'approved') return ask(deps, call, judged)
  return held(
    deps,
    row,
    call,
    policies.every(({ approvalLink }) => approvalLink),
  )
}

const INSTRUCTIONS = {
  pending:
    'This call was not made. Have a person decide, at the url if there is one, and then make exactly this call again, before expires_at.',
  denied: 'A person refused this call, and it was not made. Do not repeat it.',
}

function held(
  { encryptor, publicUrl }: GuardDeps,
  row: store.ApprovalRow,
  call: PreparedCall,
  hasLink: boolean,
): PendingApproval {
  const isDenied = row.status === 'denied'
  const approval = {
    id: row.id,
    status: row.status,
    tool_slug: row.tool_slug,
    arguments_preview: previewOf(call.call.arguments),
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
  // Whoever has the address can decide, so the log does not have it.
  return {
    loggedResult: result({}),
    result: result(
      hasLink && !isDenied ? { url: linkTo(encryptor, publicUrl, row.project_id, row.id) } : {},
    ),
  }
}

/** The arguments, or the beginning of large ones. */
function previewOf(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(args)
  return text.length <= PREVIEW_CHARACTERS ? args : { truncated: text.slice(0, PREVIEW_CHARACTERS) }
}
