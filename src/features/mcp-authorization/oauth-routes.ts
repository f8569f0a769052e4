import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  answerPage,
  readBrowserCookie,
  type PageOutcome,
  rememberBrowser,
  acceptFormBodies,
} from '../connected-accounts/index.ts'
import { type Clients, clients as makeClients } from './clients/service.ts'
import type { McpAuthDeps } from './deps.ts'
import { OAuthFailure } from './oauth-error.ts'
import { PATHS, RESOURCE_METADATA, resourceMetadata, serverMetadata } from './metadata.ts'
import { isResourcePath } from './resources.ts'
import { beginRequest, showLink, showRequest, takeDecision, takeKey, takeLink } from './sign-in/sign-in.ts'
import { answerTokens, revokeToken } from './tokens/token-endpoint.ts'

const BODY_MAX = 65_536
const DOCUMENTS = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'] as const
const NOT_KEPT = { 'cache-control': 'no-store', pragma: 'no-cache' }
const queryOf = ({ url }: FastifyRequest): URLSearchParams => new URL(url, 'http://any').searchParams

/** What MCP clients and the browsers of their users call: an authorization server for the MCP addresses of this server, and for nothing else. */
export function mcpOAuthRoutes(app: FastifyInstance, deps: McpAuthDeps): void {
  const clients = makeClients(deps)
  metadataRoutes(app, deps)
  pageRoutes(app, deps, clients)
  app.register(async (json) => {
    json.post<{ Body: unknown }>(PATHS.register, { bodyLimit: BODY_MAX }, async (request, reply) =>
      answer(reply, 201, () => clients.register(request.body, request.ip)),
    )
  })
  app.register(async (forms) => {
    acceptFormBodies(forms)
    forms.post<{ Body: Record<string, string> | undefined }>(PATHS.token, async ({ headers, body }, reply) =>
      answer(reply, 200, () => answerTokens(deps, clients, headers.authorization, body ?? {})),
    )
    forms.post<{ Body: Record<string, string> | undefined }>(PATHS.revoke, async ({ headers, body }, reply) =>
      answer(reply, 200, async () => {
        await revokeToken(deps, clients, headers.authorization, body ?? {})
        return {}
      }),
    )
  })
}

/** Runs what a client asked for; what it did wrong is told in the words of OAuth. */
async function answer(reply: FastifyReply, status: number, run: () => Promise<object>) {
  reply.headers(NOT_KEPT)
  try {
    return await reply.code(status).send(await run())
  } catch (error) {
    if (!(error instanceof OAuthFailure)) throw error
    if (error.status === 401) reply.header('www-authenticate', 'Basic realm="mcp clients"')
    if (error.status >= 429) reply.header('retry-after', error.status === 429 ? '600' : '5')
    return reply.code(error.status).send(error.body)
  }
}

function metadataRoutes(app: FastifyInstance, { publicUrl, kinds }: McpAuthDeps): void {
  const base = new URL(publicUrl).pathname.replace(/\/+$/, '')
  const server = serverMetadata(publicUrl)
  // Below a path of PUBLIC_URL they are asked for in the forms of both standards.
  for (const url of new Set(DOCUMENTS.flatMap((path) => [path, path + base])))
    app.get(url, async (_request, reply) => reply.header('cache-control', 'public, max-age=300').send(server))
  // For whatever could be an address: whether one is there is told to nobody who has not signed in.
  app.get<{ Params: { '*': string } }>(`${RESOURCE_METADATA}/*`, async (request, reply) => {
    const { pathname, search } = new URL(request.url, 'http://any')
    const address = pathname.slice(RESOURCE_METADATA.length)
    const path = base && address.startsWith(`${base}/`) ? address.slice(base.length) : address
    if (!isResourcePath(kinds, path)) return reply.callNotFound()
    return reply
      .header('cache-control', 'public, max-age=300')
      .send(resourceMetadata(publicUrl, path + search))
  })
}

/** Addresses that browsers visit. */
function pageRoutes(app: FastifyInstance, deps: McpAuthDeps, clients: Clients): void {
  type Id = { Params: { id: string }; Body: Record<string, string> | undefined }
  const page = (reply: FastifyReply, outcome: PageOutcome) => answerPage(reply, deps, outcome)
  app.get(PATHS.authorize, async (request, reply) =>
    page(reply, await beginRequest(deps, clients, queryOf(request), rememberBrowser(request, reply, deps))),
  )
  app.get<Id>(`${PATHS.consent}/:id`, async (request, reply) =>
    page(
      reply,
      await showRequest(
        deps,
        request.params.id,
        readBrowserCookie(request.headers.cookie),
        queryOf(request).has('other'),
      ),
    ),
  )
  app.get<Id>(`${PATHS.signIn}/:id`, async (request, reply) =>
    page(reply, await showLink(deps, request.params.id, rememberBrowser(request, reply, deps))),
  )
  app.register(async (forms) => {
    acceptFormBodies(forms)
    forms.post<Id>(`${PATHS.consent}/:id`, async ({ params: { id }, headers, body }, reply) =>
      page(reply, await takeDecision(deps, id, readBrowserCookie(headers.cookie), body ?? {})),
    )
    forms.post<Id>(`${PATHS.consent}/:id/key`, async ({ params: { id }, headers, body, ip }, reply) =>
      page(reply, await takeKey(deps, id, readBrowserCookie(headers.cookie), body ?? {}, ip)),
    )
    forms.post<Id>(`${PATHS.signIn}/:id`, async ({ params: { id }, headers, body }, reply) =>
      page(reply, await takeLink(deps, id, readBrowserCookie(headers.cookie), body ?? {})),
    )
  })
}
