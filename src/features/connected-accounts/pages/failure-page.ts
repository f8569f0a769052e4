import type { ErrorSlug } from '../../../contract/errors/index.ts'
import type { ErrorPage } from '../../../platform/http/server/error-handler.ts'
import { messagePageResponse } from './page-response.ts'

/** Paths that browsers visit: links, approvals, sign-in, short links and the callback of a provider. */
const BROWSER_PATHS =
  /^\/(link|approve|oauth\/(authorize|consent|sign_in)|api\/v3(\.1)?\/(s|toolkits\/auth\/callback))(\/|$)/
const START_AGAIN = 'Go back to the application and start again.'

interface FailureText {
  title: string
  text: string
}

const FAILURE_TEXTS: Partial<Record<ErrorSlug, FailureText>> = {
  HTTP_NotFound: {
    title: 'This page does not exist',
    text: 'Check that the URL is complete, or go back to the application and start again.',
  },
  HTTP_BadRequest: {
    title: 'This URL is not valid',
    text:
      'A part of it is missing or was changed. Copy it again from where you found it, or go back to the application ' +
      'and start again.',
  },
  HTTP_PayloadTooLarge: {
    title: 'The form is too large',
    text:
      'A form can have at most 64 kB. Go back one page, look for a field with the wrong text in it, and send ' +
      'the form again. Nothing was changed.',
  },
  HTTP_UnsupportedMediaType: {
    title: 'Only a form can be sent here',
    text: 'Open the link that you received in a browser, and send the form from there. Nothing was changed.',
  },
  HTTP_ServiceUnavailable: {
    title: 'The server is not available right now',
    text: `Wait a minute. ${START_AGAIN}`,
  },
  ConnectedAccount_NotImplemented: {
    title: 'This server cannot connect this account',
    text: 'The application that sent you here has to use another way to sign in.',
  },
}
const SERVER_FAILURE: FailureText = {
  title: 'Something went wrong on this server',
  text:
    `This is not your fault. ${START_AGAIN} If it happens again, send the request id below to the administrator of ` +
    'this server.',
}

const MISSING_PAGE = {
  tone: 'plain',
  title: 'This page does not exist',
  text: 'Check the URL. The API reference lists what this server can do.',
} as const

const referenceLink = (publicUrl: string) => ({
  url: `${publicUrl.replace(/\/+$/, '')}/reference`,
  label: 'Open the API reference',
})

/**
 * Renders an API error as a page. Returns undefined for paths of the API, and for clients that accept
 * JSON. A browser at a URL where nothing is also receives a page.
 */
export const createFailurePage =
  (publicUrl: string): ErrorPage =>
  ({ path, accept = '', id }, failure) => {
    const acceptsJsonOnly = accept.includes('application/json') && !accept.includes('text/html')
    const isMissingPage =
      failure.slug === 'HTTP_NotFound' && accept.includes('text/html') && !path.startsWith('/api/')
    if (!(BROWSER_PATHS.test(path) || isMissingPage) || acceptsJsonOnly) return undefined
    if (isMissingPage && !BROWSER_PATHS.test(path))
      return messagePageResponse({ ...MISSING_PAGE, link: referenceLink(publicUrl) }, publicUrl, id)
    const known = FAILURE_TEXTS[failure.slug]
    const text =
      known ??
      (failure.status >= 500
        ? SERVER_FAILURE
        : { title: 'The request failed', text: `${failure.message} ${START_AGAIN}` })
    return messagePageResponse({ tone: 'plain', ...text }, publicUrl, id)
  }
