import type { Toolkit } from '../../../catalog/index.ts'

export interface Allowed {
  what: string
  detail?: string
}

/** Scopes that OpenID Connect Core (5.4, 11) defines. */
const STANDARD: Readonly<Record<string, string>> = {
  openid: 'Know who you are',
  profile: 'See your name and picture',
  email: 'See your e-mail address',
  address: 'See your postal address',
  phone: 'See your telephone number',
  offline_access: 'Keep the access while you are away',
}
/** Words in a scope that say what may be done, and how people say it. */
const VERBS: Readonly<Record<string, string>> = {
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

/** What scopes allow, in words: of the standard, else made of the scope's own name, with the tools that need it. */
export const scopesInWords = (toolkit: Toolkit, scopes: readonly string[]): Allowed[] =>
  scopes.map((scope) => {
    const tools = toolkit.tools
      .filter(({ scopes: needed }) => needed.includes(scope))
      .map(({ humanDescription }) => humanDescription.replace(/\.$/, ''))
    const detail = tools.length
      ? `${tools.slice(0, TOOLS_SHOWN).join(', ')}${tools.length > TOOLS_SHOWN ? ` and ${tools.length - TOOLS_SHOWN} more` : ''}`
      : scope
    return { what: STANDARD[scope] ?? named(scope), ...(Object.hasOwn(STANDARD, scope) ? {} : { detail }) }
  })

function named(scope: string): string {
  const path =
    /^https?:/.test(scope) && URL.canParse(scope)
      ? new URL(scope).pathname.replace(/^\/(auth\/)?/, '') || new URL(scope).hostname
      : scope
  const words = path
    .split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/)
    .filter(Boolean)
    .map((word) => word.toLowerCase())
  const verbs = words.filter((word) => Object.hasOwn(VERBS, word))
  const things = words.filter((word) => !Object.hasOwn(VERBS, word)).join(' ')
  if (!verbs.length || !things) return capital(words.join(' ') || scope)
  return `${verbs.map((verb, i) => (i ? (VERBS[verb] as string).toLowerCase() : VERBS[verb])).join(' and ')} ${things}`
}

/** Without scopes the application lets everything through that the credentials may do; the tools say what is made of that. */
export function toolsInWords(toolkit: Toolkit, allowed: readonly string[]): Allowed[] {
  const tools = allowed.length ? toolkit.tools.filter(({ slug }) => allowed.includes(slug)) : toolkit.tools
  const kinds = [
    ['See', tools.filter(({ effect }) => effect === 'read')],
    ['Create and change', tools.filter(({ effect }) => effect === 'create' || effect === 'update')],
    ['Delete', tools.filter(({ effect }) => effect === 'delete')],
  ] as const
  return kinds
    .filter(([, some]) => some.length)
    .map(([what, some]) => ({
      what: `${what} data`,
      detail: `${some
        .slice(0, TOOLS_SHOWN)
        .map(({ name }) => name)
        .join(', ')}${some.length > TOOLS_SHOWN ? ` and ${some.length - TOOLS_SHOWN} more` : ''}`,
    }))
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
