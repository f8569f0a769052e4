import { messageOutcome, type PageOutcome, type PageText, text } from '../../connected-accounts/index.ts'

/** A page with a title and one paragraph. */
export const messagePage = (status: number, title: PageText, paragraph: PageText): PageOutcome =>
  messageOutcome(status, { tone: 'plain', title, text: paragraph })

export const UNKNOWN_RESOURCE = messagePage(400, text('signin.nothing'), text('signin.nothing_text'))
export const TOO_MANY_REQUESTS = messagePage(429, text('signin.too_many'), text('signin.too_many_text'))
export const REQUEST_ENDED = messagePage(410, text('signin.ended'), text('signin.ended_text'))
export const LINK_ENDED = messagePage(410, text('link.expired'), text('signin.link_ended_text'))
