import type { Db } from '../../../platform/db/sql.ts'
import { isClientId } from '../clients/service.ts'
import { isSecret } from '../secrets.ts'
import { claimPushedRequest } from './store.ts'

/** What a `request_uri` starts with (RFC 9126 §2.2). */
export const REQUEST_URI_PREFIX = 'urn:ietf:params:oauth:request_uri:'

export interface ClaimedRequest {
  query: URLSearchParams
  isPushed: boolean
}

/**
 * Returns the parameters of an authorization request: those of the query, or those that the client of the query pushed,
 * which are used up. Returns undefined if there is no such pushed request.
 */
export async function claimedRequest(db: Db, query: URLSearchParams): Promise<ClaimedRequest | undefined> {
  const uri = query.get('request_uri')
  if (uri === null) return { query, isPushed: false }
  const secret = uri.startsWith(REQUEST_URI_PREFIX) ? uri.slice(REQUEST_URI_PREFIX.length) : ''
  const clientId = query.get('client_id') ?? ''
  const pushed =
    isSecret('pushedRequest', secret) && isClientId(clientId)
      ? await claimPushedRequest(db, clientId, secret)
      : undefined
  if (!pushed) return undefined
  const parameters = new URLSearchParams(
    pushed.parameters.map(([name, value]): [string, string] => [name, value]),
  )
  if (pushed.dpop_jkt !== null) parameters.set('dpop_jkt', pushed.dpop_jkt)
  return { query: parameters, isPushed: true }
}
