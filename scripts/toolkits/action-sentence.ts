import { wordsOf } from '../../src/catalog/importers/tools/words.ts'
import type { ToolManifest } from '../../src/catalog/manifest/format/index.ts'
import { isNameOfPath, sayingWords, wordsOfSlug } from './action-words.ts'
import { isPluralNoun, singularNoun } from './nouns.ts'
import { fixedSegments, lowerWords } from './path-words.ts'
import { compoundWords, oneOf, spelled, withoutOwnName, withoutSelectors } from './sentence-words.ts'
import { isBaseVerb, naturalVerb } from './verb-forms.ts'
import verbs from './data/verbs.json' with { type: 'json' }

const VERBS = new Map<string, string>(Object.entries(verbs))
const OF_EFFECT = { read: 'Returns', create: 'Creates', update: 'Updates', delete: 'Deletes' } as const
const ARTICLES =
  /^(a|an|the|all|any|each|every|one|multiple|many|several|my|your|their|its|this|both|no|some|list of|whether)\b/
const PREPOSITIONS =
  /\s(?:of|for|in|by|to|from|with|on|at|and|or|as|via|using|that|which|under|into|against|about|before|after|than|where)\s.*$/
const UNCOUNTABLE =
  /(^|\s)(information|info|metadata|data|access|usage|content|activity|history|feedback|traffic|inventory|health|availability|storage|authentication|authorization|billing|analytics|statistics|stats|sales|savings|goods|saas|me|self|them|it|up|out|in|on|off)$/
const LONG_WORD = 20
const BULK = new Set(['bulk', 'batch'])
const READS = new Set(['get', 'gets', 'list', 'lists', 'find', 'retrieve', 'fetch', 'search'])
/** Workers AI has an operation for each model. */
const MODEL_OF_PATH = /\/ai\/run\/(@[\w-]+\/[^/]+\/[^/]+)$/
/** Nouns that are verbs too: one that is the object has an article. */
const NOUNS = new Set(
  (
    'post call report filter log request record queue map group review stream note test view share comment file ' +
    'build bridge measure play check order'
  ).split(' '),
)
/** `roll back a service` rolls back. */
const PARTICLES = /^(?:back|up|out|down) \w/
const METHODS = new Set(['post', 'put', 'patch'])
const BEFORE_NOUNS = new Set(['a', 'an', 'the'])

/** What is known of a tool when its first sentence is written. */
export interface Action {
  readonly slug: string
  readonly toolkitSlug: string
  readonly toolkitName: string
  readonly effect: ToolManifest['effect']
  readonly path: string
}

/** Says what a tool does: `Deletes a project board in Pipedrive.` */
export function actionSentence(action: Action): string {
  const [, formula] = /\/workbook\/functions\/microsoft\.graph\.(\w+)/.exec(action.path) ?? []
  if (formula !== undefined)
    return `Computes the worksheet function ${formula.toUpperCase()} in ${action.toolkitName}.`
  const [, model] = MODEL_OF_PATH.exec(action.path) ?? []
  if (model !== undefined) return `Runs the model ${model} in ${action.toolkitName}.`
  const ownWords = withoutOwnName(wordsOfSlug(action.slug, action.toolkitSlug), action.toolkitSlug)
  const words = sayingWords(compoundWords(ownWords), action.path)
  const { verb, object } = isNameOfPath(ownWords)
    ? ofRoute(action.effect, action.path)
    : verbAndObject(words, action)
  const noun = withArticle(oneOf(spelled(completed(object, verb, action)), action.path))
  return `${verb} ${noun} in ${action.toolkitName}.`
    .replace(/ {2,}/g, ' ')
    .replace(new RegExp(` in ${action.toolkitSlug.replaceAll('_', ' ')} in `, 'i'), ' in ')
    .replace(/\b(in|of|for) in /g, 'in ')
    .replace(`of ${action.toolkitName} in ${action.toolkitName}.`, `of ${action.toolkitName}.`)
    .replace(/\b([a-z]+)(?: \1\b)+/gi, '$1')
    .replace(/^Returns an? list of /, 'Lists ')
    .replace(/ and get (?=\w)/, ' and returns ')
    .replace(/ returns a paginated response(?= in )/, '')
}

/**
 * The verb of a name is its first word, its last one, or the first verb between them; what follows it is its object. A
 * name that begins with a method says nothing: then the end of the path or the effect tells.
 */
function verbAndObject(
  words: readonly string[],
  { effect, path }: Pick<Action, 'effect' | 'path'>,
): { verb: string; object: string } {
  const rest = words.slice(1).join(' ')
  const [first = '', second = ''] = words
  if (path.endsWith('/$count') && words.includes('count'))
    return { verb: 'Returns', object: `the number of ${words.slice(words.indexOf('count') + 1).join(' ')}` }
  if (first.endsWith('ly') && VERBS.has(second))
    return { verb: `${capital(first)} ${VERBS.get(second)!.toLowerCase()}`, object: words.slice(2).join(' ') }
  // The resource `shares` of `/shares/{id}` is not the verb of `SHARES_LIST_CREATE_ITEMS`.
  const resources = new Set(path.toLowerCase().split(/[/?]/))
  // `setworkflowschemedraftissuetype` has no words that can be told apart.
  const isOneWord = words.length <= 2 && words.at(-1)!.length >= LONG_WORD && verbOf(first) === undefined
  if (isOneWord || METHODS.has(first) || (first === 'call' && words.length === 1))
    return ofRoute(effect, path)
  if (first === 'is') return { verb: 'Checks', object: `whether it is ${rest}` }
  if (first === 'returns' && words.length > 1) return { verb: 'Returns', object: rest }
  // `GETTING_LIST_OF_ARCHIVE_PAGES`
  const gerund =
    first.endsWith('ing') && words.length > 2 && ARTICLES.test(second) ? naturalVerb(first) : undefined
  if (gerund !== undefined && VERBS.has(gerund)) return { verb: VERBS.get(gerund)!, object: rest }
  const several = severalVerbs(words)
  if (several) return several
  if (BULK.has(first)) {
    const { verb, object } = verbAndObject(words.slice(1), { effect, path })
    return { verb, object: `${object} in one call` }
  }
  const last = words.at(-1) ?? ''
  // `LOG_GET` returns a log.
  if (words.length === 2 && NOUNS.has(first) && VERBS.has(last) && !NOUNS.has(last))
    return { verb: VERBS.get(last)!, object: listed([first], last) }
  if (verbOf(first) && (VERBS.has(first) || !resources.has(first)))
    return PARTICLES.test(rest) || (first === 'search' && second === 'for')
      ? withParticle(verbOf(first)!, words.slice(1))
      : { verb: verbOf(first)!, object: rest }
  if (words.length > 1 && VERBS.has(last) && !BEFORE_NOUNS.has(words.at(-2)!))
    return { verb: VERBS.get(last)!, object: listed(words.slice(0, -1), last) }
  const isVerbAt = (word: string, index: number) =>
    index > 0 && verbOf(word) !== undefined && !BEFORE_NOUNS.has(words[index - 1]!)
  const own = words.findIndex((word, index) => isVerbAt(word, index) && !resources.has(word))
  const at = own >= 0 ? own : words.findIndex(isVerbAt)
  const after = words.slice(at + 1)
  const isPhrase = after.length === 0 || PREPOSITIONS.test(` ${after[0]!} x`)
  if (at < 0 || (effect === 'read' && !READS.has(words[at]!)))
    return { verb: OF_EFFECT[effect], object: words.join(' ') }
  const object = isPhrase ? [...words.slice(0, at), ...after] : after
  return { verb: verbOf(words[at]!)!, object: object.join(' ') }
}

/** `roll back to a version`: `to` belongs to the verb too. */
function withParticle(
  verb: string,
  [particle = '', ...rest]: readonly string[],
): { verb: string; object: string } {
  const isMotion = rest[0] === 'to' && rest.length > 1
  return {
    verb: `${verb} ${particle}${isMotion ? ' to' : ''}`,
    object: rest.slice(isMotion ? 1 : 0).join(' '),
  }
}

/** `create or update subscriber` creates or updates a subscriber, and so does `subscriber create or update`. */
function severalVerbs(words: readonly string[]): { verb: string; object: string } | undefined {
  const verbs = words.filter((word) => word !== 'or').map((word) => VERBS.get(word))
  if (verbs.length === 3 && words.length === 4 && verbs.every((verb) => verb !== undefined))
    return { verb: `${verbs[0]!}, ${verbs[1]!.toLowerCase()} or ${verbs[2]!.toLowerCase()}`, object: '' }
  const at = words.findIndex((word) => word === 'or' || word === 'and')
  const [before = '', after = ''] = [words[at - 1], words[at + 1]]
  const one = VERBS.get(before)
  const other = VERBS.get(after) ?? (at === 1 && isBaseVerb(after) ? `${after}s` : undefined)
  const isStart = at === 1 && words.length > 3
  const isEnd = at > 1 && at === words.length - 2
  if (one === undefined || other === undefined || !(isStart || isEnd)) return undefined
  const verb = one === other ? one : `${one} ${words[at]!} ${other.toLowerCase()}`
  return { verb, object: (isStart ? words.slice(3) : words.slice(0, at - 1)).join(' ') }
}

/** `streaming avatar list` lists streaming avatars. */
const listed = (words: readonly string[], verb: string): string => {
  const text = words.join(' ')
  return verb !== 'list' || isPluralNoun(text) || UNCOUNTABLE.test(text) || PREPOSITIONS.test(` ${text} `)
    ? text
    : `${text}s`
}

/** `get`, and `gets` too. */
const verbOf = (word: string): string | undefined =>
  VERBS.get(word) ?? (word.endsWith('s') ? VERBS.get(word.slice(0, -1)) : undefined)

/** `POST /payment_intents/{intent}/increment_authorization` increments the authorization of a payment intent. */
function ofRoute(effect: ToolManifest['effect'], path: string): { verb: string; object: string } {
  const segments = path.split(/[/?]/).filter(Boolean)
  const last = wordsOf(segments.at(-1) ?? '').map((word) => word.toLowerCase())
  const fixed = fixedSegments(path).map(lowerWords)
  const before = fixed.at(-2) ?? ''
  const bulk = bulkOf(fixed)
  if (bulk !== undefined && !segments.at(-1)!.includes('{')) return bulk
  const verb = segments.at(-1)?.includes('{') ? undefined : verbOf(last[0] ?? '')
  if (verb !== undefined)
    return { verb, object: [last.slice(1).join(' '), before].filter(Boolean).join(' of ') }
  const isOne = segments.at(-1)?.includes('{') === true
  const noun = fixedSegments(path)
    .slice(isOne ? -1 : -2)
    .map(lowerWords)
    .join(' ')
  return {
    verb: isOne && effect === 'create' ? OF_EFFECT.update : OF_EFFECT[effect],
    object: isOne ? singularNoun(noun) : noun,
  }
}

/** `/tasks/batch/update` updates tasks in one call, and so does `/tasks/update/batch`. */
function bulkOf(fixed: readonly string[]): { verb: string; object: string } | undefined {
  const [noun = '', ...ends] = fixed.slice(-3)
  const verb = ends.find((end) => !BULK.has(end)) ?? ''
  return noun !== '' && ends.some((end) => BULK.has(end)) && VERBS.has(verb)
    ? { verb: VERBS.get(verb)!, object: `${noun} in one call` }
    : undefined
}

/** Adds the resource of the path where the name does not say it. */
function completed(object: string, verb: string, { path }: Action): string {
  const resource = fixedSegments(path)
    .slice(-2)
    .map(lowerWords)
    .filter((text) => !['actions', 'me', 'self', 'partial', 'batch', 'bulk'].includes(text))
  const short = shortObject(object, path)
  if (short === '') return `the ${resource.join(' ')}`.trim().replace(/^the$/, 'the account')
  if (PREPOSITIONS.test(` ${short}`) && !PREPOSITIONS.test(short))
    return `${resource.filter((text) => `${text}s` !== verb.toLowerCase()).join(' ')} ${short}`
  const plain = `${verb} ${short}`
    .toLowerCase()
    .replace('indices', 'indexes')
    .replace(/[^a-z]/g, '')
  const isSaid =
    resource.length === 0 ||
    PREPOSITIONS.test(short) ||
    resource.some((text) => [text, ...text.split(' ')].some((word) => plain.includes(stem(word))))
  const places = resource.filter((text) => `${text}s` !== verb.toLowerCase())
  return isSaid || places.length === 0 ? short : `${short} of ${places.join(' ')}`
}

/** Leaves out what the arguments say: `by id`, and the area that only makes a slug unique. */
function shortObject(object: string, path: string): string {
  const short = withoutSelectors(object).replace(/ in (\w+)$/, (whole, area: string) =>
    object.slice(0, -whole.length).includes(singularNoun(area)) ? '' : whole,
  )
  return path.endsWith('}') && / ids?$/.test(short) ? singularNoun(short.replace(/ ids?$/, '')) : short
}

const stem = (text: string): string => text.replace(/(ies|es|y|s)$/, '').replace(/[^a-z]/g, '')

/** `project board` is `a project board`; plurals and words without a plural stay as they are. */
function withArticle(object: string): string {
  const head = ` ${object}`.replace(PREPOSITIONS, '').trim()
  if (/^(current|authenticated|latest|next|previous|last|remaining)\b/.test(object)) return `the ${object}`
  if (
    head === '' ||
    ARTICLES.test(object) ||
    UNCOUNTABLE.test(head) ||
    isPluralNoun(head) ||
    (!/ (?:of|from|in|to|for|by|with) /.test(object) && isPluralNoun(object)) ||
    (verbOf(head) !== undefined && !NOUNS.has(head))
  )
    return object
  return `${/^([aeio]|un(?!i)|u(?!s|ni|rl|df)|m[A-Z]|[AEFHILMNORSX][A-Z])/.test(object) ? 'an' : 'a'} ${object}`
}

const capital = (word: string): string => `${word[0]!.toUpperCase()}${word.slice(1)}`
