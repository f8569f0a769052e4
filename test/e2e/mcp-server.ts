// A remote MCP server with its own authorization server, both by the official SDK.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import type { OAuthServerProvider } from '@modelcontextprotocol/sdk/server/auth/provider.js'
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js'
import { mcpAuthRouter } from '@modelcontextprotocol/sdk/server/auth/router.js'
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { OAuthClientInformationFull } from '@modelcontextprotocol/sdk/shared/auth.js'
import { z } from 'zod'

interface Grant {
  user: string
  clientId: string
  scopes: string[]
  resource: string | undefined
}
/** A token that the developer of the server hands out. */
export const DEVELOPER_TOKEN = 'token-of-the-developer'

export interface ProtectedMcp {
  url: string
  /** Clients that registered. */
  clients: Map<string, OAuthClientInformationFull>
  access: Map<string, Grant>
  refreshed: number
  revoked: number
}

/** Returns the value of the key and removes it. */
function claim<T>(from: Map<string, T>, key: string): T {
  const value = from.get(key)
  if (!value) throw new Error('unknown')
  from.delete(key)
  return value
}

/** Tokens with their grants: access tokens are in the state, refresh tokens work once. */
function createTokens({ access }: ProtectedMcp) {
  const refresh = new Map<string, Grant>()
  const issue = (grant: Grant) => {
    const [access_token, refresh_token] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`]
    access.set(access_token, grant)
    refresh.set(refresh_token, grant)
    return {
      access_token,
      refresh_token,
      token_type: 'Bearer',
      expires_in: 3_600,
      scope: grant.scopes.join(' '),
    }
  }
  const verify = (token: string) => {
    const grant =
      token === DEVELOPER_TOKEN
        ? { user: 'developer', clientId: 'none', scopes: ['notes'], resource: undefined }
        : access.get(token)
    if (!grant) throw new InvalidTokenError('unknown')
    return {
      token,
      clientId: grant.clientId,
      scopes: grant.scopes,
      expiresAt: Date.now() / 1_000 + 60,
      extra: { user: grant.user, resource: grant.resource },
    }
  }
  return { refresh, issue, verify }
}

function oauthProvider(state: ProtectedMcp, users: string[]): OAuthServerProvider {
  const codes = new Map<string, Grant & { challenge: string }>()
  const { refresh, issue, verify } = createTokens(state)
  return {
    clientsStore: {
      getClient: (id) => state.clients.get(id),
      registerClient: (client) => {
        const full = client as OAuthClientInformationFull
        state.clients.set(full.client_id, full)
        return full
      },
    },
    async authorize(
      client,
      { state: clientState, scopes = [], codeChallenge, redirectUri, resource },
      response,
    ) {
      const code = randomUUID()
      codes.set(code, {
        user: users.shift()!,
        clientId: client.client_id,
        scopes,
        resource: resource?.href,
        challenge: codeChallenge,
      })
      response.redirect(
        `${redirectUri}?${new URLSearchParams({ code, ...(clientState && { state: clientState }) })}`,
      )
    },
    challengeForAuthorizationCode: async (_client, code) => codes.get(code)!.challenge,
    async exchangeAuthorizationCode(_client, code, _verifier, _redirectUri, resource) {
      const { challenge: _, ...grant } = claim(codes, code)
      if (resource?.href !== grant.resource) throw new Error('another resource')
      return issue(grant)
    },
    async exchangeRefreshToken(_client, token) {
      state.refreshed++
      return issue(claim(refresh, token))
    },
    verifyAccessToken: async (token) => verify(token),
    async revokeToken(_client, { token }) {
      state.revoked++
      state.access.delete(token)
      refresh.delete(token)
    },
  }
}

/** A visitor of its consent page is signed in as the next of `users` and agrees. */
export async function protectedMcp(t: TestContext, users: string[]): Promise<ProtectedMcp> {
  const state: ProtectedMcp = { url: '', clients: new Map(), access: new Map(), refreshed: 0, revoked: 0 }
  const provider = oauthProvider(state, users)
  const app = createMcpExpressApp()
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  state.url = `${origin}/mcp`
  app.use(
    mcpAuthRouter({
      provider,
      issuerUrl: new URL(origin),
      resourceServerUrl: new URL(state.url),
      scopesSupported: ['notes', 'admin'],
    }),
  )
  app.all(
    '/mcp',
    requireBearerAuth({
      verifier: provider,
      requiredScopes: ['notes'],
      resourceMetadataUrl: `${origin}/.well-known/oauth-protected-resource/mcp`,
    }),
    async (request, response) => {
      const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined as never })
      const { auth } = request
      await notes(() => String(auth?.extra?.['user'])).connect(transport as never)
      await transport.handleRequest(request, response, request.body)
    },
  )
  return state
}

const NOTES = new Map<string, string[]>()

/** A server with notes of each user. */
export function notes(user: () => string): McpServer {
  const server = new McpServer(
    { name: 'notes-mcp-server', title: 'Notes', version: '3.1.0' },
    { instructions: 'Keeps short notes of a person and finds them again.' },
  )
  server.registerTool(
    'add_note',
    {
      title: 'Add a note',
      description: 'Keeps a note for the signed-in person and returns how many there are.',
      inputSchema: {
        text: z.string().min(1).describe('What to keep.'),
        tags: z.array(z.string()).optional(),
      },
      outputSchema: { owner: z.string(), count: z.number().int() },
      annotations: { readOnlyHint: false, destructiveHint: false },
    },
    ({ text }) => {
      const mine = NOTES.get(user()) ?? []
      NOTES.set(user(), [...mine, text])
      const structuredContent = { owner: user(), count: mine.length + 1 }
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
    },
  )
  server.registerTool(
    'list_notes',
    {
      description: 'Returns the notes of the signed-in person, oldest first.',
      annotations: { readOnlyHint: true },
    },
    () => ({ content: [{ type: 'text', text: JSON.stringify(NOTES.get(user()) ?? []) }] }),
  )
  return server
}
