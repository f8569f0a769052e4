import type { Alternative, SecurityScheme } from '../model.ts'
import type { AuthSchemeManifest, FieldManifest } from '../../manifest/format/index.ts'
import { inWords, plainText } from '../tools/words.ts'
import { WHOLE_AUTHORIZATION } from './alternatives.ts'
import { fieldName } from '../openapi/servers.ts'

export type SchemeWithName<K extends SecurityScheme['kind']> = {
  readonly name: string
  readonly scheme: Extract<SecurityScheme, { kind: K }>
}
export type KeyScheme = SchemeWithName<'key'>

/** A key in this header is sent as it is entered, without a first word such as Bearer. */
const isAuthorization = (key: { in: string; name: string }) =>
  key.in === 'header' && key.name.toLowerCase() === 'authorization'

const OTHER_WORDS = /\b(basic|digest|hmac|signature|token token|api-?key) /i

/**
 * Returns whether users may enter a token, and `Bearer` is put before it. Swagger 2 has no bearer scheme, so most
 * documents write one as a key in this header. A description that names another first word excludes it.
 */
export const mayBeBearer = ({ aws, description = '', ...key }: KeyScheme['scheme']): boolean =>
  !aws && isAuthorization(key) && (/bearer/i.test(description) || !OTHER_WORDS.test(description))

/** Describes the field of the first key; without a description the field of the scheme itself is used. */
function describeFirstKey(name: string, key: SecurityScheme | undefined): FieldManifest[] {
  if (key?.kind !== 'key') return []
  const texts = [
    key.description && plainText(key.description, 300),
    isAuthorization(key) && key.description !== WHOLE_AUTHORIZATION && WHOLE_AUTHORIZATION,
  ].filter(Boolean)
  if (texts.length === 0) return []
  return [{ name, display_name: 'API key', description: texts.join(' '), secret: true }]
}

/**
 * Keys that are needed where nothing but keys signs in: the most used first, and only as many as every
 * operation is served.
 */
export function keysAlone(
  alternatives: readonly Alternative[],
  keys: readonly KeyScheme[],
): { key: KeyScheme; always: boolean }[] {
  const names = new Map(keys.map((key) => [key.name, key]))
  const sets = alternatives
    .filter((one) => one.size > 0 && [...one.keys()].every((name) => names.has(name)))
    .map((one) => [...one.keys()])
  const chosen = new Set<string>()
  const order = new Map(keys.map(({ name }, index) => [name, index]))
  const places = new Set<string>()
  for (const set of [...sets].sort((a, b) => a.length - b.length || order.get(a[0]!)! - order.get(b[0]!)!)) {
    for (const name of set) {
      // The same key in the header or in the query is one key.
      const id =
        set.length === 1
          ? names
              .get(name)!
              .scheme.name.toLowerCase()
              .replace(/[^a-z0-9]/g, '')
          : name
      if (chosen.has(name) || places.has(id)) continue
      chosen.add(name)
      places.add(id)
    }
  }
  return [...chosen]
    .sort((a, b) => order.get(a)! - order.get(b)!)
    .map((name) => ({ key: names.get(name)!, always: sets.every((set) => set.includes(name)) }))
}

/** Keys that go along with a scheme. */
export function companions(
  name: string,
  alternatives: readonly Alternative[],
  keys: readonly KeyScheme[],
): { key: KeyScheme; always: boolean }[] {
  const sets = alternatives.filter((one) => one.has(name))
  return keys.flatMap((key) => {
    const count = sets.filter((one) => one.has(key.name)).length
    return count === 0 ? [] : [{ key, always: count === sets.length }]
  })
}

const PLACES = { header: 'headers', query: 'query' } as const

/** Adds the fields and places of keys to what a scheme applies. */
export function withKeys<T extends AuthSchemeManifest>(
  scheme: T,
  keys: readonly { key: KeyScheme; always: boolean }[],
  headers: Record<string, string>,
  first?: string,
): T {
  const apply: { headers: Record<string, string>; query: Record<string, string> } = {
    headers: { ...headers },
    query: {},
  }
  const fields: FieldManifest[] = []
  const cookies: string[] = []
  keys.forEach(({ key: { scheme: key }, always }, index) => {
    const name = index === 0 && first !== undefined ? first : fieldName(key.name)
    if (index > 0 || first === undefined) {
      if (fields.some((field) => field.name === name)) return
      fields.push({
        name,
        display_name: inWords(key.name),
        description: plainText(key.description ?? '', 300) || `Value of \`${key.name}\`.`,
        secret: true,
        ...(!always && { required: false }),
      })
    }
    const place = always || (index === 0 && first !== undefined) ? `{${name}}` : `{${name}?}`
    if (key.in === 'cookie') cookies.push(`${key.name.replaceAll('{', '')}=${place}`)
    else apply[PLACES[key.in]][key.in === 'header' ? key.name.toLowerCase() : key.name] = place
  })
  if (cookies.length > 0) apply.headers['cookie'] = cookies.join('; ')
  const own: FieldManifest[] = first === undefined ? [] : describeFirstKey(first, keys[0]?.key.scheme)
  const asked = [...own, ...fields]
  const query = Object.keys(apply.query).length > 0
  return {
    ...scheme,
    ...(asked.length > 0 && { fields: { connected_account_initiation: asked } }),
    ...((Object.keys(apply.headers).length > 0 || query) && {
      apply: {
        ...defaults(scheme, apply.headers),
        ...(Object.keys(apply.headers).length > 0 && { headers: defaultHeaders(scheme, apply.headers) }),
        ...(query && { query: apply.query }),
      },
    }),
  }
}

/** A scheme's default headers must be declared as soon as the scheme declares other headers. */
const defaultHeaders = (
  scheme: AuthSchemeManifest,
  headers: Record<string, string>,
): Record<string, string> => {
  if ('authorization' in headers) return headers
  const token =
    scheme.scheme === 'BEARER_TOKEN'
      ? 'token'
      : scheme.scheme === 'OAUTH2' || scheme.scheme === 'S2S_OAUTH2'
        ? 'access_token'
        : undefined
  return token === undefined ? headers : { authorization: `Bearer {${token}}`, ...headers }
}
const defaults = (scheme: AuthSchemeManifest, _: Record<string, string>) =>
  scheme.scheme === 'BASIC' ? { basic: { username: '{username}', password: "{password||''}" } } : {}
