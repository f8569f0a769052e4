import { dataText } from '../language/data-text.ts'
import sentences from '../language/data/permission-sentences.json' with { type: 'json' }
import words from '../language/data/permission-words.json' with { type: 'json' }
import scopes from '../language/data/scopes.json' with { type: 'json' }
import { type PageText, text, type TextKey } from '../language/index.ts'

type Table = Readonly<Record<string, readonly string[]>>
const SENTENCES: Table = sentences
const VERBS: Table = words.verbs
const OBJECTS: Table = words.objects
const SCOPES: Readonly<Record<string, Readonly<Record<string, string>>>> = scopes

/** Scopes that OpenID Connect Core (5.4, 11) defines. */
const STANDARD: ReadonlyMap<string, TextKey> = new Map([
  ['openid', 'scope.openid'],
  ['profile', 'scope.profile'],
  ['email', 'scope.email'],
  ['address', 'scope.address'],
  ['phone', 'scope.phone'],
  ['offline_access', 'scope.offline_access'],
])

/** Words of scopes that name an action, and the verb for it. */
const ACTIONS: ReadonlyMap<string, string> = new Map([
  ['read', 'see'],
  ['readonly', 'see'],
  ['view', 'see'],
  ['list', 'see'],
  ['write', 'write'],
  ['edit', 'change'],
  ['modify', 'change'],
  ['update', 'change'],
  ['manage', 'manage'],
  ['admin', 'manage'],
  ['create', 'create'],
  ['delete', 'delete'],
  ['remove', 'delete'],
  ['send', 'send'],
  ['upload', 'upload'],
])
/** Words of scopes that name neither an action nor an object. */
const FILLERS: ReadonlySet<string> = new Set(['all', 'basic', 'crm', 'objects', 'api', 'spark', 'me'])
/** All APIs of Google share their scopes, which start with this URL. */
const GOOGLE = 'https://www.googleapis.com/auth/'

/** Returns a sentence of a manifest in every language; other sentences stay as their author wrote them. */
export const sentenceText = (sentence: string): PageText =>
  Object.hasOwn(SENTENCES, sentence) ? dataText([sentence, ...(SENTENCES[sentence] ?? [])]) : sentence

/** What a scope allows as a verb and an object, so that scopes with the same object can share a sentence. */
export interface Action {
  verb: string
  object: string
}

/**
 * Returns what a scope allows: from the table of the toolkit, from OpenID Connect, or from the words of the scope.
 * Undefined if none of them knows it.
 */
export function meaningOf(toolkit: string, scope: string): PageText | Action | undefined {
  const [table, name] = scope.startsWith(GOOGLE) ? [GOOGLE, scope.slice(GOOGLE.length)] : [toolkit, scope]
  const phrase = phraseOf(table, name) ?? (STANDARD.has(name) ? undefined : phraseOf('*', name))
  if (phrase !== undefined) return meaningOfPhrase(phrase)
  const standard = STANDARD.get(name)
  return standard === undefined ? derivedAction(toolkit, name) : text(standard)
}

export const isAction = (meaning: object | string): meaning is Action =>
  typeof meaning === 'object' && 'verb' in meaning

function phraseOf(toolkit: string, scope: string): string | undefined {
  const table = Object.hasOwn(SCOPES, toolkit) ? SCOPES[toolkit] : undefined
  return table && Object.hasOwn(table, scope) ? table[scope] : undefined
}

/** A phrase of the table: the key of a text, a sentence, or a verb and an object. */
function meaningOfPhrase(phrase: string): PageText | Action {
  if (phrase.startsWith('scope.')) return text(phrase as TextKey)
  if (Object.hasOwn(SENTENCES, phrase)) return sentenceText(phrase)
  const [verb = '', ...object] = phrase.split(' ')
  return { verb, object: object.join(' ') }
}

/** Puts an object into the sentence of the verb that covers all of these. */
export function actionText(object: string, verbs: readonly string[]): PageText {
  const verb = verbOf(new Set(verbs))
  const [patterns, names] = [VERBS[verb], OBJECTS[object]]
  if (!patterns || !names) return `${verb} ${object}`
  return dataText(patterns.map((pattern, at) => capitalize(pattern.replace('{x}', names[at] ?? ''))))
}

/** Sets of verbs that have a verb for all of them; other sets are management. */
const COVERS: readonly (readonly [verb: string, parts: readonly string[]])[] = [
  ['see', ['see', 'search']],
  ['edit', ['see', 'search', 'change', 'edit']],
  ['write', ['create', 'change', 'write']],
  ['all', ['see', 'search', 'create', 'change', 'edit', 'write', 'all']],
]

function verbOf(verbs: ReadonlySet<string>): string {
  if (verbs.size === 1) return [...verbs][0] as string
  const cover = COVERS.find(([, parts]) => [...verbs].every((verb) => parts.includes(verb)))
  return cover?.[0] ?? 'manage'
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** `crm.lists.read` → see lists: exactly one known object, and at least one action. */
function derivedAction(toolkit: string, scope: string): Action | undefined {
  const own = new Set(toolkit.split('_'))
  const parts = wordsOf(scope).filter((word) => !FILLERS.has(word) && !own.has(word))
  const verbs = new Set(parts.flatMap((word) => ACTIONS.get(word) ?? []))
  const object = parts.filter((word) => !ACTIONS.has(word)).join(' ')
  const known = [object, `${object}s`, object.replace(/y$/, 'ies')].find((name) =>
    Object.hasOwn(OBJECTS, name),
  )
  return known === undefined || verbs.size === 0 ? undefined : { verb: verbOf(verbs), object: known }
}

/** The words of a scope in lower case: `Files.ReadWrite.All` → files, read, write, all. */
export const wordsOf = (scope: string): string[] =>
  scope
    .split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/)
    .filter(Boolean)
    .map((word) => word.toLowerCase())
