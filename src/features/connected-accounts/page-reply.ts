import type { Message } from './outcome.ts'
import { originsOf, policyFor } from './pages/layout.ts'
import { messagePage } from './pages/message-page.ts'

/** Nothing of the address, which held a code or a state, goes on to the next page; nothing is kept. */
export const PRIVATE = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Headers of every page, with the origins that pictures come from. */
export const pageHeaders = (
  imageOrigins: readonly string[],
  formTargets: readonly string[] = [],
): Record<string, string> => ({
  ...PRIVATE,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policyFor(imageOrigins, formTargets),
})

/** A page with one message; one that tells of a failure names the request, by which the operator finds it in the log. */
export const messageReply = (message: Message, publicUrl: string, requestId: string | undefined) => ({
  html: messagePage(message, publicUrl, requestId),
  headers: pageHeaders(originsOf(publicUrl, message.branding?.logoUrl)),
})
