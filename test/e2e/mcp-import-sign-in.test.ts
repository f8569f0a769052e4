// `patchbay toolkits import --sign-in` against an authorization server of others (oidc-provider), and an MCP server of
// the official SDK that accepts only its tokens.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { test, type TestContext } from 'node:test'
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js'
import { mcpAuthMetadataRouter } from '@modelcontextprotocol/sdk/server/auth/router.js'
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { OAuthMetadata } from '@modelcontextprotocol/sdk/shared/auth.js'
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose'
import { Provider } from 'oidc-provider'
import { testApp, type TestApp } from '#fixtures/app.ts'
import { runCli } from '../../src/cli/index.ts'
import { readToolkit } from '../../src/contract/toolkits/index.ts'
import { signInAndConsent, type SignInOptions } from '../fixtures/real-applications/browser.ts'
import { notes } from './mcp-server.ts'

/** Listens before the origin is needed in the configuration of the server. */
async function listen(t: TestContext): Promise<{ origin: string; handle(listener: RequestListener): void }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    handle: (listener) => server.on('request', listener),
  }
}

/** An authorization server that registers clients and issues a JWT for the resource of the request only. */
async function startAuthorizationServer(t: TestContext, resource: string): Promise<string> {
  const { origin, handle } = await listen(t)
  const provider = new Provider(origin, {
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        useGrantedResource: () => false,
        getResourceServerInfo: (_context: unknown, requested: string) => {
          if (requested !== resource) throw new Error(`unknown resource ${requested}`)
          return { scope: 'notes', audience: resource, accessTokenFormat: 'jwt' }
        },
      },
    },
    pkce: { required: () => true },
    scopes: ['openid', 'notes'],
    findAccount: (_context: unknown, login: string) => ({ accountId: login, claims: () => ({ sub: login }) }),
  })
  handle(provider.callback())
  return origin
}

/** An MCP server that accepts tokens of the authorization server for itself. Returns their claims. */
async function startResourceServer(t: TestContext) {
  const { origin, handle } = await listen(t)
  const url = `${origin}/mcp`
  const issuer = await startAuthorizationServer(t, url)
  const reply = await fetch(`${issuer}/.well-known/openid-configuration`)
  const metadata = (await reply.json()) as OAuthMetadata & { jwks_uri: string }
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri))
  const tokens: JWTPayload[] = []
  const verifier = {
    async verifyAccessToken(token: string) {
      const { payload } = await jwtVerify(token, keys, { issuer, audience: url }).catch((error: Error) => {
        throw new InvalidTokenError(error.message)
      })
      tokens.push(payload)
      const { client_id: clientId, scope, exp } = payload
      return { token, clientId: String(clientId), scopes: String(scope).split(' '), expiresAt: exp as number }
    },
  }
  const app = createMcpExpressApp()
  app.use(
    mcpAuthMetadataRouter({
      oauthMetadata: metadata,
      resourceServerUrl: new URL(url),
      scopesSupported: ['notes'],
    }),
  )
  const resourceMetadataUrl = `${origin}/.well-known/oauth-protected-resource/mcp`
  app.all(
    '/mcp',
    requireBearerAuth({ verifier, requiredScopes: ['notes'], resourceMetadataUrl }),
    async (request, response) => {
      const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined as never })
      await notes(() => 'developer').connect(transport as never)
      await transport.handleRequest(request, response, request.body)
    },
  )
  handle(app as unknown as RequestListener)
  return { url, issuer, tokens }
}

/** Runs the command. Its own requests to the API are injected; those to other servers use the network. */
async function importWithSignIn({ app, keys }: TestApp, url: string, user: SignInOptions) {
  let text = ''
  let visited: Promise<unknown> | undefined
  const api = 'http://api.patchbay.test'
  const send = (async (target: string, init: RequestInit = {}) => {
    if (!target.startsWith(api)) return fetch(target, init)
    const reply = await app.http.inject({
      method: init.method as 'POST',
      url: target.slice(api.length),
      headers: init.headers as Record<string, string>,
      ...(init.body ? { payload: String(init.body) } : {}),
    })
    return new Response(reply.body, { status: reply.statusCode })
  }) as typeof fetch
  const output = new Writable({
    write(part, _encoding, done) {
      text += String(part)
      const page = /http:\/\/127\.0\.0\.1:\d+\/auth\?\S+/.exec(text)?.[0]
      if (page !== undefined)
        visited ??= signInAndConsent(page, user).then(({ callbackUrl }) => fetch(callbackUrl))
      done()
    },
  })
  const code = await runCli(['toolkits', 'import', url, '--sign-in', '--no-open'], {
    env: { PATCHBAY_API_KEY: keys.projectApiKey, PATCHBAY_URL: api },
    cwd: import.meta.dirname,
    fetch: send,
    stdout: output,
    stderr: output,
  })
  await visited
  return { code, text }
}

test('import with sign-in: an authorization server of others registers the client and issues a token for the resource', async (t) => {
  const main = await testApp(t)
  const { url, issuer, tokens } = await startResourceServer(t)

  const denied = await importWithSignIn(main, url, { deny: true })
  assert.equal(denied.code, 1, denied.text)
  assert.match(denied.text, /did not allow the access: End-User aborted interaction/)
  assert.deepEqual(tokens, [], 'no token was issued')

  const { code, text } = await importWithSignIn(main, url, { login: 'ada' })
  assert.equal(code, 0, text)
  assert.match(text, /2 tools/)
  assert.ok(tokens.length > 0)
  for (const { iss, aud, sub, scope } of tokens)
    assert.deepEqual([iss, aud, sub, scope], [issuer, url, 'ada', 'notes'])
  const slug = /^(\w+) {2}Notes/m.exec(text)?.[1] ?? ''
  const { body } = await main.call(readToolkit, { params: { slug } })
  assert.deepEqual([body.meta.tools_count, body.auth_schemes], [2, ['DCR_OAUTH', 'BEARER_TOKEN']])
})
