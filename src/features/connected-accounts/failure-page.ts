import type { ErrorSlug } from '../../contract/errors.ts'
import type { FailurePage } from '../../platform/http/server.ts'
import { messageReply } from './page-reply.ts'

/** Addresses that browsers visit: links, approvals, short links and the way back from a provider. */
const BROWSER_PATHS =
  /^\/(link|approve|oauth\/(authorize|consent|sign_in)|api\/v3(\.1)?\/(s|toolkits\/auth\/callback))(\/|$)/
const START_AGAIN = 'Go back to the application and start again.'

interface Words {
  title: string
  text: string
}

const WORDS: Partial<Record<ErrorSlug, Words>> = {
  HTTP_NotFound: {
    title: 'There is nothing at this address',
    text: 'Check that the address is complete, or go back to the application and start again.',
  },
  HTTP_BadRequest: {
    title: 'This address cannot be read',
    text: 'Some of it is missing or was changed on its way. Copy it again from where you found it, or go back to the application and start again.',
  },
  HTTP_PayloadTooLarge: {
    title: 'That is too much text',
    text: 'A form may hold 64 kB. Go back one page, look for a field with the wrong text in it, and send the form again. Nothing was changed.',
  },
  HTTP_UnsupportedMediaType: {
    title: 'Only a form can be sent here',
    text: 'Open the link that you were given in a browser, and send the form from there. Nothing was changed.',
  },
  HTTP_ServiceUnavailable: {
    title: 'The server is not available right now',
    text: `Wait a minute. ${START_AGAIN}`,
  },
  HTTP_NotImplemented: {
    title: 'This server cannot connect that',
    text: 'Whoever sent you here has to choose another way to sign in.',
  },
}
const OURS: Words = {
  title: 'Something went wrong on this server',
  text: `That is not your fault. ${START_AGAIN} If it happens again, tell whoever runs this server the request id below.`,
}

/** What a browser is shown in place of an error of the API; undefined for other addresses, and for programs that ask for JSON. */
export const failurePage =
  (publicUrl: string): FailurePage =>
  ({ path, accept = '', id }, failure) => {
    if (!BROWSER_PATHS.test(path) || (accept.includes('application/json') && !accept.includes('text/html')))
      return undefined
    const words =
      WORDS[failure.slug] ??
      (failure.status >= 500
        ? OURS
        : { title: 'This did not work', text: `${failure.message} ${START_AGAIN}` })
    return messageReply({ tone: 'plain', ...words }, publicUrl, id)
  }
