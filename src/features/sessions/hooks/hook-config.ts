import { isObject } from '../../../platform/json-object.ts'

const HOOK_TYPES = ['before_execute', 'after_execute'] as const
export type SessionHookType = (typeof HOOK_TYPES)[number]

/** A hook of a session (contract of the tool router, 1.17) with its defaults. */
export interface SessionHook {
  id: string
  type: SessionHookType
  /** Lower case; undefined: all. */
  toolkits: readonly string[] | undefined
  handler:
    | {
        kind: 'webhook'
        /** Undefined: the oldest that takes the event. */ subscriptionId: string | undefined
      }
    | { kind: 'condition_check'; condition: string }
  timeoutMs: number
  /** Whether the call continues if the handler does not respond. */
  failsOpen: boolean
}

const TIMEOUT_MS = 5_000
const TIMEOUT_MIN_MS = 100
const CONDITION_CHARACTERS_MAX = 2_000
const isText = (value: unknown): value is string => typeof value === 'string'

/**
 * Reads a hook as a session stores it, or says what of it cannot be used. Before a call what fails blocks,
 * after it what fails lets pass, unless `on_failure` says otherwise.
 */
export function parseHook(
  value: Readonly<Record<string, unknown>>,
  at: number,
): SessionHook | { problem: string } {
  const path = `hooks[${at}]`
  const handler = isObject(value['handler']) ? value['handler'] : {}
  const applies = isObject(value['applies_to']) ? value['applies_to'] : {}
  const {
    type: kind,
    subscription_id: subscriptionId,
    timeout_ms: timeoutMs = TIMEOUT_MS,
    on_failure: onFailure,
    condition,
    action = 'block',
  } = handler
  const { type } = value
  if (type !== 'before_execute' && type !== 'after_execute')
    return { problem: `${path}.type: must be one of ${HOOK_TYPES.join(', ')}` }
  if (typeof timeoutMs !== 'number' || !(timeoutMs >= TIMEOUT_MIN_MS && timeoutMs <= TIMEOUT_MS))
    return { problem: `${path}.handler.timeout_ms: must be ${TIMEOUT_MIN_MS} to ${TIMEOUT_MS}` }
  if (onFailure !== undefined && onFailure !== 'block' && onFailure !== 'run')
    return { problem: `${path}.handler.on_failure: must be block or run` }
  const base = {
    id: isText(value['id']) ? value['id'] : `hk_${at + 1}`,
    type,
    timeoutMs,
    failsOpen: onFailure === undefined ? type === 'after_execute' : onFailure === 'run',
    toolkits: Array.isArray(applies['toolkits'])
      ? applies['toolkits'].filter(isText).map((slug) => slug.toLowerCase())
      : undefined,
  } as const
  if (kind === 'webhook') {
    if (subscriptionId !== undefined && !isText(subscriptionId))
      return { problem: `${path}.handler.subscription_id: must be the id of a webhook subscription` }
    return { ...base, handler: { kind, subscriptionId } }
  }
  if (kind !== 'condition_check')
    return { problem: `${path}.handler.type: must be webhook or condition_check` }
  if (!isText(condition) || condition.trim() === '' || condition.length > CONDITION_CHARACTERS_MAX)
    return {
      problem:
        `${path}.handler.condition: must say in 1 to ${CONDITION_CHARACTERS_MAX} characters when the call ` +
        'is blocked',
    }
  return action === 'block'
    ? { ...base, handler: { kind, condition } }
    : { problem: `${path}.handler.action: must be block` }
}
