import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { Provider } from 'oidc-provider'
import MemoryAdapter from 'oidc-provider/lib/adapters/memory_adapter.js'
import { closeServer, listenEarly, servePeer } from './serve-peer.ts'

interface Config {
  clientId: string
  clientSecret: string
  redirectUris: string[]
  accessTokenTtlSeconds: number
  rotateRefreshTokens: boolean
  clientAuth: string
  refreshTokens: 'always' | 'offline_access'
}

const DAY_SECONDS = 86_400

servePeer<Config>(async (config) => {
  const { server, origin, handle } = await listenEarly()
  const store = new Map<string, unknown>()
  const provider = new Provider(origin, configurationFor(config, store))
  const stats = { tokenRequests: 0, refreshes: 0, refused: 0, secretsInBody: 0, revocations: 0 }
  provider.use(async (context, next) => {
    await next()
    if (context.oidc?.route === 'revocation' && context.status === 200) stats.revocations++
    if (context.oidc?.route !== 'token') return
    stats.tokenRequests++
    if (context.oidc.params?.grant_type === 'refresh_token') stats.refreshes++
    if (context.status >= 400) stats.refused++
    if (context.oidc.params?.client_secret !== undefined) stats.secretsInBody++
  })
  handle(provider.callback())
  return {
    facts: { issuer: origin },
    controls: {
      stats: () => stats,
      revokeEverything: () => forget(store, /^(?:grant|Grant|AccessToken|RefreshToken|AuthorizationCode):/),
      endAccessTokens: () => forget(store, /^AccessToken:/),
    },
    close: () => closeServer(server),
  }
})

/** Leaves the sign-in sessions alone: the next authorization asks for consent again, not for a password. */
function forget(store: Map<string, unknown>, kinds: RegExp): void {
  for (const key of store.keys()) if (kinds.test(key)) store.delete(key)
}

function configurationFor(config: Config, store: Map<string, unknown>): Record<string, unknown> {
  return {
    // The provider's own adapter on a map of ours: its default store drops the oldest of 1000 entries.
    adapter: class extends MemoryAdapter {
      constructor(model: string) {
        super(model, store)
      }
    },
    clients: [
      {
        client_id: config.clientId,
        client_secret: config.clientSecret,
        redirect_uris: config.redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: config.clientAuth,
      },
    ],
    clientAuthMethods: [config.clientAuth],
    features: { devInteractions: { enabled: true }, revocation: { enabled: true } },
    pkce: { required: () => true },
    rotateRefreshToken: config.rotateRefreshTokens,
    issueRefreshToken: (_context: unknown, _client: unknown, code: { scopes: Set<string> }) =>
      config.refreshTokens === 'always' || code.scopes.has('offline_access'),
    // Without this a refresh token that was not asked for as offline_access ends with the browser's session.
    expiresWithSession: () => false,
    // The default accepts a token for 15 s after its end, which a test of expiry would have to wait out.
    clockTolerance: 0,
    ttl: {
      AccessToken: config.accessTokenTtlSeconds,
      AuthorizationCode: 60,
      IdToken: 3600,
      RefreshToken: 14 * DAY_SECONDS,
      Grant: 14 * DAY_SECONDS,
      Interaction: 3600,
      Session: 14 * DAY_SECONDS,
    },
    scopes: ['openid', 'offline_access', 'email', 'profile'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // Every login exists, with any password.
    findAccount: (_context: unknown, login: string) => ({
      accountId: login,
      claims: () => ({ sub: login, name: login, email: `${login}@example.com`, email_verified: true }),
    }),
    cookies: { keys: [randomBytes(32).toString('hex')] },
    jwks: { keys: [signingKey()] },
  }
}

function signingKey(): Record<string, unknown> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'signing' }
}
