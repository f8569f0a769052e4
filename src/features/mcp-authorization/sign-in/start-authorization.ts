import { type Browser, type PageOutcome, text } from '../../connected-accounts/index.ts'
import { clientNetwork } from '../clients/client-network.ts'
import { isRegisteredRedirectUri, withParameters } from '../clients/redirect-uris.ts'
import type { OAuthClient, OAuthClients } from '../clients/service.ts'
import type { McpAuthorizationDeps } from '../deps.ts'
import { OAUTH_PATHS } from '../metadata.ts'
import { OAuthRequestError } from '../oauth-error.ts'
import { findResource, readResource } from '../resources.ts'
import { hashSecret } from '../secrets.ts'
import { messagePage, TOO_MANY_REQUESTS, UNKNOWN_RESOURCE } from './messages.ts'
import { requestErrorPage } from './pages.ts'
import { readAuthorizationParameters } from './request-parameters.ts'
import * as store from './store.ts'

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
  const { db, resourceKinds, publicUrl } = deps
  const resources = query.getAll('resource')
  const reference =
    resources.length === 1 ? readResource(resourceKinds, publicUrl, resources[0] as string) : undefined
  const resource = reference && (await findResource(resourceKinds, reference))
  if (!reference || !resource || !(await deps.findProject(resource.projectId))) return UNKNOWN_RESOURCE
  const client = await findClient(clients, query.get('client_id') ?? '', ip)
  if (client instanceof OAuthRequestError) return unknownClientPage(client)
  const redirectUri = chooseRedirectUri(client, query)
  if (redirectUri === undefined) return WRONG_REDIRECT_URI
  const parameters = readAuthorizationParameters(query)
  if ('error' in parameters) {
    const { error, description, state } = parameters
    const url = withParameters(redirectUri, {
      error,
      error_description: description,
      state,
      iss: publicUrl,
    })
    return requestErrorPage(publicUrl, description, redirectUri, url)
  }
  const id = await store.insertRequest(db, {
    project_id: resource.projectId,
    resource_kind: reference.kind,
    resource_id: reference.id,
    requested_user_id: resource.userId ?? reference.userId ?? null,
    client_id: client.id,
    client_name: client.name,
    redirect_uri: redirectUri,
    state: parameters.state,
    code_challenge: parameters.challenge,
    browser_hash: browser.hash,
    source_hash: hashSecret(clientNetwork(ip)),
  })
  return id === undefined
    ? TOO_MANY_REQUESTS
    : { kind: 'redirect', url: `${publicUrl}${OAUTH_PATHS.consent}/${id}` }
}

const WRONG_REDIRECT_URI = messagePage(400, text('request.wrong_url'), text('request.wrong_url_text'))

const unknownClientPage = ({ status, message }: OAuthRequestError): PageOutcome =>
  status >= 429
    ? messagePage(status, text('request.too_many'), message)
    : messagePage(400, text('request.unregistered'), [message, text('request.unregistered_text')])

const findClient = (
  clients: OAuthClients,
  id: string,
  ip: string,
): Promise<OAuthClient | OAuthRequestError> =>
  clients.find(id, ip).catch((error: unknown) => {
    if (error instanceof OAuthRequestError) return error
    throw error
  })

function chooseRedirectUri({ redirectUris }: OAuthClient, query: URLSearchParams): string | undefined {
  const [requested, ...others] = query.getAll('redirect_uri')
  if (requested === undefined) return redirectUris.length === 1 ? redirectUris[0] : undefined
  return others.length === 0 && isRegisteredRedirectUri(redirectUris, requested) ? requested : undefined
}
