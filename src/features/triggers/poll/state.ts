import { hash } from 'node:crypto'
import type { Encryptor } from '../../../platform/crypto/index.ts'

/** What a poll has to know of those before it. */
export interface PollState {
  cursor?: string | number | undefined
  /** Arguments of the page at which the poll before had to stop. */
  page?: Readonly<Record<string, string | number>> | undefined
  /** The moment of the newest item that was seen, in ms since the epoch. */
  since?: number | undefined
  /** Items from before it were there when the trigger began. */
  floor?: number | undefined
  /** What was seen, as short digests of keys, the latest last. */
  seen: readonly string[]
}

/** Of 72 bits: among a thousand that are remembered, two that are alike are never met. */
const DIGEST_CHARACTERS = 12
export const digestOf = (key: string): string => hash('sha256', key, 'base64url').slice(0, DIGEST_CHARACTERS)

/** More than the first pages of any list. */
const SEEN_MAX = 2_000

/** What is remembered after some more was seen; the oldest is forgotten. */
export function remembered(
  seen: readonly string[],
  more: readonly string[],
  most = SEEN_MAX,
): readonly string[] {
  if (more.length === 0) return seen
  return [...new Set([...seen, ...more])].slice(-most)
}

const contextOf = (id: string) => `trigger_polls:${id}:state`
/** Cursors may name what they lead to, and pages may hold tokens. */
export const sealState = (encryptor: Encryptor, id: string, state: PollState): Buffer =>
  encryptor.encrypt(state, contextOf(id))
export const openState = (encryptor: Encryptor, id: string, sealed: Buffer): PollState =>
  encryptor.decrypt<PollState>(sealed, contextOf(id))

/** Whether two states are the same; a poll that found nothing has nothing to store. */
export const isSame = (a: PollState, b: PollState): boolean =>
  a.seen === b.seen &&
  a.cursor === b.cursor &&
  a.since === b.since &&
  a.floor === b.floor &&
  JSON.stringify(a.page) === JSON.stringify(b.page)
