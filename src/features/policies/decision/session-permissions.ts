import { listIncludesTool } from '../../../catalog/index.ts'
import type { SessionRules } from '../../sessions/index.ts'
import { NO_ACCOUNT } from '../approvals/call-binding.ts'
import type { Facts } from './evaluate-policies.ts'

/** What a session says to a call (contract of the tool router, 1.16). `ask_once`: what was allowed for the session is not asked again; `ask_always` asks even then. */
export type Mode = 'allow' | 'ask_once' | 'ask_always' | 'deny'

const DEFAULTS: Readonly<Record<string, Mode>> = {
  allow_all: 'allow',
  ask_once_per_session: 'ask_once',
  ask_every_call: 'ask_always',
}
const OVERRIDES: Readonly<Record<string, Mode>> = {
  always_allow: 'allow',
  ask_once: 'ask_once',
  ask_always: 'ask_always',
  always_deny: 'deny',
}
const STRICTNESS: readonly Mode[] = ['allow', 'ask_once', 'ask_always', 'deny']
export const strictestMode = (modes: readonly Mode[]): Mode =>
  STRICTNESS[Math.max(0, ...modes.map((mode) => STRICTNESS.indexOf(mode)))] as Mode

/**
 * The tool with the account goes before every tool of the account, both before the default. Tools go by any name they had. A request of the caller's own may do what any tool of its
 * account does, so the strictest of them counts, unless the session names such requests. What is no value of the contract asks always.
 */
export function modeOf(
  { default: general, overrides = {} }: NonNullable<SessionRules['permissions']>,
  { catalog, found, isProxy, accountId }: Facts,
): Mode {
  const ofAccount = Object.entries(overrides).flatMap(([key, value]) => {
    const at = key.indexOf(':')
    return key.slice(at + 1) === (accountId ?? NO_ACCOUNT)
      ? [{ tool: key.slice(0, at), mode: OVERRIDES[value] ?? 'ask_always' }]
      : []
  })
  const named = ofAccount.filter(
    ({ tool }) => tool !== '*' && listIncludesTool(catalog, [tool.toUpperCase()], found.tool, found.version),
  )
  if (named.length > 0) return strictestMode(named.map(({ mode }) => mode))
  const every =
    ofAccount.find(({ tool }) => tool === '*')?.mode ??
    (general === undefined ? 'allow' : (DEFAULTS[general] ?? 'ask_always'))
  return isProxy ? strictestMode([every, ...ofAccount.map(({ mode }) => mode)]) : every
}

/** Whether the tags of a session have a person asked. What a request of the caller's own would be tagged with is not known, so any tag that asks counts. */
export function modeByTags(
  { all, toolkits }: SessionRules['asks'],
  { found: { tool, toolkit }, isProxy }: Facts,
): Mode {
  const tags = [...(all ?? []), ...(toolkits?.[toolkit.slug] ?? [])]
  return tags.length > 0 && (isProxy || tags.some((tag) => tool.tags.includes(tag))) ? 'ask_always' : 'allow'
}
