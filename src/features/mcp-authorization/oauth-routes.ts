import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  sendPage,
  readBrowserCookie,
  type PageOutcome,
  rememberBrowser,
  acceptFormBodies,
} from '../connected-accounts/index.ts'
import { type OAuthClients, createOAuthClients } from './clients/service.ts'
import type { McpAuthorizationDeps } from './deps.ts'
import { OAUTH_PATHS, RESOURCE_METADATA_PATH, resourceMetadata, serverMetadata } from './metadata.ts'
import { oauthEndpoints } from './oauth-endpoints.ts'
import { completeProviderSignIn, startProviderSignIn } from './openid/sign-in.ts'
import { isResourcePath } from './resources.ts'
import { showConsent, submitConsent } from './sign-in/consent.ts'
import { submitProjectKey } from './sign-in/project-key.ts'
import { showSignInLink, submitSignInLink } from './sign-in/sign-in-link.ts'
import { startAuthorization } from './sign-in/start-authorization.ts'

const METADATA_PATHS = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
] as const
const queryParameters = ({ url }: FastifyRequest): URLSearchParams => new URL(url, 'http://any').searchParams

/**
 * Registers the OAuth authorization server, which protects the MCP endpoints of this server: the endpoints that MCP
 * clients call, and the pages that their users open.
 */
export function mcpOAuthRoutes(app: FastifyInstance, deps: McpAuthorizationDeps): void {
  const clients = createOAuthClients(deps)
  metadataRoutes(app, deps)
  pageRoutes(app, deps, clients)
  oauthEndpoints(app, deps, clients)
}

function metadataRoutes(app: FastifyInstance, { publicUrl, resourceKinds }: McpAuthorizationDeps): void {
  const base = new URL(publicUrl).pathname.replace(/\/+$/, '')
  const server = serverMetadata(publicUrl)
  // If PUBLIC_URL has a path, RFC 8414 and OpenID Connect put it at different ends of the URL.
  for (const url of new Set(METADATA_PATHS.flatMap((path) => [path, path + base])))
    app.get(url, async (_request, reply) => reply.header('cache-control', 'public, max-age=300').send(server))
  // Every path with the form of a resource gets a response, so that it does not reveal whether the resource exists.
  app.get<{ Params: { '*': string } }>(`${RESOURCE_METADATA_PATH}/*`, async (request, reply) => {
    const { pathname, search } = new URL(request.url, 'http://any')
    const resourcePath = pathname.slice(RESOURCE_METADATA_PATH.length)
    const path = base && resourcePath.startsWith(`${base}/`) ? resourcePath.slice(base.length) : resourcePath
    if (!isResourcePath(resourceKinds, path)) return reply.callNotFound()
    return reply
      .header('cache-control', 'public, max-age=300')
      .send(resourceMetadata(publicUrl, path + search))
  })
}

type Id = { Params: { id: string }; Body: Record<string, string> | undefined }

const pageTools = (deps: McpAuthorizationDeps) => ({
  page: (reply: FastifyReply, outcome: PageOutcome) => sendPage(reply, deps, outcome),
  browserOf: ({ cookie }: { cookie?: string | undefined }) => readBrowserCookie(cookie, deps.publicUrl),
})

/** Registers the redirects to the OpenID provider of a project, and back. */
function providerRoutes(app: FastifyInstance, deps: McpAuthorizationDeps): void {
  const { page, browserOf } = pageTools(deps)
  app.get<Id>(`${OAUTH_PATHS.consent}/:id/openid`, async (request, reply) =>
    page(
      reply,
      await startProviderSignIn(
        deps,
        request.params.id,
        browserOf(request.headers),
        queryParameters(request).has('again'),
      ),
    ),
  )
  app.get<Id>(`${OAUTH_PATHS.openIdCallback}/:id`, async (request, reply) =>
    page(
      reply,
      await completeProviderSignIn(
        deps,
        request.params.id,
        new URL(request.url, deps.publicUrl),
        browserOf(request.headers),
      ),
    ),
  )
}

/** Registers the pages that browsers open. */
function pageRoutes(app: FastifyInstance, deps: McpAuthorizationDeps, clients: OAuthClients): void {
  const { page, browserOf } = pageTools(deps)
  providerRoutes(app, deps)
  app.get(OAUTH_PATHS.authorize, async (request, reply) =>
    page(
      reply,
      await startAuthorization(
        deps,
        clients,
        queryParameters(request),
        rememberBrowser(request, reply, deps),
        request.ip,
      ),
    ),
  )
  app.get<Id>(`${OAUTH_PATHS.consent}/:id`, async (request, reply) =>
    page(
      reply,
      await showConsent(
        deps,
        request.params.id,
        browserOf(request.headers),
        queryParameters(request).has('other'),
      ),
    ),
  )
  app.get<Id>(`${OAUTH_PATHS.signIn}/:id`, async (request, reply) =>
    page(reply, await showSignInLink(deps, request.params.id, rememberBrowser(request, reply, deps))),
  )
  app.register(async (forms) => {
    acceptFormBodies(forms)
    forms.post<Id>(`${OAUTH_PATHS.consent}/:id`, async ({ params: { id }, headers, body }, reply) =>
      page(reply, await submitConsent(deps, id, browserOf(headers), body ?? {})),
    )
    forms.post<Id>(`${OAUTH_PATHS.consent}/:id/key`, async ({ params: { id }, headers, body, ip }, reply) =>
      page(reply, await submitProjectKey(deps, id, browserOf(headers), body ?? {}, ip)),
    )
    forms.post<Id>(`${OAUTH_PATHS.signIn}/:id`, async ({ params: { id }, headers, body }, reply) =>
      page(reply, await submitSignInLink(deps, id, browserOf(headers), body ?? {})),
    )
  })
}
