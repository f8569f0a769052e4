import { resourceMetadataParameter } from './challenge.ts'

const URL_LENGTH_MAX = 2_000
const LIST_MAX = 100

/** The address at which a resource that refuses says that it describes itself (RFC 9728 §5.1). Of another origin it is not believed: the answer decides where users sign in. */
export function announcedMetadataUrl(
  header: string | string[] | undefined,
  resource: string,
): string | undefined {
  const told = resourceMetadataParameter(header)
  const url = told !== undefined && told.length <= URL_LENGTH_MAX ? URL.parse(told) : null
  return url && !url.username && !url.password && !url.hash && url.origin === new URL(resource).origin
    ? url.href
    : undefined
}

/** Where a protected resource describes itself (RFC 9728 §3), without double ones. */
export function resourceMetadataUrls(resource: string, told?: string): string[] {
  const { origin, pathname } = new URL(resource)
  const path = pathname.replace(/\/+$/, '')
  return [
    ...new Set([
      ...(told === undefined ? [] : [told]),
      `${origin}/.well-known/oauth-protected-resource${path}`,
      `${origin}/.well-known/oauth-protected-resource`,
    ]),
  ]
}

/** Where an authorization server describes itself (RFC 8414 §3.1, OpenID Connect Discovery), without double ones. */
export function serverMetadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/+$/, '')
  return [
    ...new Set([
      `${origin}/.well-known/oauth-authorization-server${path}`,
      `${origin}/.well-known/openid-configuration${path}`,
      `${origin}${path}/.well-known/openid-configuration`,
    ]),
  ]
}

/** Whether a resource lies within the one that a document speaks for; one that speaks for another would have tokens made for that (RFC 9728 §3.3). */
export function isWithin(address: string, whole: string): boolean {
  const [a, b] = [new URL(address), new URL(whole)]
  return (
    a.origin === b.origin &&
    `${a.pathname.replace(/\/+$/, '')}/`.startsWith(`${b.pathname.replace(/\/+$/, '')}/`)
  )
}

/** Whoever answers for another issuer could collect its codes (RFC 8414 §3.3). */
export const isSameIssuer = (one: unknown, other: string): boolean =>
  String(one).replace(/\/$/, '') === other.replace(/\/$/, '')

/** An address that a document names, if it may be used: https, unless the resource itself is reached without; what a document names must not be weaker than what the operator chose. */
export function safeMetadataUrl(value: unknown, resource: string): string | undefined {
  const url = typeof value === 'string' && value.length <= URL_LENGTH_MAX ? URL.parse(value) : null
  return url &&
    !url.username &&
    !url.password &&
    !url.hash &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && resource.startsWith('http:')))
    ? (value as string)
    : undefined
}

/** A list of texts, not too long. */
export const stringList = (value: unknown): string[] | undefined =>
  Array.isArray(value)
    ? value.filter((one): one is string => typeof one === 'string').slice(0, LIST_MAX)
    : undefined
