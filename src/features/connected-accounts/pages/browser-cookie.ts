import { createHash } from 'node:crypto'
import { fastifyCookie } from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { randomText } from '../../../platform/ids.ts'

const COOKIE_NAME = 'patchbay_browser'
/**
 * With the prefix `__Host-`, a browser accepts the cookie only with `Secure`, without a domain, and for the path `/`
 * (RFC 6265bis, section 4.1.3.2), so another host of the same site cannot set it.
 */
const HOST_PREFIX = '__Host-'
/** 256 bits. */
const SECRET_CHARACTERS = 43
const SECRET = new RegExp(`^[A-Za-z0-9]{${SECRET_CHARACTERS}}$`)
const MAX_AGE_SECONDS = 3_600
const COOKIE_HEADER_CHARACTERS_MAX = 16_384

/** A browser, identified by a random secret in a cookie that lasts one hour. */
export interface Browser {
  secret: string
  hash: Buffer
}

const browserOf = (secret: string): Browser => ({
  secret,
  hash: createHash('sha256').update(secret).digest(),
})

/**
 * Loads the parser and the serializer of cookies. In a scope without routes: the hooks of the plugin would run for
 * every API call, which has no cookies.
 */
export function registerCookies(app: FastifyInstance): void {
  void app.register(async (scope) => {
    await scope.register(fastifyCookie, { hook: false })
  })
}

const isHttps = (publicUrl: string): boolean => publicUrl.startsWith('https:')

const cookieName = (publicUrl: string): string => `${isHttps(publicUrl) ? HOST_PREFIX : ''}${COOKIE_NAME}`

/** Reads the browser from the `Cookie` header. Returns undefined if it is new or rejects cookies. */
export function readBrowserCookie(cookies: string | undefined, publicUrl: string): Browser | undefined {
  if (cookies === undefined || cookies.length > COOKIE_HEADER_CHARACTERS_MAX) return undefined
  const secret = fastifyCookie.parse(cookies)[cookieName(publicUrl)]
  return secret !== undefined && SECRET.test(secret) ? browserOf(secret) : undefined
}

/** Creates a browser with a new secret. */
export const createBrowser = (): Browser => browserOf(randomText(SECRET_CHARACTERS))

/**
 * Reads the browser, or creates a new one. A known browser keeps its secret, so that flows in two tabs both
 * work.
 */
export const readOrCreateBrowser = (cookies: string | undefined, publicUrl: string): Browser =>
  readBrowserCookie(cookies, publicUrl) ?? createBrowser()

/**
 * Makes the cookie of a browser. `SameSite=Lax`: the browser sends it when the provider redirects the user
 * back, but not with a form that another site sends.
 */
export const browserCookie = ({ secret }: Browser, publicUrl: string): string =>
  fastifyCookie.serialize(cookieName(publicUrl), secret, {
    path: '/',
    maxAge: MAX_AGE_SECONDS,
    httpOnly: true,
    sameSite: 'lax',
    secure: isHttps(publicUrl),
  })

/** A token that proves that this browser was shown the form: another site cannot know the cookie. */
export const formToken = ({ secret }: Browser, page: string): string =>
  createHash('sha256').update(`form:${secret}:${page}`).digest('base64url')
