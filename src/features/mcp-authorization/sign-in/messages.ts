import { messageOutcome, type PageOutcome } from '../../connected-accounts/index.ts'

/** A page with a title and one paragraph. */
export const messagePage = (status: number, title: string, text: string): PageOutcome =>
  messageOutcome(status, { tone: 'plain', title, text })

export const UNKNOWN_RESOURCE = messagePage(
  400,
  'There is nothing to sign in for',
  'The URL in the program is not the URL of an MCP server or session, or it was deleted. Check the URL ' +
    'in the program, then connect again.',
)
export const TOO_MANY_REQUESTS = messagePage(
  429,
  'Too many open sign-ins',
  'Too many sign-ins were started from this network and not finished. Wait 15 minutes, then connect again.',
)
export const REQUEST_ENDED = messagePage(
  410,
  'This sign-in has ended',
  'It is already finished, or was open for more than 15 minutes. Connect again in the program.',
)
export const LINK_ENDED = messagePage(
  410,
  'This link has expired',
  'A sign-in link works once, for ten minutes. Request a new link from the application that gave you this one.',
)
