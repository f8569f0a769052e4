import { type Static, Type } from './schema-type.ts'
import { Described, Enum, Nullable, Timestamp, Url } from './common.ts'
import { Claim, ClientId, ClientSecret, Issuer, ProviderName, ProviderTest, Scopes } from './openid-fields.ts'
import { route } from './route.ts'

// An extension of this server: members sign in to the console at the identity provider of the organization.
/** Roles that a provider can give: of the organization, or the same one in every project. The highest first. */
export const SSO_ROLES = ['owner', 'admin', 'developer', 'operator', 'viewer'] as const
const DOMAINS_MAX = 100
const ROLES_MAX = 200

const Domains = Type.Array(
  Type.String({
    pattern: '^[a-z0-9.-]{1,253}$',
    maxLength: 253,
    description: 'Domain, in lower case.',
    examples: ['example.com'],
  }),
  {
    maxItems: DOMAINS_MAX,
    description: 'Domains of verified e-mail addresses that may sign in; empty for all.',
  },
)
const TrustsEmail = Type.Boolean({
  description:
    'Whether e-mail addresses count as verified although the provider does not send `email_verified`. Only for a ' +
    'provider at which nobody can enter the address of another person.',
})
const RoleClaim = Described(Claim, 'Claim with the groups or roles of a person.')
const RoleMap = Type.Record(
  Type.String({ minLength: 1, maxLength: 256 }),
  Enum(SSO_ROLES, { description: 'Role.' }),
  {
    maxProperties: ROLES_MAX,
    description:
      'Roles by value of the claim: `owner` and `admin` of the organization; `developer`, `operator` and `viewer` ' +
      'in every project. With a map, each sign-in sets the role, and the highest one counts. Empty: roles are ' +
      'managed in the console.',
    examples: [{ engineering: 'developer' }],
  },
)
const DefaultRole = Nullable(Enum(SSO_ROLES, { description: 'Role.' }), {
  description: 'Role of people whom the map gives none. Null: they must be invited, or be in the map.',
})

const SsoProvider = Type.Object(
  {
    issuer: Described(Url, 'Issuer of the provider.'),
    client_id: ClientId,
    has_client_secret: Type.Boolean({ description: 'Whether there is a secret. It is never returned.' }),
    name: ProviderName,
    scopes: Scopes,
    allowed_domains: Domains,
    trusts_email: TrustsEmail,
    role_claim: RoleClaim,
    role_map: RoleMap,
    default_role: DefaultRole,
    is_only: Type.Boolean({
      description: 'Whether this is the only way to sign in: no passwords, passkeys and API keys.',
    }),
    updated_at: Nullable(Described(Timestamp, 'When the provider was last changed.'), {
      description: 'When the provider was last changed; null for a provider in the settings of the server.',
    }),
  },
  { $id: 'SsoProvider' },
)
export type SsoProvider = Static<typeof SsoProvider>

const Reply = Type.Object(
  {
    source: Enum(['none', 'organization', 'server_settings'], {
      description:
        '`organization`: set with this operation. `server_settings`: set with CONSOLE_OIDC_ISSUER, and read-only here.',
    }),
    provider: Nullable(Described(SsoProvider, 'The provider; null if there is none.'), {
      description: 'The provider; null if there is none.',
    }),
    redirect_uri: Type.String({ description: 'Redirect URI of the console, to register at the provider.' }),
    is_proven: Type.Boolean({
      description:
        'Whether the caller has a session that began at the provider as it is now. Only such a person can make it ' +
        'the only way to sign in.',
    }),
  },
  { $id: 'Sso' },
)
export type Sso = Static<typeof Reply>

const Body = Type.Object({
  issuer: Issuer,
  client_id: ClientId,
  client_secret: Type.Optional(ClientSecret),
  name: Type.Optional(Described(ProviderName, 'Name on the button. Default: the host of the issuer.')),
  scopes: Type.Optional(Described(Scopes, 'Scopes, with `openid`. Default: `openid email profile`.')),
  allowed_domains: Type.Optional(Domains),
  trusts_email: Type.Optional(TrustsEmail),
  role_claim: Type.Optional(Described(Claim, 'Claim with groups or roles. Default: `groups`.')),
  role_map: Type.Optional(RoleMap),
  default_role: Type.Optional(DefaultRole),
})
export type SsoDraft = Static<typeof Body>

const PATH = '/org/sso'
const example = {
  body: {
    issuer: 'https://login.example.com',
    client_id: 'patchbay',
    client_secret: 'secret-example',
    name: 'Example SSO',
    role_map: { engineering: 'developer' },
  },
  needs: 'a provider',
}

export const readSso = route({
  id: 'sso.read',
  method: 'GET',
  path: PATH,
  summary: 'Read the identity provider of members',
  description:
    'An extension of this server. Returns the OpenID provider at which members sign in to the console, without its ' +
    'secret, and the redirect URI that the provider must allow.',
  audience: 'organization',
  reply: Reply,
})

export const setSso = route({
  id: 'sso.set',
  method: 'PUT',
  path: PATH,
  summary: 'Set the identity provider of members',
  description:
    'An extension of this server. Members sign in to the console at this OpenID provider (authorization code, PKCE, ' +
    'nonce). Fields that are left out have their defaults. The provider is tested before anything is ' +
    'stored. Without `client_secret` the stored secret stays, unless the issuer or the client id changes. While the ' +
    'provider is the only way to sign in, only its name can be changed. Only an owner may call it.',
  example,
  audience: 'organization',
  body: Body,
  reply: Reply,
  errors: ['Sso_ProviderUnusable', 'Sso_SetByServer', 'Sso_IsOnly', 'Sso_NoOtherSignIn', 'Sso_Changed'],
})

export const testSso = route({
  id: 'sso.test',
  method: 'POST',
  path: `${PATH}/test`,
  summary: 'Test an identity provider of members',
  description:
    'An extension of this server. Reads the metadata and keys of a provider, and sends a token request with an ' +
    'invalid code, of which the error says whether the provider accepts the client. Stores nothing. Without ' +
    '`client_secret` the stored secret is used, if issuer and client id are the stored ones. Only an owner may ' +
    'call it.',
  example,
  audience: 'organization',
  body: Body,
  reply: ProviderTest,
})

export const setSsoOnly = route({
  id: 'sso.setOnly',
  method: 'PUT',
  path: `${PATH}/only`,
  summary: 'Make the identity provider the only way to sign in',
  description:
    'An extension of this server. Turns sign-in with passwords, passkeys and API keys off or on. Only a member who ' +
    'has signed in at the provider as it is now can turn it off, so that nobody is locked out; all sessions that ' +
    'began elsewhere end. If the provider fails later, `patchbay console link` prints a link on the server, and this ' +
    'operation with a key of the organization allows passwords again. Only an owner may call it.',
  example: { body: { is_only: false }, needs: 'a provider' },
  audience: 'organization',
  body: Type.Object({
    is_only: Type.Boolean({ description: 'Whether the provider is the only way to sign in.' }),
  }),
  reply: Reply,
  errors: ['Sso_NotProven', 'Sso_SetByServer', 'Sso_NoProvider'],
})

export const deleteSso = route({
  id: 'sso.delete',
  method: 'DELETE',
  path: PATH,
  summary: 'Remove the identity provider of members',
  description:
    'An extension of this server. Removes the provider and its secret. Members stay, and sign in with a password or ' +
    'a passkey: create password links for those who have none. Only an owner may call it.',
  example: {},
  audience: 'organization',
  reply: Type.Object({ success: Type.Boolean({ description: 'Always true.' }) }),
  errors: ['Sso_SetByServer', 'Sso_IsOnly', 'Sso_NoOtherSignIn'],
})
