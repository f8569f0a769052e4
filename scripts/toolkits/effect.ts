import type { Operation } from '../../src/catalog/importers/model.ts'
import { effectOf } from '../../src/catalog/importers/tools/effect.ts'
import type { ToolManifest } from '../../src/catalog/manifest/format/index.ts'
import { wordsOfSlug } from './action-words.ts'
import effectVerbs from './data/effect-verbs.json' with { type: 'json' }
import verbs from './data/verbs.json' with { type: 'json' }
import { naturalVerb } from './verb-forms.ts'

type Effect = ToolManifest['effect']
interface Route {
  readonly method: string
  readonly path: string
}

const VERBS = new Set(Object.keys(verbs))
const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))
const READS = new Set(effectVerbs.read)
/** Verbs that read where the request is a GET: some of them start work where it is a POST. */
const READS_BY_GET = new Set(effectVerbs.read_by_get)
const CREATES_BY_GET = new Set(effectVerbs.create_by_get)
const DELETES = new Set(effectVerbs.delete)
const UPDATES = new Set(effectVerbs.update)
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
const READS_OF_BATCHES = /\/batch[/_-](read|get)$|[/:](batch)?get\w*byDataFilter$/i
/** Actions of Microsoft Graph that only read: https://learn.microsoft.com/graph/api/resources/directoryobject */
const READ_ACTIONS = /\/microsoft\.graph\.(get|check)[A-Z]\w*$/
/** Functions of a workbook compute a value from their arguments. */
const WORKBOOK_FUNCTION = /\/workbook\/functions\//

/** A file is checked in, a meeting is returned or created, a link or code is made for the caller. */
const IS_NO_READ =
  /^Checks (in|out)\b|(?<!without )\bcreat(es|ing) (it|one|them)\b|\b(one-time|single-use|upload(ed)?)\b|\baddress where\b|\bto finish\b/

/** The effect that the method of an operation tells, then its slug, then the sentence that a person wrote. */
export function effectOfTool(
  operation: Operation,
  path: string,
  { slug, toolkitSlug, sentence }: { slug: string; toolkitSlug: string; sentence: string | undefined },
): Effect {
  const route = { method: operation.method.toUpperCase(), path }
  const effect = effectBySlug(effectOf(operation), slug, toolkitSlug, route)
  return sentence === undefined ? effect : effectBySentence(effect, sentence, route)
}

/**
 * Corrects the effect that the method of an operation tells, by the verb of its slug: a GET may change something, a
 * POST to `/search` changes nothing, and a POST to `/batch/archive` creates nothing.
 */
export function effectBySlug(effect: Effect, slug: string, toolkitSlug: string, route: Route): Effect {
  const all = wordsOfSlug(slug, toolkitSlug)
  // `CLOSE_CLOSE_CREATE_SMS` repeats the name of the toolkit.
  const words = all[0] === toolkitSlug && all.length > 1 ? all.slice(1) : all
  const { method, path } = route
  if (WORKBOOK_FUNCTION.test(path) && method === 'POST') return 'read'
  if (method === 'GET' || method === 'HEAD') return effectOfGetBySlug(effect, words, path)
  return method === 'POST' && effect === 'create' ? effectOfPostBySlug(words, path) : effect
}

/**
 * Corrects the effect that method and slug tell, by the verb of the sentence that a person wrote about the operation.
 * A DELETE deletes, and a PUT or PATCH changes something unless it says that it deletes.
 */
export function effectBySentence(effect: Effect, sentence: string, { method, path }: Route): Effect {
  const [word = ''] = sentence.split(/[ ,]/)
  // A POST that shows something changes its visibility.
  const verb = word === 'Shows' ? 'show' : plainVerb(word.toLowerCase())
  if (method === 'DELETE') return effect
  if (method === 'GET' || method === 'HEAD') return effectOfGet(verb)
  const isRead = READS.has(verb) && !IS_NO_READ.test(sentence)
  if (method !== 'POST') {
    if (verb === 'delete') return 'delete'
    // Xero creates by PUT and creates or updates by POST.
    if (method === 'PUT' && /^Creates (?!or\b)/.test(sentence)) return 'create'
    return isRead && (verb === 'get' || verb === 'list') ? 'read' : effect
  }
  return isRead ? 'read' : (effectOfPost(verb, path) ?? (effect === 'read' ? 'create' : effect))
}

/** `get` for `retrieve` and `Returns`, `look` for `lookup`. */
const plainVerb = (word: string): string => (naturalVerb(word) ?? word).split(' ')[0]!

function effectOfGet(verb: string): Effect {
  if (READS.has(verb) || READS_BY_GET.has(verb)) return 'read'
  if (DELETES.has(verb)) return 'delete'
  return CREATES_BY_GET.has(verb) ? 'create' : 'update'
}

/** The end of the path of a batch says more than a verb. HubSpot archives where others delete. */
function effectOfPost(verb: string, path: string): Effect | undefined {
  if (READS_OF_BATCHES.test(path)) return 'read'
  if (/\/batch\/archive$/.test(path) || DELETES.has(verb)) return 'delete'
  return UPDATES.has(verb) ? 'update' : undefined
}

/** The first verb of a name decides, unless it is a noun there. */
function effectOfGetBySlug(effect: Effect, words: readonly string[], path: string): Effect {
  const [first = ''] = words
  const last = words.at(-1) ?? ''
  const isReading = (word: string) => effectOfGet(plainVerb(word)) === 'read'
  const isDeleting = (word: string) => DELETES.has(plainVerb(word))
  const isState = (VERBS.has(last) && isReading(last)) || words.some((word) => STATES.has(word))
  if (effect === 'read' && isState && !isDeleting(first)) return 'read'
  const segments = new Set(path.toLowerCase().split(/[/?]/))
  const isNoun = (word: string) => NOUNS.has(word) || segments.has(`${word}s`)
  const verb = words.map(verbOf).find((word) => word !== undefined && !isNoun(word))
  if (verb !== undefined && isReading(verb)) return 'read'
  const change = [verbOf(first, 0), VERBS.has(last) ? last : undefined].find(
    (word) => word !== undefined && !isNoun(word),
  )
  return change === undefined ? effect : effectOfGet(plainVerb(change))
}

function effectOfPostBySlug(words: readonly string[], path: string): Effect {
  const segment = (path.split(/[/?:]/).at(-1) ?? '').toLowerCase()
  if (/\/batch\/update$/.test(path)) return 'update'
  const stated =
    [words[0] ?? '', words.at(-1) ?? ''].find((word) => VERBS.has(word)) ??
    words.map(verbOf).find((word) => word !== undefined)
  const verb = stated === undefined ? '' : plainVerb(stated)
  const isDeletion = words.some((word) => DELETES.has(plainVerb(word)) && segment.startsWith(word))
  const isBatch = READS_OF_BATCHES.test(path) || /\/batch\/archive$/.test(path)
  // `undo soft delete` restores.
  if (!isBatch && words.includes('undo')) return 'update'
  if (!isBatch && isDeletion) return 'delete'
  const isReading = READS.has(verb) || READS_BY_GET.has(verb)
  if (isReading && (QUERIES.test(path) || READ_ACTIONS.test(path))) return 'read'
  return effectOfPost(verb, path) ?? 'create'
}

/** `get`, and `gets` at the beginning of a name. */
function verbOf(word: string, index: number): string | undefined {
  if (VERBS.has(word)) return word
  const base = word.replace(/s$/, '')
  return index === 0 && VERBS.has(base) ? base : undefined
}

/** Whether a word names an action. */
export const isVerb = (word: string): boolean => VERBS.has(word.toLowerCase())
