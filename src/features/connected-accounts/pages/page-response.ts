import { ENGLISH, type Translator } from './language/index.ts'
import type { PageMessage } from './page-outcome.ts'
import { contentSecurityPolicy, imageOriginsOf } from './templates/layout.ts'
import { renderMessagePage } from './templates/message-page.ts'

/**
 * The URL of a page can have a code or a state: it is not sent to the next page, and no cache stores the
 * page.
 */
export const PRIVATE_PAGE_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Headers of every page, with the origins of its images. */
export const pageHeaders = (
  imageOrigins: readonly string[],
  formTargets: readonly string[] = [],
  accentColor?: string | null,
  script?: string,
): Record<string, string> => ({
  ...PRIVATE_PAGE_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy(imageOrigins, formTargets, accentColor, script),
})

/**
 * A page with one message. A failure shows the request id, with which the administrator finds it in the log.
 */
export const messagePageResponse = (
  message: PageMessage,
  publicUrl: string,
  requestId: string | undefined,
  translator: Translator = ENGLISH,
) => ({
  html: renderMessagePage(message, publicUrl, requestId, translator),
  headers: pageHeaders(
    imageOriginsOf(publicUrl, message.branding?.logoUrl),
    [],
    message.branding?.theme?.accentColor,
  ),
})
