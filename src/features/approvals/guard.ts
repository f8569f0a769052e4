import type { Guard, GuardedCall, Held, Result } from '../../engine/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import * as store from './approval-store.ts'
import { type ApprovalDeps, request } from './approvals.ts'
import { bindingOf, calledOf } from './binding.ts'
import { decide, deciding, type Facts, type Rule, type Verdict } from './decide.ts'
import { linkTo } from './link.ts'
import type { Rules } from './rules.ts'

const PREVIEW_CHARACTERS = 4_000

export interface GuardDeps extends ApprovalDeps { rules: Rules }

/** Holds every call to the policies of its project. */
export function policyGuard(deps: GuardDeps): Guard {
  const verdictOn = async (call: GuardedCall): Promise<Verdict | undefined> => {
    const asked = deps.rules.of(call.execution.projectId)
    const rules = asked instanceof Promise ? await asked : asked
    return rules.length === 0 ? undefined : decide(rules, factsOf(call))
  }
  return {
    async check(call) {
      const verdict = await verdictOn(call)
      if (!verdict || verdict.outcome === 'allow') return undefined
      if (verdict.outcome === 'deny') throw await refused(deps, call, deciding(verdict))
      // A dry run sends nothing that somebody would have to allow.
      return call.execution.dryRun ? undefined : ask(deps, call, deciding(verdict))
    },
    letsFollow: async (call) => ((await verdictOn(call))?.outcome ?? 'allow') === 'allow',
  }
}

function factsOf(call: GuardedCall): Facts {
  const { userId, accountId, sessionId } = calledOf(call)
  const { catalog, found, isProxy, arguments: args } = call
  return { catalog, found, isProxy, arguments: args, userId, accountId, sessionId }
}

/** What the policies say for themselves; else their names. */
const reasonOf = (rules: readonly Rule[]): string => rules.map(({ name, message }) => message ?? name).join('; ').slice(0, 1_000)

async function refused({ db }: GuardDeps, call: GuardedCall, rules: readonly Rule[]): Promise<ApiError> {
  await store.note(db, 'refused', calledOf(call), { policy_ids: rules.map(({ id }) => id), log_id: call.logId })
  return new ApiError('ActionExecute_PolicyRefused', `A policy of the project refuses this call of ${call.found.tool.slug}: ${reasonOf(rules)}`)
}

/** Lets a call through that a person approved, exactly as it is; any other waits for them. */
async function ask(deps: GuardDeps, call: GuardedCall, rules: readonly Rule[]): Promise<Held | undefined> {
  const called = calledOf(call)
  const binding = bindingOf(call)
  if (await store.use(deps.db, called.projectId, binding, call.logId)) return undefined
  const row = await store.live(deps.db, called.projectId, binding) ?? await request(deps, {
    called, binding, policyIds: rules.map(({ id }) => id), reason: reasonOf(rules), choices: ['allow_once', 'deny'], seconds: Math.min(...rules.map(({ approvalSeconds }) => approvalSeconds)), logId: call.logId,
  }, call.isProxy ? call.execution.arguments : call.arguments, call.execution.settings.storePayloads)
  // It was approved a moment ago, after it was looked for.
  if (row.status === 'approved') return ask(deps, call, rules)
  return held(deps, row, call, rules.every(({ approvalLink }) => approvalLink))
}

const INSTRUCTIONS = {
  pending: 'This call was not made. Have a person decide, at the url if there is one, and then make exactly this call again, before expires_at.',
  denied: 'A person refused this call, and it was not made. Do not repeat it.',
}

function held({ sealer, publicUrl }: GuardDeps, row: store.ApprovalRow, call: GuardedCall, hasLink: boolean): Held {
  const isDenied = row.status === 'denied'
  const approval = {
    id: row.id, status: row.status, tool_slug: row.tool_slug, arguments_preview: previewOf(call.execution.arguments), reason: row.reason, expires_at: row.expires_at.toISOString(), choices: isDenied ? [] : row.choices,
    instruction: INSTRUCTIONS[isDenied ? 'denied' : 'pending'],
  }
  const result = (more: object): Result => ({ data: { approval: { ...approval, ...more } }, error: isDenied ? 'Denied by user' : 'Approval required', successful: false, statusCode: null, held: true })
  // Whoever has the address can decide, so the log does not have it.
  return { recorded: result({}), answered: result(hasLink && !isDenied ? { url: linkTo(sealer, publicUrl, row.project_id, row.id) } : {}) }
}

/** The arguments, or the beginning of large ones. */
function previewOf(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(args)
  return text.length <= PREVIEW_CHARACTERS ? args : { truncated: text.slice(0, PREVIEW_CHARACTERS) }
}
