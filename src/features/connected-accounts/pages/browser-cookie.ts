import { createHash } from 'node:crypto'
import { randomText } from '../../../platform/ids.ts'

const COOKIE_NAME = 'patchbay_browser'
/** 256 bits. */
const SECRET_CHARACTERS = 43
const MAX_AGE_SECONDS = 3_600
const COOKIE_HEADER_CHARACTERS_MAX = 16_384
const COOKIE = new RegExp(`(?:^|;\\s*)${COOKIE_NAME}=([A-Za-z0-9]{${SECRET_CHARACTERS}})(?=\\s*(?:;|$))`)

/** A browser, identified by a random secret in a cookie that lasts one hour. */
export interface Browser {
  secret: string
  hash: Buffer
}

const browserOf = (secret: string): Browser => ({
  secret,
  hash: createHash('sha256').update(secret).digest(),
})

/** Reads the browser from its cookies. Returns undefined if it is new or rejects cookies. */
export function readBrowserCookie(cookies: string | undefined): Browser | undefined {
  const secret = COOKIE.exec(cookies?.slice(0, COOKIE_HEADER_CHARACTERS_MAX) ?? '')?.[1]
  return secret === undefined ? undefined : browserOf(secret)
}

/**
 * Reads the browser, or creates a new one. A known browser keeps its secret, so that flows in two tabs both
 * work.
 */
export const readOrCreateBrowser = (cookies: string | undefined): Browser =>
  readBrowserCookie(cookies) ?? browserOf(randomText(SECRET_CHARACTERS))

/**
 * Makes the cookie of a browser. `SameSite=Lax`: the browser sends it when the provider redirects the user
 * back, but not with a form that another site sends.
 */
export const browserCookie = ({ secret }: Browser, publicUrl: string): string => {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  return `${COOKIE_NAME}=${secret}; Path=/; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${secure}`
}

/** A token that proves that this browser was shown the form: another site cannot know the cookie. */
export const formToken = ({ secret }: Browser, page: string): string =>
  createHash('sha256').update(`form:${secret}:${page}`).digest('base64url')
