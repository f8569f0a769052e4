import { type Egress, EgressError } from '../../platform/egress/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Whether events may be sent to a URL, as far as the URL itself tells; what its name resolves to is judged at every connection.
 * @throws ApiError WebhookSubscription_AddressRefused
 */
export function checkAddress(egress: Egress, text: string): void {
  const refuse = (reason: string, cause?: unknown) =>
    new ApiError(
      'WebhookSubscription_AddressRefused',
      `Events are not sent to this webhook_url: ${reason}.`,
      { cause },
    )
  const url = URL.parse(text)
  if (!url) throw refuse('it is not a URL')
  if (url.username !== '' || url.password !== '')
    throw refuse('there are credentials in it; deliveries are signed instead')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname)))
    throw refuse('it does not begin with https://')
  if (url.hash !== '') throw refuse('a receiver never sees what stands after #')
  try {
    egress.check(url)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw refuse('it is not a public address, and EGRESS_ALLOW does not open it', error)
  }
}
