import { hash } from 'node:crypto'
import type { Encryptor, ProjectEncryptor } from '../../../platform/crypto/index.ts'

/** What a poll needs from the polls before it. */
export interface PollState {
  cursor?: string | number | undefined
  /** Arguments of the page at which the last poll had to stop. */
  page?: Readonly<Record<string, string | number>> | undefined
  /** The time of the newest item, in ms since the epoch. */
  since?: number | undefined
  /** Items that are older existed when the trigger was created. */
  floor?: number | undefined
  /** Digests of the keys of known items, the latest last. */
  seen: readonly string[]
}

/** 72 bits: two equal digests among a few thousand do not occur. */
const DIGEST_CHARACTERS = 12
export const digestOf = (key: string): string => hash('sha256', key, 'base64url').slice(0, DIGEST_CHARACTERS)

/** More than the first pages of any list. */
const SEEN_MAX = 2_000

/** Adds digests; the oldest ones beyond `max` are dropped. */
export function addSeen(
  seen: readonly string[],
  digests: readonly string[],
  max = SEEN_MAX,
): readonly string[] {
  if (digests.length === 0) return seen
  return [...new Set([...seen, ...digests])].slice(-max)
}

const encryptionContext = (id: string) => `trigger_polls:${id}:state`

/** States are encrypted, because cursors can contain data and pages can contain tokens. */
export const encryptState = (encryptor: ProjectEncryptor, id: string, state: PollState): Buffer =>
  encryptor.encrypt(state, encryptionContext(id))

export const decryptState = (encryptor: Encryptor, id: string, encryptedState: Buffer): PollState =>
  encryptor.decrypt<PollState>(encryptedState, encryptionContext(id))

/** Compares two states. `seen` is compared by identity, because a poll without new items returns the same array. */
export const isSameState = (one: PollState, other: PollState): boolean =>
  one.seen === other.seen &&
  one.cursor === other.cursor &&
  one.since === other.since &&
  one.floor === other.floor &&
  JSON.stringify(one.page) === JSON.stringify(other.page)
