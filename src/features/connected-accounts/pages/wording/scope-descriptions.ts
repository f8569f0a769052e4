import type { ScopesManifest, Toolkit } from '../../../../catalog/index.ts'
import { ENGLISH, type PageText, text, type TextKey } from '../language/index.ts'

export interface Permission {
  what: PageText
  detail?: PageText
}

/** Scopes that OpenID Connect Core (5.4, 11) defines. */
const STANDARD: ReadonlyMap<string, TextKey> = new Map([
  ['openid', 'scope.openid'],
  ['profile', 'scope.profile'],
  ['email', 'scope.email'],
  ['address', 'scope.address'],
  ['phone', 'scope.phone'],
  ['offline_access', 'scope.offline_access'],
])
/** Words of scopes that name an action, with plain words for it. */
const ACTIONS: Readonly<Record<string, string>> = {
  read: 'See',
  readonly: 'See',
  view: 'See',
  list: 'See',
  history: 'See the history of',
  write: 'Change',
  edit: 'Change',
  modify: 'Change',
  update: 'Change',
  manage: 'Manage',
  admin: 'Administer',
  create: 'Create',
  send: 'Send with',
  post: 'Post to',
  delete: 'Delete',
  remove: 'Delete',
  upload: 'Upload',
}
const TOOLS_SHOWN = 3

/**
 * Describes scopes: with the sentence of the manifest, a standard text, or a text derived from the name of the
 * scope and the tools that need it. Scopes with the same sentence are one permission.
 */
export function describeScopes(toolkit: Toolkit, scopes: readonly string[]): Permission[] {
  const sentences = scopeSentences(toolkit)
  const permissions = new Map<string, Permission>()
  for (const scope of scopes) {
    const permission = describeScope(toolkit, scope, sentences)
    const sentence = ENGLISH.text(permission.what)
    if (!permissions.has(sentence)) permissions.set(sentence, permission)
  }
  return [...permissions.values()]
}

function scopeSentences({ schemes }: Toolkit): ReadonlyMap<string, string> {
  return new Map(
    schemes.flatMap(({ manifest }) => {
      const scopes: ScopesManifest | undefined = 'scopes' in manifest ? manifest.scopes : undefined
      return Object.entries(scopes?.descriptions ?? {})
    }),
  )
}

function describeScope(toolkit: Toolkit, scope: string, sentences: ReadonlyMap<string, string>): Permission {
  const sentence = sentences.get(scope)
  if (sentence !== undefined) return { what: sentence }
  const standard = STANDARD.get(scope)
  if (standard !== undefined) return { what: text(standard) }
  const tools = toolkit.tools
    .filter(({ scopes: needed }) => needed.includes(scope))
    .map(({ humanDescription }) => humanDescription.replace(/\.$/, ''))
  return { what: describeScopeName(scope), detail: tools.length ? listTools(tools) : scope }
}

function describeScopeName(scope: string): string {
  const path =
    /^https?:/.test(scope) && URL.canParse(scope)
      ? new URL(scope).pathname.replace(/^\/(auth\/)?/, '') || new URL(scope).hostname
      : scope
  const words = path
    .split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/)
    .filter(Boolean)
    .map((word) => word.toLowerCase())
  const actions = words.filter((word) => Object.hasOwn(ACTIONS, word))
  const objects = words.filter((word) => !Object.hasOwn(ACTIONS, word)).join(' ')
  if (!actions.length || !objects) return capitalize(words.join(' ') || scope)
  const phrases = actions.map((action, i) =>
    i ? (ACTIONS[action] as string).toLowerCase() : ACTIONS[action],
  )
  return `${phrases.join(' and ')} ${objects}`
}

/** Describes what tools do, for credentials without scopes, with which the application allows everything. */
export function describeTools(toolkit: Toolkit, slugs: readonly string[]): Permission[] {
  const tools = slugs.length ? toolkit.tools.filter(({ slug }) => slugs.includes(slug)) : toolkit.tools
  const kinds = [
    ['tools.see', tools.filter(({ effect }) => effect === 'read')],
    ['tools.change', tools.filter(({ effect }) => effect === 'create' || effect === 'update')],
    ['tools.delete', tools.filter(({ effect }) => effect === 'delete')],
  ] as const
  return kinds
    .filter(([, some]) => some.length)
    .map(([what, some]) => ({
      what: text(what),
      detail: listTools(some.map(({ name }) => name)),
    }))
}

function listTools(names: readonly string[]): PageText {
  const first = names.slice(0, TOOLS_SHOWN).join(', ')
  return names.length > TOOLS_SHOWN
    ? text('tools.more', { names: first, count: String(names.length - TOOLS_SHOWN) })
    : first
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
