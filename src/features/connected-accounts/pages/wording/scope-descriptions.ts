import type { ScopesManifest, Toolkit } from '../../../../catalog/index.ts'
import { ENGLISH, type PageText, text } from '../language/index.ts'
import { type Action, actionText, isAction, meaningOf, sentenceText, wordsOf } from './permission-texts.ts'

export interface Permission {
  what: PageText
  detail?: PageText
}

const TOOLS_SHOWN = 3

/**
 * Describes scopes: with the sentence of the manifest, a sentence of the tables, or the words of the scope and the
 * tools that need it. Scopes with the same sentence or the same object are one permission.
 */
export function describeScopes(toolkit: Toolkit, scopes: readonly string[]): Permission[] {
  const sentences = scopeSentences(toolkit)
  const permissions = new Map<string, Permission>()
  const verbs = new Map<string, string[]>()
  for (const scope of scopes) {
    const permission = describeScope(toolkit, scope, sentences)
    if (isAction(permission)) {
      const { verb, object } = permission
      const all = [...(verbs.get(object) ?? []), verb]
      verbs.set(object, all)
      permissions.set(`object ${object}`, { what: actionText(object, all) })
    } else {
      const sentence = ENGLISH.text(permission.what)
      if (!permissions.has(sentence)) permissions.set(sentence, permission)
    }
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

function describeScope(
  toolkit: Toolkit,
  scope: string,
  sentences: ReadonlyMap<string, string>,
): Permission | Action {
  const sentence = sentences.get(scope)
  if (sentence !== undefined) return { what: sentenceText(sentence) }
  const meaning = meaningOf(toolkit.slug, scope)
  if (meaning !== undefined) return isAction(meaning) ? meaning : { what: meaning }
  const tools = toolkit.tools
    .filter(({ scopes: needed }) => needed.includes(scope))
    .map(({ humanDescription }) => humanDescription.replace(/\.$/, ''))
  return {
    what: text('scope.other', { name: readableName(scope) }),
    ...(tools.length > 0 && { detail: listTools(tools) }),
  }
}

/** The words of a scope that no table knows. */
function readableName(scope: string): string {
  const path =
    /^https?:/.test(scope) && URL.canParse(scope)
      ? new URL(scope).pathname.replace(/^\/(auth\/)?/, '') || new URL(scope).hostname
      : scope
  return wordsOf(path).join(' ') || scope
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
