import type { ProjectBranding } from '../deps.ts'
import type { Browser } from './browser-cookie.ts'
import { type PageText, text, type TextKey, type Translator } from './language/index.ts'

/** A page with one message. All texts are escaped when they are rendered. */
export interface PageMessage {
  tone: 'good' | 'bad' | 'plain'
  title: PageText
  text: PageText
  /** A text for the user to copy. */
  copy?: string
  /** Details for support, such as the message of the provider; collapsed at first. */
  detail?: { label: PageText; text: string }
  branding?: ProjectBranding
  toolkit?: { slug: string; name: string }
  /** The URL to which the browser continues automatically. */
  continueTo?: { url: string; label: PageText; afterSeconds?: number }
  /** A page that the user can open. */
  link?: { url: string; label: PageText }
}

/** The response to a browser. */
export type PageOutcome =
  /** `browser` gets a cookie, so that the next page recognizes it. */
  | { kind: 'redirect'; url: string; browser?: Browser | undefined }
  | { kind: 'message'; status: number; message: PageMessage }
  | {
      kind: 'html'
      status: number
      render(translator: Translator): string
      imageOrigins: readonly string[]
      /** Origins other than this server to which the form of the page may lead. */
      formTargets?: readonly string[]
      /** The accent colour of the project, whose style the page contains. */
      accentColor?: string | null | undefined
      /** The only script of the page. */
      script?: string
    }

export const messageOutcome = (status: number, message: PageMessage): PageOutcome => ({
  kind: 'message',
  status,
  message,
})
const plainPage = (status: number, key: TextKey, ...sentences: readonly TextKey[]): PageOutcome =>
  messageOutcome(status, {
    tone: 'plain',
    title: text(key),
    text: sentences.map((sentence) => text(sentence)),
  })

export const EXPIRED_LINK = plainPage(410, 'link.expired', 'link.expired_text', 'start_again')
export const UNKNOWN_LINK = plainPage(404, 'link.unknown', 'link.unknown_text')
export const STATE_MISSING = plainPage(400, 'link.no_state', 'link.no_state_text', 'start_again')
export const WRONG_BROWSER = plainPage(403, 'link.wrong_browser', 'link.wrong_browser_text')
export const WRONG_REDIRECT_URI = plainPage(400, 'link.wrong_url', 'link.wrong_url_text', 'start_again')
/** For a provider that returns no state, so that only the browser identifies the connection. */
export const NO_FLOW_IN_BROWSER = plainPage(404, 'link.none_started', 'link.none_started_text')
export const SEVERAL_FLOWS_IN_BROWSER = plainPage(409, 'link.several_started', 'link.several_started_text')
export const MISSING_FORM_COOKIE = plainPage(403, 'link.no_cookie', 'link.no_cookie_text')
