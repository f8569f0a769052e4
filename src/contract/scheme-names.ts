import type { AuthSchemeName } from './schemes.ts'

const NAMES: Readonly<Record<AuthSchemeName, string>> = {
  OAUTH2: 'OAuth 2.0',
  OAUTH1: 'OAuth 1.0a',
  DCR_OAUTH: 'OAuth with automatic registration',
  S2S_OAUTH2: 'OAuth 2.0 client credentials',
  API_KEY: 'API key',
  BASIC: 'User name and password',
  BASIC_WITH_JWT: 'User name and password for a token',
  BEARER_TOKEN: 'Access token',
  GOOGLE_SERVICE_ACCOUNT: 'Google service account',
  SERVICE_ACCOUNT: 'Service account',
  BILLCOM_AUTH: 'Sign-in of BILL',
  CALCOM_AUTH: 'API key of Cal.com',
  SAML: 'SAML',
  NO_AUTH: 'No sign-in',
}

/** Returns the name of an auth scheme for people: `API key` for `API_KEY`. */
export const schemeName = (scheme: string): string => NAMES[scheme as AuthSchemeName] ?? scheme
