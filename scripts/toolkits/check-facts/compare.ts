import type { SignInFact } from './sign-in-facts.ts'
import type { StatedFact } from './stated-facts.ts'

/** A fact of a manifest, compared with the sources. */
export interface ComparedFact extends SignInFact {
  /** `unstated`: no source says anything about it. */
  readonly verdict: 'agrees' | 'differs' | 'unstated'
  /** The sources that agree, or those that say something else. */
  readonly stated: readonly StatedFact[]
}

/** Compares the facts of a manifest with what the sources state. */
export function compareFacts(facts: readonly SignInFact[], stated: readonly StatedFact[]): ComparedFact[] {
  return facts.map((fact) => {
    const kind = fact.fact.split('.').at(-1)!
    // A refresh endpoint that no source names apart is the token endpoint.
    const kinds = kind === 'refresh_url' ? ['refresh_url', 'token_url'] : [kind]
    const about = stated.filter((one) => kinds.includes(one.kind))
    const equal = about.filter(({ value }) => isEqual(kind, fact.value, value))
    return {
      ...fact,
      verdict: equal.length > 0 ? 'agrees' : about.length > 0 ? 'differs' : 'unstated',
      stated: equal.length > 0 ? equal : about,
    }
  })
}

function isEqual(kind: string, own: string, stated: string): boolean {
  if (kind === 'scope') return own === stated
  // An API key in the header Authorization cannot state the word before it.
  if (kind === 'credential')
    return (
      own.toLowerCase() === stated.toLowerCase() ||
      (/^header authorization \S+$/.test(own) && stated === 'header authorization')
    )
  const [a, b] = [parts(own), parts(stated)]
  if (!fits(a.host, b.host)) return false
  if (kind !== 'base_url') return fits(a.path, b.path)
  // A server may be stated with or without the version that begins all paths.
  return fits(a.path, b.path) || fits(start(a.path, b.path), b.path) || fits(start(b.path, a.path), a.path)
}

/** Host and path in lower case; what differs between customers (`{…}`, `[…]`, `<…>`, `:name`) is `*`. */
function parts(url: string): { host: string; path: string } {
  const plain = url
    .replace(/[?#].*$/, '')
    .replace(/\{[^{}]*\}|\[[^[\]]*\]|<[^<>]*>|(?<=\/):\w+/g, '*')
    .replace(/^\w+:\/\//, '')
    .replace(/\/+$/, '')
    .toLowerCase()
  const at = plain.indexOf('/')
  return at < 0 ? { host: plain, path: '' } : { host: plain.slice(0, at), path: plain.slice(at) }
}

const start = (path: string, like: string): string =>
  path.split('/').slice(0, like.split('/').length).join('/')

/** Whether two texts are equal, where `*` of either stands for any text without a slash. */
function fits(a: string, b: string): boolean {
  const pattern = (text: string) =>
    new RegExp(`^${text.replace(/[\\^$+?.()|[\]{}]/g, String.raw`\$&`).replaceAll('*', '[^/]*')}$`)
  return a === b || pattern(a).test(b) || pattern(b).test(a)
}
