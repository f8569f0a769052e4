import { allowRuleOf, type Egress, EgressError } from '../../../platform/egress/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Checks whether events may be sent to a URL, by the URL alone. The IP addresses of its host are checked at every
 * connection. @throws ApiError WebhookSubscription_AddressRefused
 */
export function checkWebhookUrl(egress: Egress, text: string): void {
  const reject = (reason: string, cause?: unknown) =>
    new ApiError('WebhookSubscription_AddressRefused', `webhook_url cannot receive events: ${reason}.`, {
      cause,
    })
  const url = URL.parse(text)
  if (!url) throw reject('it is not a URL')
  if (url.username !== '' || url.password !== '')
    throw reject('it contains credentials. Remove them; deliveries are signed instead')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname)))
    throw reject('it does not start with https://')
  if (url.hash !== '') throw reject('it has a fragment (#), which a receiver never sees')
  try {
    egress.check(url)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw reject(
      `its host is not public. The administrator can allow it: add ${allowRuleOf(url)} to the setting ` +
        'EGRESS_ALLOW, and restart the server',
      error,
    )
  }
}
