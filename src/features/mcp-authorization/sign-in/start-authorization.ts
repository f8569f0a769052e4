import { type Browser, type PageOutcome, text } from '../../connected-accounts/index.ts'
import { clientNetwork } from '../clients/client-network.ts'
import { withParameters } from '../clients/redirect-uris.ts'
import type { OAuthClients } from '../clients/service.ts'
import type { McpAuthorizationDeps } from '../deps.ts'
import { OAUTH_PATHS } from '../metadata.ts'
import type { OAuthRequestError } from '../oauth-error.ts'
import { claimedRequest } from '../pushed-requests/claimed-request.ts'
import { hashSecret } from '../secrets.ts'
import { messagePage, REQUEST_ENDED, TOO_MANY_REQUESTS, UNKNOWN_RESOURCE } from './messages.ts'
import { requestErrorPage } from './pages.ts'
import {
  type AuthorizationRequest,
  clientFinder,
  readAuthorizationRequest,
  type RequestRejection,
} from './read-request.ts'
import type { AuthorizationFault } from './request-parameters.ts'
import * as store from './store.ts'

/** The parameters that are read of a request that was pushed. */
const REFERENCE_PARAMETERS = ['request_uri', 'client_id'] as const
const AMBIGUOUS_REFERENCE = messagePage(
  400,
  text('request.invalid'),
  'request_uri or client_id is given more than once.',
)

/**
 * Handles a request to the authorization endpoint: stores it and redirects to the consent page. Nothing is sent to a
 * redirect URI that the client did not register.
 */
export async function startAuthorization(
  deps: McpAuthorizationDeps,
  clients: OAuthClients,
  query: URLSearchParams,
  browser: Browser,
  ip: string,
): Promise<PageOutcome> {
  if (query.has('request_uri') && REFERENCE_PARAMETERS.some((name) => query.getAll(name).length > 1))
    return AMBIGUOUS_REFERENCE
  const claimed = await claimedRequest(deps.db, query)
  if (!claimed) return REQUEST_ENDED
  const request = await readAuthorizationRequest(deps, clientFinder(clients, ip), claimed.query)
  if ('reason' in request) return rejectionPage(deps.publicUrl, request)
  const { client, redirectUri, parameters } = request
  if (client.requiresPushedRequests && !claimed.isPushed)
    return faultPage(deps.publicUrl, redirectUri, {
      error: 'invalid_request',
      description: 'The program registered that it pushes its authorization requests (RFC 9126).',
      state: parameters.state,
    })
  const id = await insertRequest(deps, request, browser, ip)
  return id === undefined
    ? TOO_MANY_REQUESTS
    : { kind: 'redirect', url: `${deps.publicUrl}${OAUTH_PATHS.consent}/${id}` }
}

const insertRequest = (
  { db }: McpAuthorizationDeps,
  { client, redirectUri, reference, resource, parameters }: AuthorizationRequest,
  browser: Browser,
  ip: string,
): Promise<string | undefined> =>
  store.insertRequest(db, {
    project_id: resource.projectId,
    resource_kind: reference.kind,
    resource_id: reference.id,
    requested_user_id: resource.userId ?? reference.userId ?? null,
    client_id: client.id,
    client_name: client.name,
    redirect_uri: redirectUri,
    state: parameters.state,
    code_challenge: parameters.challenge,
    prompt: parameters.prompt,
    dpop_jkt: parameters.dpopThumbprint,
    requires_dpop: client.requiresDpop,
    client_auth: client.authMethod,
    browser_hash: browser.hash,
    source_hash: hashSecret(clientNetwork(ip)),
  })

const WRONG_REDIRECT_URI = messagePage(400, text('request.wrong_url'), text('request.wrong_url_text'))

function rejectionPage(publicUrl: string, rejection: RequestRejection): PageOutcome {
  switch (rejection.reason) {
    case 'unknown_resource':
      return UNKNOWN_RESOURCE
    case 'unknown_client':
      return unknownClientPage(rejection.error)
    case 'wrong_redirect_uri':
      return WRONG_REDIRECT_URI
    case 'invalid':
      return faultPage(publicUrl, rejection.redirectUri, rejection.fault)
  }
}

function faultPage(
  publicUrl: string,
  redirectUri: string,
  { error, description, state }: AuthorizationFault,
): PageOutcome {
  const url = withParameters(redirectUri, { error, error_description: description, state, iss: publicUrl })
  return requestErrorPage(publicUrl, description, redirectUri, url)
}

const unknownClientPage = ({ status, message }: OAuthRequestError): PageOutcome =>
  status >= 429
    ? messagePage(status, text('request.too_many'), message)
    : messagePage(400, text('request.unregistered'), [message, text('request.unregistered_text')])
