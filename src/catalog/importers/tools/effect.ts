import type { ToolManifest } from '../../manifest/format/index.ts'
import type { Operation } from '../model.ts'
import { wordsOf } from './words.ts'

export type Effect = ToolManifest['effect']

const OF_METHOD: Readonly<Record<string, Effect>> = {
  get: 'read',
  head: 'read',
  options: 'read',
  post: 'create',
  put: 'update',
  patch: 'update',
  delete: 'delete',
}
const DELETES = new Set([
  'delete',
  'remove',
  'destroy',
  'purge',
  'erase',
  'revoke',
  'terminate',
  'deregister',
  'uninstall',
  'drop',
])
const UPDATES = new Set([
  'update',
  'edit',
  'modify',
  'replace',
  'patch',
  'set',
  'rename',
  'enable',
  'disable',
  'start',
  'stop',
  'reset',
  'cancel',
  'archive',
])
/**
 * First words of GET operations that change something all the same. Many are nouns too, so they count in this
 * place only.
 */
const CHANGES_BY_GET = new Set(
  (
    'append move copy save restore revert merge clear flush truncate shutdown restart reboot kill run trigger ' +
    'execute'
  ).split(' '),
)
const CREATES = new Set(['create', 'add', 'insert', 'send', 'post', 'put', 'upload'])

/**
 * What a call does: what its method says, or its name where that says more harm. A name never makes a call
 * look more harmless.
 */
export function effectOf({ method, id }: Pick<Operation, 'method' | 'id'>): Effect {
  const own = OF_METHOD[method] ?? 'update'
  const words = wordsOf(id ?? '')
    .slice(0, 3)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== method)
  if (own === 'delete' || words.some((word) => DELETES.has(word))) return 'delete'
  if (own === 'create' || own === 'update') return own
  const [first = ''] = words
  return UPDATES.has(first) || CHANGES_BY_GET.has(first) ? 'update' : CREATES.has(first) ? 'create' : own
}

/**
 * What a name alone says: the worst of its words, wherever in it the word stands. Undefined when it holds no
 * such word.
 */
export function effectOfName(name: string): Exclude<Effect, 'read'> | undefined {
  const words = wordsOf(name).map((word) => word.toLowerCase())
  if (words.some((word) => DELETES.has(word))) return 'delete'
  if (words.some((word) => UPDATES.has(word))) return 'update'
  return words.some((word) => CREATES.has(word)) ? 'create' : undefined
}

/** Whether a word is one that tells what a call does. */
export const isVerb = (word: string): boolean =>
  [DELETES, UPDATES, CREATES].some((verbs) => verbs.has(word.toLowerCase()))

/**
 * Returns whether a second call changes nothing more: PUT and DELETE (RFC 9110 §9.2.2), and a GET that reads. A GET
 * that changes something may change it again, whatever HTTP says of GET: `appendText` of Etherpad appends twice.
 */
export const idempotentOf = ({ method }: Pick<Operation, 'method'>, effect: Effect): boolean =>
  method === 'put' || method === 'delete' || (effect === 'read' && method !== 'post' && method !== 'patch')
