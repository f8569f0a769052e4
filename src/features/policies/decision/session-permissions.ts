import { listIncludesTool } from '../../../catalog/index.ts'
import type { SessionRules } from '../../sessions/index.ts'
import { NO_ACCOUNT } from '../approvals/call-binding.ts'
import type { CallFacts } from './evaluate-policies.ts'

/**
 * What the permissions of a session require for a call (contract of the tool router, 1.16). `ask_once`: a person can
 * allow the tool for the rest of the session. `ask_always`: every call needs an approval.
 */
export type PermissionMode = 'allow' | 'ask_once' | 'ask_always' | 'deny'

const DEFAULTS: Readonly<Record<string, PermissionMode>> = {
  allow_all: 'allow',
  ask_once_per_session: 'ask_once',
  ask_every_call: 'ask_always',
}
const OVERRIDES: Readonly<Record<string, PermissionMode>> = {
  always_allow: 'allow',
  ask_once: 'ask_once',
  ask_always: 'ask_always',
  always_deny: 'deny',
}
const STRICTNESS: readonly PermissionMode[] = ['allow', 'ask_once', 'ask_always', 'deny']
export const strictestMode = (modes: readonly PermissionMode[]): PermissionMode =>
  STRICTNESS[Math.max(0, ...modes.map((mode) => STRICTNESS.indexOf(mode)))] as PermissionMode

/**
 * Returns the mode of a call: an override for the tool and account, else one for all tools of the account, else the
 * default. An override may use any former name of a tool. A proxy request could do what any tool of its account does,
 * so the strictest override of the account applies, unless one names proxy requests. An unknown value asks always.
 */
export function permissionMode(
  { default: defaultMode, overrides = {} }: NonNullable<SessionRules['permissions']>,
  { catalog, resolvedTool: { tool: calledTool, version }, isProxy, accountId }: CallFacts,
): PermissionMode {
  const accountOverrides = Object.entries(overrides).flatMap(([key, value]) => {
    const separator = key.indexOf(':')
    return key.slice(separator + 1) === (accountId ?? NO_ACCOUNT)
      ? [{ tool: key.slice(0, separator), mode: OVERRIDES[value] ?? 'ask_always' }]
      : []
  })
  const toolOverrides = accountOverrides.filter(
    ({ tool }) => tool !== '*' && listIncludesTool(catalog, [tool.toUpperCase()], calledTool, version),
  )
  if (toolOverrides.length > 0) return strictestMode(toolOverrides.map(({ mode }) => mode))
  const accountMode =
    accountOverrides.find(({ tool }) => tool === '*')?.mode ??
    (defaultMode === undefined ? 'allow' : (DEFAULTS[defaultMode] ?? 'ask_always'))
  return isProxy ? strictestMode([accountMode, ...accountOverrides.map(({ mode }) => mode)]) : accountMode
}

/**
 * Returns whether the `require_approval` tags of a session apply to a call. The tags of a proxy request are unknown, so
 * any such tag applies to it.
 */
export function permissionModeByTags(
  { all, toolkits }: SessionRules['approvalTags'],
  { resolvedTool: { tool, toolkit }, isProxy }: CallFacts,
): PermissionMode {
  const tags = [...(all ?? []), ...(toolkits?.[toolkit.slug] ?? [])]
  return tags.length > 0 && (isProxy || tags.some((tag) => tool.tags.includes(tag))) ? 'ask_always' : 'allow'
}
