import type * as contract from '../../contract/tools/index.ts'
import type { ProxyCall, ProxyResponse } from '../../engine/index.ts'
import type { Call } from '../../platform/http/call.ts'

// The two proxy operations, in a session and without one, have these fields in common.
type ProxiedRequest = Pick<
  ProxyCall,
  'customConnection' | 'endpoint' | 'method' | 'body' | 'binaryBody' | 'parameters'
>

/** Returns the request to the application that the body of a proxy operation describes. */
export const toProxiedRequest = (
  body: Omit<Call<typeof contract.proxyExecute>['body'], 'connected_account_id' | 'user_id'>,
): ProxiedRequest => ({
  customConnection: body.custom_connection_data,
  endpoint: body.endpoint,
  method: body.method,
  body: body.body,
  binaryBody: body.binary_body,
  parameters: body.parameters,
})

/** Returns the response of the application as the API has it. */
export function presentProxyResponse({ status, headers, data, file }: ProxyResponse) {
  if (!file) return { status, headers, data }
  const { url, mimetype, size, expiresAt } = file
  return { status, headers, binary_data: { url, content_type: mimetype, size, expires_at: expiresAt } }
}
