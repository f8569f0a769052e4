import { resourceMetadataParameter } from './challenge.ts'

const URL_LENGTH_MAX = 2_000
const LIST_MAX = 100

/**
 * Returns the metadata URL that a resource names when it rejects a request (RFC 9728 §5.1). A URL of another
 * origin is not trusted: the metadata decides where users sign in.
 */
export function announcedMetadataUrl(
  header: string | string[] | undefined,
  resource: string,
): string | undefined {
  const announced = resourceMetadataParameter(header)
  const url = announced !== undefined && announced.length <= URL_LENGTH_MAX ? URL.parse(announced) : null
  return url && !url.username && !url.password && !url.hash && url.origin === new URL(resource).origin
    ? url.href
    : undefined
}

/** Returns the metadata URLs of a protected resource (RFC 9728 §3), without duplicates. */
export function resourceMetadataUrls(resource: string, announced?: string): string[] {
  const { origin, pathname } = new URL(resource)
  const path = pathname.replace(/\/+$/, '')
  return [
    ...new Set([
      ...(announced === undefined ? [] : [announced]),
      `${origin}/.well-known/oauth-protected-resource${path}`,
      `${origin}/.well-known/oauth-protected-resource`,
    ]),
  ]
}

/**
 * Returns the metadata URLs of an authorization server (RFC 8414 §3.1, OpenID Connect Discovery), without
 * duplicates.
 */
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

/**
 * Whether a resource is within the resource of a metadata document. For another resource, tokens would be
 * issued for that one (RFC 9728 §3.3).
 */
export function isWithin(address: string, whole: string): boolean {
  const [a, b] = [new URL(address), new URL(whole)]
  return (
    a.origin === b.origin &&
    `${a.pathname.replace(/\/+$/, '')}/`.startsWith(`${b.pathname.replace(/\/+$/, '')}/`)
  )
}

/**
 * Whether two issuers are the same. A server that claims another issuer could collect its codes (RFC 8414
 * §3.3).
 */
export const isSameIssuer = (one: unknown, other: string): boolean =>
  String(one).replace(/\/$/, '') === other.replace(/\/$/, '')

/**
 * Returns a URL of a metadata document if it may be used: https, or http if the resource itself uses http. A
 * document must not choose a weaker protocol than the administrator.
 */
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

/** Returns a list of strings, limited in length. */
export const stringList = (value: unknown): string[] | undefined =>
  Array.isArray(value)
    ? value.filter((one): one is string => typeof one === 'string').slice(0, LIST_MAX)
    : undefined
