import type { Imported } from '../imported.ts'
import { credentialRecipients } from './credential-recipients.ts'
import { type Difference, differenceOf } from './difference.ts'

/** What an import changes. */
export interface Comparison {
  readonly difference: Difference
  /** Hosts that receive credentials of the toolkit, and did not in the previous version. */
  readonly addedRecipients: readonly string[]
}

type Parts = Pick<Imported, 'toolkit' | 'tools'>

/** Tools of each kind, breaking and others, whose changes are listed, and changes of each of them. */
export const LISTED_MAX = { tools: 100, changes: 20 }

/**
 * Compares two contents of a toolkit. A thousand changed tools take 0.2 s. The difference names all tools. The changes
 * of most are only counted by readers, so that they have one: half a million texts would block the server that receives
 * them.
 */
export function compareContents(before: Parts, after: Parts): Comparison {
  const known = credentialRecipients(before)
  return {
    difference: shorten(differenceOf(before, after)),
    addedRecipients: [...credentialRecipients(after)].filter((recipient) => !known.has(recipient)),
  }
}

function shorten({ changed, ...difference }: Difference): Difference {
  const counts = { breaking: 0, other: 0 }
  return {
    ...difference,
    changed: changed.map(({ slug, breaking, other }) => {
      const kind = breaking.length > 0 ? 'breaking' : 'other'
      const isListed = ++counts[kind] <= LISTED_MAX.tools
      if (isListed)
        return {
          slug,
          breaking: breaking.slice(0, LISTED_MAX.changes),
          other: other.slice(0, LISTED_MAX.changes),
        }
      return { slug, breaking: breaking.slice(0, 1), other: kind === 'other' ? other.slice(0, 1) : [] }
    }),
  }
}
