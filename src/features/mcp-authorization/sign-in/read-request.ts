import { isRegisteredRedirectUri } from '../clients/redirect-uris.ts'
import type { OAuthClient, OAuthClients } from '../clients/service.ts'
import type { McpAuthorizationDeps } from '../deps.ts'
import { OAuthRequestError } from '../oauth-error.ts'
import { findResource, readResource, type ResourceDetails, type ResourceReference } from '../resources.ts'
import {
  type AuthorizationFault,
  type AuthorizationParameters,
  readAuthorizationParameters,
} from './request-parameters.ts'

/** A valid authorization request. */
export interface AuthorizationRequest {
  client: OAuthClient
  redirectUri: string
  reference: ResourceReference
  resource: ResourceDetails
  parameters: AuthorizationParameters
}

/** Why a request is rejected. Only the last kind may be reported to the client: the others may come from anywhere. */
export type RequestRejection =
  | { reason: 'unknown_resource' }
  | { reason: 'unknown_client'; error: OAuthRequestError }
  | { reason: 'wrong_redirect_uri' }
  | { reason: 'invalid'; fault: AuthorizationFault; redirectUri: string }

/** Reads an authorization request, whether a browser brought it or the client pushed it. */
export async function readAuthorizationRequest(
  { resourceKinds, publicUrl, findProject }: McpAuthorizationDeps,
  findClient: (id: string) => Promise<OAuthClient | OAuthRequestError>,
  query: URLSearchParams,
): Promise<AuthorizationRequest | RequestRejection> {
  const resources = query.getAll('resource')
  const reference =
    resources.length === 1 ? readResource(resourceKinds, publicUrl, resources[0] as string) : undefined
  const resource = reference && (await findResource(resourceKinds, reference))
  if (!reference || !resource || !(await findProject(resource.projectId)))
    return { reason: 'unknown_resource' }
  const client = await findClient(query.get('client_id') ?? '')
  if (client instanceof Error) return { reason: 'unknown_client', error: client }
  const redirectUri = chooseRedirectUri(client, query)
  if (redirectUri === undefined) return { reason: 'wrong_redirect_uri' }
  const parameters = readAuthorizationParameters(query)
  if ('error' in parameters) return { reason: 'invalid', fault: parameters, redirectUri }
  return { client, redirectUri, reference, resource, parameters }
}

/** Looks up a client; returns the reason if there is none. */
export const clientFinder =
  (clients: OAuthClients, ip: string) =>
  (id: string): Promise<OAuthClient | OAuthRequestError> =>
    clients.find(id, ip).catch((error: unknown) => {
      if (error instanceof OAuthRequestError) return error
      throw error
    })

function chooseRedirectUri({ redirectUris }: OAuthClient, query: URLSearchParams): string | undefined {
  const [requested, ...others] = query.getAll('redirect_uri')
  if (requested === undefined) return redirectUris.length === 1 ? redirectUris[0] : undefined
  return others.length === 0 && isRegisteredRedirectUri(redirectUris, requested) ? requested : undefined
}
