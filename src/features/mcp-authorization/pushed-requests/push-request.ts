import { clientNetwork } from '../clients/client-network.ts'
import type { ClientRequest, RequestProof } from '../client-request.ts'
import type { OAuthClients } from '../clients/service.ts'
import type { McpAuthorizationDeps } from '../deps.ts'
import { OAuthRequestError } from '../oauth-error.ts'
import { hashSecret } from '../secrets.ts'
import { clientFinder, readAuthorizationRequest, type RequestRejection } from '../sign-in/read-request.ts'
import { REQUEST_PARAMETERS } from '../sign-in/request-parameters.ts'
import { REQUEST_URI_PREFIX } from './claimed-request.ts'
import { insertPushedRequest, PUSHED_REQUEST_SECONDS } from './store.ts'

/**
 * Handles a request to the endpoint for pushed authorization requests (RFC 9126): checks everything that the
 * authorization endpoint would, and stores it.
 * @param proof the code is bound to its key
 * @throws OAuthRequestError
 */
export async function pushRequest(
  deps: McpAuthorizationDeps,
  clients: OAuthClients,
  request: ClientRequest,
  proof: RequestProof | undefined,
): Promise<Record<string, unknown>> {
  const client = await clients.authenticate(request)
  await proof?.use()
  const { form, ip } = request
  if (form['request_uri'] !== undefined)
    throw new OAuthRequestError('invalid_request', 'request_uri cannot be pushed.')
  if (proof && (form['dpop_jkt'] ?? proof.thumbprint) !== proof.thumbprint)
    throw new OAuthRequestError(
      'invalid_dpop_proof',
      'dpop_jkt is not the thumbprint of the key of the DPoP proof.',
    )
  const parameters = new URLSearchParams({ ...pickParameters(form), client_id: client.id })
  const read = await readAuthorizationRequest(deps, clientFinder(clients, ip), parameters)
  if ('reason' in read) throw toError(read)
  if (read.client.authMethod !== client.method)
    throw new OAuthRequestError(
      'invalid_client',
      `The client must authenticate with ${read.client.authMethod}.`,
    )
  const secret = await insertPushedRequest(
    deps.db,
    client.id,
    { parameters: [...parameters], dpop_jkt: proof?.thumbprint ?? null },
    hashSecret(clientNetwork(ip)),
  )
  if (secret === undefined)
    throw new OAuthRequestError(
      'slow_down',
      'Too many requests of this network wait for a browser. Try again later.',
    )
  return { request_uri: REQUEST_URI_PREFIX + secret, expires_in: PUSHED_REQUEST_SECONDS }
}

const pickParameters = (form: ClientRequest['form']): Record<string, string> =>
  Object.fromEntries(
    REQUEST_PARAMETERS.flatMap((name) => (form[name] === undefined ? [] : [[name, form[name]]])),
  )

function toError(rejection: RequestRejection): OAuthRequestError {
  switch (rejection.reason) {
    case 'unknown_resource':
      return new OAuthRequestError('invalid_target', 'resource must be the URL of an MCP server or session.')
    case 'unknown_client':
      return rejection.error
    case 'wrong_redirect_uri':
      return new OAuthRequestError('invalid_request', 'redirect_uri must be one that the client registered.')
    case 'invalid':
      return new OAuthRequestError(rejection.fault.error, rejection.fault.description)
  }
}
