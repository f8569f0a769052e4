import type { Browser } from './browser-cookie.ts'
import type { Branding } from './deps.ts'

/** A page with one message. Every text is escaped when it is shown. */
export interface Message {
  tone: 'good' | 'bad' | 'plain'
  title: string
  text: string
  /** To be copied as it stands. */
  copy?: string
  /** What the provider said, or another detail that helps whoever is asked for help; it is folded away. */
  detail?: { label: string; text: string }
  branding?: Branding
  toolkit?: { slug: string; name: string }
  /** Where the browser goes on to, at once. */
  onward?: { url: string; label: string; afterSeconds?: number }
}

/** How the visit of a browser ends. */
export type Outcome =
  /** With `browser`, whoever goes on there is told who it is from now on. */
  | { kind: 'redirect'; url: string; browser?: Browser }
  | { kind: 'message'; status: number; message: Message }
  | {
      kind: 'html'
      status: number
      html: string
      imageOrigins: readonly string[]
      /** Where its form may lead besides this server. */ formTargets?: readonly string[]
    }

export const message = (status: number, content: Message): Outcome => ({
  kind: 'message',
  status,
  message: content,
})
const plain = (status: number, title: string, text: string): Outcome =>
  message(status, { tone: 'plain', title, text })

const START_AGAIN = 'Go back to the application and start again.'
export const EXPIRED_LINK = plain(
  410,
  'This link has expired',
  `A connection has to be finished within ten minutes, and a link works once. ${START_AGAIN}`,
)
export const UNKNOWN_LINK = plain(
  404,
  'This link is not known',
  'Check that the address is complete, or go back to the application and start again.',
)
export const NO_STATE = plain(
  400,
  'Something is missing',
  `The provider sent you back without a state, so this connection cannot be told from others. ${START_AGAIN}`,
)
export const OTHER_BROWSER = plain(
  403,
  'This is not the browser that you began in',
  'A connection has to be finished in the browser in which it was begun, with cookies allowed. Nothing was changed. Go back to the application in this browser and start again.',
)
/** For a provider that brings no state: the browser has to say which connection it is. */
export const NOTHING_BEGUN = plain(
  404,
  'No connection was begun in this browser',
  'An installation that was begun elsewhere cannot be told from that of somebody else, so nothing was connected. Go to the application, begin the connection there, and install from the page that it leads to, within ten minutes and in this browser.',
)
export const SEVERAL_BEGUN = plain(
  409,
  'Several connections were begun in this browser',
  'It is not clear which of them this installation belongs to, so nothing was connected. Wait ten minutes, or go back to the application and start again.',
)
export const NO_COOKIE = plain(
  403,
  'This form was not opened in this browser',
  'Allow cookies for this address, open the link once more, and send the form from there. Nothing was changed.',
)
