import { AnyCase } from './common.ts'
import { Type } from './schema-type.ts'

/** Authentication schemes. Requests may use any letter case. */
export const AUTH_SCHEMES = [
  'OAUTH2',
  'OAUTH1',
  'DCR_OAUTH',
  'S2S_OAUTH2',
  'API_KEY',
  'BASIC',
  'BASIC_WITH_JWT',
  'BEARER_TOKEN',
  'GOOGLE_SERVICE_ACCOUNT',
  'SERVICE_ACCOUNT',
  'BILLCOM_AUTH',
  'CALCOM_AUTH',
  'SAML',
  'NO_AUTH',
] as const
export type AuthSchemeName = (typeof AUTH_SCHEMES)[number]
export const AuthScheme = AnyCase(AUTH_SCHEMES, { examples: ['OAUTH2', 'API_KEY'] })

export const ACCOUNT_STATUSES = [
  'INITIALIZING',
  'INITIATED',
  'ACTIVE',
  'FAILED',
  'EXPIRED',
  'INACTIVE',
  'REVOKED',
] as const
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number]

/** Fields of an auth config in what belongs to it. */
export const AuthConfigScheme = {
  auth_scheme: Type.String({ description: 'Authentication scheme, in upper case.' }),
  is_service_managed: Type.Boolean({
    description: 'Whether the credentials are the managed ones of the server.',
  }),
}
