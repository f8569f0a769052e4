import { fastifyCookie } from '@fastify/cookie'
import { randomText } from '../../platform/ids.ts'

const NAME = 'patchbay_console'
/**
 * With the prefix `__Host-`, a browser accepts the cookie only with `Secure`, without a domain, and for the path `/`
 * (RFC 6265bis, section 4.1.3.2), so another host of the same site cannot set it.
 */
const HOST_PREFIX = '__Host-'
/** 43 letters and digits have 256 bits. */
const TOKEN_CHARACTERS = 43
const TOKEN = /^[A-Za-z0-9]{43}$/
const COOKIE_HEADER_CHARACTERS_MAX = 16_384

const isHttps = (publicUrl: string): boolean => publicUrl.startsWith('https:')
const nameOf = (publicUrl: string, name = NAME): string => `${isHttps(publicUrl) ? HOST_PREFIX : ''}${name}`

/** Creates the token of a new session. */
export const newSessionToken = (): string => randomText(TOKEN_CHARACTERS)

/** Returns the token of a session from the `Cookie` header, or undefined if there is no well-formed one. */
export function readSessionCookie(cookies: string | undefined, publicUrl: string): string | undefined {
  if (cookies === undefined || cookies.length > COOKIE_HEADER_CHARACTERS_MAX) return undefined
  const token = fastifyCookie.parse(cookies)[nameOf(publicUrl)]
  return token !== undefined && TOKEN.test(token) ? token : undefined
}

/**
 * Returns the `Set-Cookie` header of a session. `SameSite=Strict`: no request that another site starts carries it.
 * @param maxAge lifetime in seconds; 0 deletes the cookie
 */
export const sessionCookie = (token: string, maxAge: number, publicUrl: string): string =>
  fastifyCookie.serialize(nameOf(publicUrl), token, {
    path: '/',
    maxAge,
    httpOnly: true,
    sameSite: 'strict',
    secure: isHttps(publicUrl),
  })

/**
 * Returns the `Set-Cookie` header of encrypted data that a sign-in needs in its next step. `SameSite=Lax`, because the
 * next step of a sign-in at a provider is a navigation that the provider starts.
 * @param maxAge seconds; 0 deletes the cookie
 */
export const stepCookie = (name: string, value: string, maxAge: number, publicUrl: string): string =>
  fastifyCookie.serialize(nameOf(publicUrl, name), value, {
    path: '/',
    maxAge,
    httpOnly: true,
    sameSite: 'lax',
    secure: isHttps(publicUrl),
  })

/** Returns the value of such a cookie, or undefined. */
export function readStepCookie(
  cookies: string | undefined,
  name: string,
  publicUrl: string,
): string | undefined {
  if (cookies === undefined || cookies.length > COOKIE_HEADER_CHARACTERS_MAX) return undefined
  return fastifyCookie.parse(cookies)[nameOf(publicUrl, name)] || undefined
}
