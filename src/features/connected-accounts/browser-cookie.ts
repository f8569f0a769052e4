import { createHash } from 'node:crypto'
import { randomText } from '../../platform/ids.ts'

const NAME = 'patchbay_browser'
/** 256 bits. */
const CHARACTERS = 43
const SECONDS = 3_600
const SHAPE = new RegExp(`(?:^|;\\s*)${NAME}=([A-Za-z0-9]{${CHARACTERS}})(?=\\s*(?:;|$))`)

/** A browser, by the random value that it keeps in a cookie for an hour. */
export interface Browser {
  secret: string
  hash: Buffer
}

const browser = (secret: string): Browser => ({ secret, hash: createHash('sha256').update(secret).digest() })

/** The browser that sent these cookies; undefined when it was not here before, or keeps no cookies. */
export function knownBrowser(cookies: string | undefined): Browser | undefined {
  const secret = SHAPE.exec(cookies?.slice(0, 16_384) ?? '')?.[1]
  return secret === undefined ? undefined : browser(secret)
}

/** As `knownBrowser`, or a new one. A known one keeps its value, so that two connections in two tabs both end well. */
export const anyBrowser = (cookies: string | undefined): Browser =>
  knownBrowser(cookies) ?? browser(randomText(CHARACTERS))

/** Lax: the browser brings it along when the provider sends the user back, and leaves it out of whatever a foreign page does behind their back. */
export const cookieFor = ({ secret }: Browser, publicUrl: string): string =>
  `${NAME}=${secret}; Path=/; Max-Age=${SECONDS}; HttpOnly; SameSite=Lax${publicUrl.startsWith('https:') ? '; Secure' : ''}`

/** Proves that a form was shown to this browser: a foreign page can send the browser here, but cannot know its cookie. */
export const formToken = ({ secret }: Browser, page: string): string =>
  createHash('sha256').update(`form:${secret}:${page}`).digest('base64url')
