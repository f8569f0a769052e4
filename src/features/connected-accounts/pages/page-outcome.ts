import type { ProjectBranding } from '../deps.ts'
import type { Browser } from './browser-cookie.ts'

/** A page with one message. All texts are escaped when they are rendered. */
export interface PageMessage {
  tone: 'good' | 'bad' | 'plain'
  title: string
  text: string
  /** A text for the user to copy. */
  copy?: string
  /** Details for support, such as the message of the provider; collapsed at first. */
  detail?: { label: string; text: string }
  branding?: ProjectBranding
  toolkit?: { slug: string; name: string }
  /** The URL to which the browser continues automatically. */
  continueTo?: { url: string; label: string; afterSeconds?: number }
  /** A page that the user can open. */
  link?: { url: string; label: string }
}

/** The response to a browser. */
export type PageOutcome =
  /** `browser` gets a cookie, so that the next page recognizes it. */
  | { kind: 'redirect'; url: string; browser?: Browser | undefined }
  | { kind: 'message'; status: number; message: PageMessage }
  | {
      kind: 'html'
      status: number
      html: string
      imageOrigins: readonly string[]
      /** Origins other than this server to which the form of the page may lead. */
      formTargets?: readonly string[]
      /** The accent colour of the project, whose style the page contains. */
      accentColor?: string | null | undefined
    }

export const messageOutcome = (status: number, message: PageMessage): PageOutcome => ({
  kind: 'message',
  status,
  message,
})
const plainPage = (status: number, title: string, text: string): PageOutcome =>
  messageOutcome(status, { tone: 'plain', title, text })

const START_AGAIN = 'Go back to the application and start again.'

export const EXPIRED_LINK = plainPage(
  410,
  'This link has expired',
  `A connection has to be finished within ten minutes, and a link works once. ${START_AGAIN}`,
)
export const UNKNOWN_LINK = plainPage(
  404,
  'This link does not exist',
  'Check that the URL is complete, or go back to the application and start again.',
)
export const STATE_MISSING = plainPage(
  400,
  'The response of the provider is incomplete',
  `The provider sent you back without a state, so this connection cannot be identified. ${START_AGAIN}`,
)
export const WRONG_BROWSER = plainPage(
  403,
  'You started in a different browser',
  'A connection has to be finished in the browser in which it was started, with cookies allowed. Nothing was ' +
    'changed. Go back to the application in this browser and start again.',
)
export const WRONG_REDIRECT_URI = plainPage(
  400,
  'The response came to the wrong URL',
  'The provider sent you back to a URL that belongs to another connection, so nothing was connected. If you did not ' +
    `expect this, someone may have tried to mix up two connections. ${START_AGAIN}`,
)
/** For a provider that returns no state, so that only the browser identifies the connection. */
export const NO_FLOW_IN_BROWSER = plainPage(
  404,
  'No connection was started in this browser',
  'An installation that was started elsewhere cannot be assigned to a user, so nothing was connected. Go to the ' +
    'application, start the connection there, and install from the page that it opens, within ten minutes and in ' +
    'this browser.',
)
export const SEVERAL_FLOWS_IN_BROWSER = plainPage(
  409,
  'Several connections were started in this browser',
  'It is not clear which of them this installation belongs to, so nothing was connected. Wait ten minutes, or ' +
    'go back to the application and start again.',
)
export const MISSING_FORM_COOKIE = plainPage(
  403,
  'This form was not opened in this browser',
  'Allow cookies for this site, open the link again, and send the form from there. Nothing was changed.',
)
