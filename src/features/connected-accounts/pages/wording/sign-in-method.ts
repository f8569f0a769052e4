import type { TextKey } from '../language/index.ts'

const METHODS: Readonly<Record<string, TextKey>> = {
  OAUTH2: 'method.provider',
  OAUTH1: 'method.provider',
  DCR_OAUTH: 'method.provider',
  SAML: 'method.provider',
  API_KEY: 'method.api_key',
  CALCOM_AUTH: 'method.api_key',
  BEARER_TOKEN: 'method.token',
  BASIC: 'method.password',
  BASIC_WITH_JWT: 'method.password',
  BILLCOM_AUTH: 'method.password',
  GOOGLE_SERVICE_ACCOUNT: 'method.service_account',
  SERVICE_ACCOUNT: 'method.service_account',
}

/** Returns the text with which a person chooses an auth scheme. */
export const signInMethod = (scheme: string): TextKey => METHODS[scheme] ?? 'method.other'
