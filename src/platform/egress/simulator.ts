import { portOf, targetOf } from './request-url.ts'
import type { AllowRule } from './allow-rules.ts'
import { parseAllowRules } from './allow-rules.ts'
import type { Egress, EgressRequest } from './types.ts'

/** Below this path a simulator answers for other addresses: `/_at/https/api.example.com/things`. */
const AT = '/_at'

/** What has to be open so that a simulator is reached: itself. */
export function simulatorRules(simulator: string): AllowRule[] {
  const url = new URL(simulator)
  return parseAllowRules(`${url.hostname}:${portOf(url)}`)
}

/**
 * The way out when there is a simulator: every request goes there, under the address that it was meant for, and none anywhere else. Only who runs the server
 * chooses this. Proxies are left out, redirects not followed.
 */
export function toSimulator(egress: Egress, simulator: string): Egress {
  const own = new URL(simulator).origin
  return {
    ...egress,
    async send({ proxy: _proxy, ...request }: EgressRequest) {
      const url = targetOf(request.url)
      if (url.origin === own) return egress.send(request)
      const headers = Object.fromEntries(
        Object.entries(request.headers ?? {}).filter(([name]) => name.toLowerCase() !== 'host'),
      )
      const answer = await egress.send({
        ...request,
        headers,
        maxRedirects: 0,
        url: `${simulator}${AT}/${url.protocol.slice(0, -1)}/${url.host}${url.pathname}${url.search}`,
      })
      return { ...answer, url: url.href }
    },
  }
}
