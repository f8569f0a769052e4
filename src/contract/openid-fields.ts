import { type Static, Type } from './schema-type.ts'
import { Described, Enum, Nullable, Url } from './common.ts'

/** Fields of an OpenID provider and of this server as its client, for operations that set one. */
export const ClientId = Type.String({
  minLength: 1,
  maxLength: 512,
  pattern: '^[\\x20-\\x7e]+$',
  description: 'Client id of this server at the provider.',
})
export const Scopes = Type.String({
  minLength: 6,
  maxLength: 1_000,
  pattern: '^([\\x21\\x23-\\x5b\\x5d-\\x7e]+ )*openid( [\\x21\\x23-\\x5b\\x5d-\\x7e]+)*$',
  description: 'Scopes that are requested, separated by spaces, with `openid`.',
  examples: ['openid email'],
})
export const Claim = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[A-Za-z0-9_.:/-]+$',
  description: 'Name of a claim.',
  examples: ['sub'],
})
export const ProviderName = Type.String({
  minLength: 1,
  maxLength: 80,
  description: 'Name of the provider on the sign-in page.',
  examples: ['Example SSO'],
})
export const Issuer = Described(
  Url,
  'Issuer, as the provider writes it, without `/.well-known/openid-configuration`. It must use https; http is ' +
    'for localhost only.',
)
export const ClientSecret = Nullable(
  Type.String({
    minLength: 1,
    maxLength: 4_000,
    pattern: '^[\\x20-\\x7e]+$',
    description: 'Client secret; null for a public client.',
  }),
  { description: 'Client secret; null for a public client.' },
)

const PROVIDER_CHECKS = ['metadata', 'endpoints', 'flow', 'keys', 'scopes', 'claims', 'client'] as const

/** The result of a test of a provider. */
export const ProviderTest = Type.Object(
  {
    is_usable: Type.Boolean({ description: 'Whether no check has failed.' }),
    checks: Type.Array(
      Type.Object({
        check: Enum(PROVIDER_CHECKS, {
          description:
            '`metadata`: the document of the issuer. `endpoints`, `flow`, `keys`, `scopes` and `claims`: what it ' +
            'announces. `client`: whether the token endpoint accepts the client id and the secret.',
        }),
        result: Enum(['ok', 'warning', 'failed'], {
          description: '`warning`: sign-ins may work nevertheless.',
        }),
        message: Type.String({ description: 'What was found, and what to change.' }),
      }),
      { description: 'The checks in their order. If the metadata cannot be read, there is one.' },
    ),
  },
  { $id: 'OpenIdProviderTest' },
)
export type ProviderTest = Static<typeof ProviderTest>
