import { type Static, Type } from 'typebox'
import { Common, lifetime } from './auth-common.ts'
import { DcrOAuth, OAuth2, S2SOAuth2 } from './oauth2.ts'
import { optional, Path, Strict, TemplateText, TextMap } from './shapes.ts'

const ApiKey = Strict({ scheme: Type.Literal('API_KEY', { description: 'The kind of this entry.' }), ...Common })
const BearerToken = Strict({ scheme: Type.Literal('BEARER_TOKEN', { description: 'The kind of this entry.' }), ...Common })
const Basic = Strict({
  scheme: Type.Literal('BASIC', { description: 'The kind of this entry.' }), ...Common,
  sign_in: optional(Strict({
    path: TemplateText('Where user name and password are traded for a token.'),
    body: optional(Type.Union([Type.Literal('form'), Type.Literal('json')], { description: 'Default form.' })),
    params: TextMap('Parameters; may use {username} and {password}.'),
    token: Path('Where the token stands in the reply.'),
    expires_in: optional(Path('Where its lifetime in seconds stands.')),
    lifetime_seconds: optional(lifetime('Its lifetime when the reply does not say.')),
  }, { description: 'Session-token applications: the token is cached, used as {session_token}, and renewed before it ends and on a 401.' })),
})
const NoAuth = Strict({ scheme: Type.Literal('NO_AUTH', { description: 'The kind of this entry.' }), ...Common })

/** One way to sign in to an application; `scheme` says which shape applies. */
export const AuthScheme = Type.Union([OAuth2, DcrOAuth, S2SOAuth2, ApiKey, BearerToken, Basic, NoAuth], { discriminator: { propertyName: 'scheme' } })

export type ApiKeyManifest = Static<typeof ApiKey>
export type BearerTokenManifest = Static<typeof BearerToken>
export type BasicManifest = Static<typeof Basic>
export type NoAuthManifest = Static<typeof NoAuth>
export type AuthSchemeManifest = Static<typeof AuthScheme>
