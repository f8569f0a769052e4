import type { ErrorSlug } from '../../../contract/errors/index.ts'
import type { ErrorPage } from '../../../platform/http/server/error-handler.ts'
import { languageOf, type PageText, text, type TextKey, translatorFor } from './language/index.ts'
import { messagePageResponse } from './page-response.ts'

/** Paths that browsers visit: links, approvals, sign-in, short links and the callback of a provider. */
const BROWSER_PATHS =
  /^\/(link|approve|choose|oauth\/(authorize|consent|sign_in)|api\/v3(\.1)?\/(s|toolkits\/auth\/callback))(\/|$)/

interface FailureText {
  title: PageText
  text: PageText
}

const failureText = (title: TextKey, ...sentences: readonly TextKey[]): FailureText => ({
  title: text(title),
  text: sentences.map((sentence) => text(sentence)),
})

const FAILURE_TEXTS: Partial<Record<ErrorSlug, FailureText>> = {
  HTTP_NotFound: failureText('failure.missing', 'link.unknown_text'),
  HTTP_BadRequest: failureText('failure.url', 'failure.url_text'),
  HTTP_PayloadTooLarge: failureText('failure.form_size', 'failure.form_size_text', 'nothing_changed'),
  HTTP_UnsupportedMediaType: failureText('failure.form_only', 'failure.form_only_text', 'nothing_changed'),
  HTTP_ServiceUnavailable: failureText('failure.unavailable', 'failure.unavailable_text', 'start_again'),
  ConnectedAccount_NotImplemented: failureText('failure.not_possible', 'failure.not_possible_text'),
}
const SERVER_FAILURE = failureText(
  'failure.server',
  'failure.server_text',
  'start_again',
  'failure.server_again',
)
const MISSING_PAGE = failureText('failure.missing', 'failure.missing_text')

const referenceLink = (publicUrl: string) => ({
  url: `${publicUrl.replace(/\/+$/, '')}/reference`,
  label: text('failure.reference'),
})

/**
 * Renders an API error as a page, in the language of the reader. Returns undefined for paths of the API, and for
 * clients that accept JSON. A browser at a URL where nothing is also receives a page.
 */
export const createFailurePage =
  (publicUrl: string): ErrorPage =>
  ({ path, headers, query, id }, failure) => {
    const { accept = '' } = headers
    const acceptsJsonOnly = accept.includes('application/json') && !accept.includes('text/html')
    const isMissingPage =
      failure.slug === 'HTTP_NotFound' && accept.includes('text/html') && !path.startsWith('/api/')
    if (!(BROWSER_PATHS.test(path) || isMissingPage) || acceptsJsonOnly) return undefined
    const translator = translatorFor(languageOf({ query, headers }))
    if (isMissingPage && !BROWSER_PATHS.test(path)) {
      const message = { tone: 'plain', ...MISSING_PAGE, link: referenceLink(publicUrl) } as const
      return messagePageResponse(message, publicUrl, id, translator)
    }
    const known = FAILURE_TEXTS[failure.slug]
    const content =
      known ??
      (failure.status >= 500
        ? SERVER_FAILURE
        : { title: text('failure.request'), text: [failure.message, text('start_again')] })
    return messagePageResponse({ tone: 'plain', ...content }, publicUrl, id, translator)
  }
