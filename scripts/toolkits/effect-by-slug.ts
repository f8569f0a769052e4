import type { ToolManifest } from '../../src/catalog/manifest/format/index.ts'
import { wordsOfSlug } from './action-sentence.ts'
import verbs from './data/verbs.json' with { type: 'json' }

type Effect = ToolManifest['effect']

const VERBS = new Set(Object.keys(verbs))
const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))
const READS = setOf(
  'get list retrieve fetch read show find search query lookup view describe download export count check verify ' +
    'validate test compare preview calculate estimate analyze match evaluate ping introspect obtain resolve ' +
    'generate render translate convert compute summarize aggregate reveal poll wait',
)
const DELETES = setOf('delete remove destroy purge clear revoke uninstall drop kick')
const UPDATES = setOf(
  'update edit modify change set replace rename archive unarchive enable disable activate deactivate restore',
)
/** Verbs that are nouns in the names of reads: `GET_AN_ISSUE`, `BALANCE_SHEET_REPORT`. */
const NOUNS = setOf(
  'report log request issue schedule sort commit post archive link invite batch bulk patch star book monitor trash',
)
/** Words of a name that ask for a state and change nothing. */
const STATES = setOf('status info details history')
/** Last segments of paths to which a query is posted. */
const QUERIES =
  /(?:^|[/:._-])(search|query|list|lookup|find|count|filter|preview|validate|read|aggregate|calculate|estimate|compare)s?$|[./](list|search|query)-[^/]*$|\/(list|get)_[^/]*$|\/get$/i
/** Last segments that say more than the verb of a name: HubSpot's `CREATE_…` at `/batch/read` creates nothing. */
export const READS_OF_BATCHES = /\/batch[/_-](read|get)$|[/:](batch)?get\w*byDataFilter$/i
/** Actions of Microsoft Graph that only read: https://learn.microsoft.com/graph/api/resources/directoryobject */
const READ_ACTIONS = /\/microsoft\.graph\.(get|check)[A-Z]\w*$/
/** Functions of a workbook compute a value from their arguments. */
const WORKBOOK_FUNCTION = /\/workbook\/functions\//

/**
 * Corrects the effect that the method of an operation tells, by the verb of its slug: a GET may change something, a
 * POST to `/search` changes nothing, and a POST to `/batch/archive` creates nothing.
 */
export function effectBySlug(
  effect: Effect,
  slug: string,
  toolkitSlug: string,
  { method, path }: { method: string; path: string },
): Effect {
  const words = wordsOfSlug(slug, toolkitSlug)
  if (WORKBOOK_FUNCTION.test(path) && method === 'POST') return 'read'
  if (method === 'GET' || method === 'HEAD') return effectOfGet(effect, words, path)
  return method === 'POST' && effect === 'create' ? effectOfPost(words, path) : effect
}

/** The first verb of a name decides, unless it is a noun there. */
function effectOfGet(effect: Effect, words: readonly string[], path: string): Effect {
  const [first = ''] = words
  const last = words.at(-1) ?? ''
  const isState = READS.has(last) || words.some((word) => STATES.has(word))
  if (effect === 'read' && isState && !DELETES.has(first)) return 'read'
  const segments = new Set(path.toLowerCase().split(/[/?]/))
  const isNoun = (word: string) => NOUNS.has(word) || segments.has(`${word}s`)
  const verb = words.map(verbOf).find((word) => word !== undefined && !isNoun(word))
  if (verb !== undefined && READS.has(verb)) return 'read'
  const change = [verbOf(first, 0), VERBS.has(last) ? last : undefined].find(
    (word) => word !== undefined && !isNoun(word),
  )
  if (change === undefined) return effect
  return DELETES.has(change) ? 'delete' : 'update'
}

function effectOfPost(words: readonly string[], path: string): Effect {
  const segment = (path.split(/[/?:]/).at(-1) ?? '').toLowerCase()
  if (READS_OF_BATCHES.test(path)) return 'read'
  if (/\/batch\/archive$/.test(path)) return 'delete'
  if (/\/batch\/update$/.test(path)) return 'update'
  const verb =
    [words[0] ?? '', words.at(-1) ?? ''].find((word) => VERBS.has(word)) ??
    words.map(verbOf).find((word) => word !== undefined)
  const isDeletion = words.some((word) => DELETES.has(word) && segment.startsWith(word))
  // `undo soft delete` restores.
  if (words.includes('undo')) return 'update'
  if (isDeletion || (verb !== undefined && DELETES.has(verb))) return 'delete'
  if (verb === undefined) return 'create'
  if (READS.has(verb) && (QUERIES.test(path) || READ_ACTIONS.test(path))) return 'read'
  return UPDATES.has(verb) ? 'update' : 'create'
}

/** `get`, and `gets` at the beginning of a name. */
function verbOf(word: string, index: number): string | undefined {
  if (VERBS.has(word)) return word
  const base = word.replace(/s$/, '')
  return index === 0 && VERBS.has(base) ? base : undefined
}

/** Whether a word names an action. */
export const isVerb = (word: string): boolean => VERBS.has(word.toLowerCase())
