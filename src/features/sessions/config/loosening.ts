import { isDeepStrictEqual } from 'node:util'
import type { SessionConfig } from './session-config.ts'

const DEFAULT_RANKS: Readonly<Record<string, number>> = {
  allow_all: 0,
  ask_once_per_session: 1,
  ask_every_call: 2,
}
const OVERRIDE_RANKS: Readonly<Record<string, number>> = {
  always_allow: 0,
  ask_once: 1,
  ask_always: 2,
  always_deny: 3,
}

/**
 * Whether a change of a session lets calls run that the former configuration denied, that a person had to approve, or
 * that a hook saw. Changes whose effect is not obvious count as well.
 */
export const isLooserConfig = (before: SessionConfig, after: SessionConfig): boolean =>
  arePermissionsLooser(before, after) ||
  areApprovalTagsLooser(before, after) ||
  areHooksRemoved(before, after)

function arePermissionsLooser(before: SessionConfig, after: SessionConfig): boolean {
  const [former, next] = [before, after].map(({ experimental }) => experimental?.permissions ?? {})
  const rankOfDefault = (value: string | undefined) => DEFAULT_RANKS[value ?? 'allow_all'] ?? 0
  if (rankOfDefault(next?.default) < rankOfDefault(former?.default)) return true
  const [formerOverrides, nextOverrides] = [former?.overrides ?? {}, next?.overrides ?? {}]
  const isOverrideLooser = ([key, value]: [string, string]) =>
    nextOverrides[key] === undefined || OVERRIDE_RANKS[nextOverrides[key]]! < OVERRIDE_RANKS[value]!
  if (Object.entries(formerOverrides).some(isOverrideLooser)) return true
  // A new exception can be looser than the default or than one for more tools. A denial never is.
  return Object.entries(nextOverrides).some(
    ([key, value]) => formerOverrides[key] === undefined && value !== 'always_deny',
  )
}

function areApprovalTagsLooser(before: SessionConfig, after: SessionConfig): boolean {
  /** The tags for all toolkits apply in addition to those for one. */
  const tagsOf = ({ tags, tools }: SessionConfig, toolkit: string | undefined): readonly string[] => [
    ...(tags?.require_approval ?? []),
    ...((toolkit !== undefined && tools?.[toolkit]?.tags?.require_approval) || []),
  ]
  const toolkits = [undefined, ...Object.keys(before.tools ?? {})]
  return toolkits.some((toolkit) => {
    const next = tagsOf(after, toolkit)
    return tagsOf(before, toolkit).some((tag) => !next.includes(tag))
  })
}

/** Whether a hook was removed or changed, or moved before another one, whose result it then no longer sees. */
function areHooksRemoved(
  { hooks: before = [] }: SessionConfig,
  { hooks: after = [] }: SessionConfig,
): boolean {
  let position = 0
  return before.some((hook) => {
    const at = after.findIndex((other, index) => index >= position && isDeepStrictEqual(other, hook))
    position = at + 1
    return at === -1
  })
}
