import type { ProviderRequestKind } from '../request-store.ts'

/** Kinds of requests that return a token of OAuth. */
export const TOKEN_KINDS: readonly ProviderRequestKind[] = ['code', 'refresh']
export const TEN_YEARS_SECONDS = 315_360_000

export const GRANT_ENDED = new RegExp(
  [
    'invalid_grant',
    'bad_refresh_token',
    'invalid_refresh_token',
    'refresh_token_expired',
    'token_revoked',
    'token_expired',
    'expired_token',
    'bad_verification_code',
    'invalid_code',
  ].join('|'),
  'i',
)
export const CLIENT_REJECTED =
  /invalid_client|client authentication|unauthorized client|bad client|incorrect_client_credentials/i
export const ACCESS_TOKEN = /^access_token$/
/** Paths of an access token that is not at the root of the response, or has another name. */
export const NESTED_TOKEN = /^.+\.(access_?token|token)$|^(accessToken|token|session_token|authToken)$/i
