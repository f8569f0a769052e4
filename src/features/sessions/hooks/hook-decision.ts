import { parseBoundedJson } from '../../../platform/bounded-json.ts'
import { isObject } from '../../../platform/json-object.ts'
import type { SessionHookType } from './hook-config.ts'

/** What a hook decided. `stop`: the call is not made, or its answer is not given. */
export type HookDecision =
  | { action: 'run' }
  | { action: 'stop'; message: string }
  | { action: 'modify'; value: Record<string, unknown> }

/** The words of each type of hook: how it stops, and what it may put in whose place. */
const WIRE_NAMES: Readonly<Record<SessionHookType, { stop: string; changed: string; message: string }>> = {
  before_execute: {
    stop: 'block',
    changed: 'arguments',
    message: 'A hook of the session blocked this call.',
  },
  after_execute: {
    stop: 'withhold',
    changed: 'data',
    message: 'A hook of the session withheld the answer; the call was made.',
  },
}
const MESSAGE_CHARACTERS_MAX = 1_000

export const stopDecision = (type: SessionHookType, message?: unknown): HookDecision => ({
  action: 'stop',
  message:
    typeof message === 'string' && message.trim() !== ''
      ? message.slice(0, MESSAGE_CHARACTERS_MAX)
      : WIRE_NAMES[type].message,
})

/** Reads the answer of a receiver; undefined for what is none. */
export function readHookDecision(type: SessionHookType, text: string): HookDecision | undefined {
  let parsed: unknown
  try {
    parsed = parseBoundedJson(text)
  } catch {
    return undefined
  }
  if (!isObject(parsed)) return undefined
  const { stop, changed } = WIRE_NAMES[type]
  const value = parsed[changed]
  switch (parsed['action']) {
    case 'run':
      return { action: 'run' }
    case stop:
      return stopDecision(type, parsed['message'])
    case 'modify':
      return isObject(value) ? { action: 'modify', value } : undefined
    default:
      return undefined
  }
}

/** As the caller reads what was done. */
export const wireActionName = (type: SessionHookType, { action }: HookDecision): string =>
  action === 'stop' ? WIRE_NAMES[type].stop : action
