import { isObject } from '../../../platform/json-object.ts'
import type { HookType } from './hook.ts'

/** What a hook decided. `stop`: the call is not made, or its answer is not given. */
export type Said =
  | { action: 'run' }
  | { action: 'stop'; message: string }
  | { action: 'modify'; value: Record<string, unknown> }

/** The words of each type of hook: how it stops, and what it may put in whose place. */
const WORDS: Readonly<Record<HookType, { stop: string; changed: string; message: string }>> = {
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
const MESSAGE_CHARACTERS = 1_000

export const stopped = (type: HookType, message?: unknown): Said => ({
  action: 'stop',
  message:
    typeof message === 'string' && message.trim() !== ''
      ? message.slice(0, MESSAGE_CHARACTERS)
      : WORDS[type].message,
})

/** Reads the answer of a receiver; undefined for what is none. */
export function readSaid(type: HookType, text: string): Said | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(parsed)) return undefined
  const { stop, changed } = WORDS[type]
  const value = parsed[changed]
  switch (parsed['action']) {
    case 'run':
      return { action: 'run' }
    case stop:
      return stopped(type, parsed['message'])
    case 'modify':
      return isObject(value) ? { action: 'modify', value } : undefined
    default:
      return undefined
  }
}

/** As the caller reads what was done. */
export const wordFor = (type: HookType, { action }: Said): string =>
  action === 'stop' ? WORDS[type].stop : action
