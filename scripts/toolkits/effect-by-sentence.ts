import type { ToolManifest } from '../../src/catalog/manifest/format/index.ts'
import { READS_OF_BATCHES } from './effect-by-slug.ts'

type Effect = ToolManifest['effect']

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))
const READS = setOf(
  'Returns Lists Searches Finds Queries Counts Checks Compares Estimates Aggregates Downloads Previews Renders ' +
    'Looks Describes Analyzes Evaluates Parses Validates Tests Streams Suggests',
)
/** Verbs that read where the request is a GET: some of them start work where it is a POST. */
const READS_BY_GET = setOf('Generates Exports Redirects Verifies Computes Converts')
const CREATES_BY_GET = setOf('Creates Adds Starts Sends Uploads')
const DELETES = setOf('Deletes Removes Erases Destroys Purges Revokes Uninstalls Clears Empties Redacts')
const UPDATES = setOf(
  'Updates Sets Replaces Renames Marks Moves Changes Turns Enables Disables Activates Deactivates Archives ' +
    'Unarchives Restores Recovers Cancels Unsubscribes Closes Reopens Stops Ends Pauses Unpauses Resumes Suspends ' +
    'Locks Unlocks Resets Merges Hides Unpublishes Unschedules Verifies Edits Voids Expires Rejects',
)
/** A file is checked in, a meeting is returned or created, a link or code is made for the caller. */
const IS_NO_READ =
  /^Checks (in|out)\b|(?<!without )\bcreat(es|ing) (it|one|them)\b|\b(one-time|single-use|upload(ed)?)\b|\baddress where\b|\bto finish\b/

/**
 * Corrects the effect that method and slug tell, by the verb of the sentence that a person wrote about the operation.
 * A DELETE deletes, and a PUT or PATCH changes something unless it says that it deletes.
 */
export function effectBySentence(
  effect: Effect,
  sentence: string,
  { method, path }: { method: string; path: string },
): Effect {
  const [verb = ''] = sentence.split(/[ ,]/)
  if (method === 'DELETE') return effect
  if (method === 'GET' || method === 'HEAD') return effectOfGet(verb)
  const isRead = READS.has(verb) && !IS_NO_READ.test(sentence)
  if (method !== 'POST') {
    if (verb === 'Deletes') return 'delete'
    // Xero creates by PUT and creates or updates by POST.
    if (method === 'PUT' && /^Creates (?!or\b)/.test(sentence)) return 'create'
    return isRead && (verb === 'Returns' || verb === 'Lists') ? 'read' : effect
  }
  if (isRead || READS_OF_BATCHES.test(path)) return 'read'
  // HubSpot archives where others delete.
  if (DELETES.has(verb) || /\/batch\/archive$/.test(path)) return 'delete'
  if (UPDATES.has(verb)) return 'update'
  return effect === 'read' ? 'create' : effect
}

function effectOfGet(verb: string): Effect {
  if (READS.has(verb) || READS_BY_GET.has(verb)) return 'read'
  if (DELETES.has(verb)) return 'delete'
  return CREATES_BY_GET.has(verb) ? 'create' : 'update'
}
