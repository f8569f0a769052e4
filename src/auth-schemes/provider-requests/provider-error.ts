import { redactSecrets } from '../credentials/redaction.ts'
import type { CredentialSources } from '../credentials/lookup.ts'
import { isObject } from '../../platform/json-object.ts'

/** Final error codes: `invalid_grant` (RFC 6749 §5.2), and the codes that providers use instead of it. */
const INVALID_GRANT_CODES = new Set([
  'invalid_grant',
  'bad_refresh_token',
  'invalid_refresh_token',
  'refresh_token_expired',
  'expired_token',
  'token_expired',
  'token_revoked',
  'bad_verification_code',
  'invalid_code',
])
const ERROR_CHARACTERS_MAX = 300

/**
 * Reads the error of an authorization server (RFC 6749 §5.2, or nested as some providers write it), without
 * secrets.
 * Returns empty texts if the body has no error.
 */
export function readProviderError(sources: CredentialSources, body: unknown): { code: string; text: string } {
  if (!isObject(body)) return { code: '', text: '' }
  const error = isObject(body['error']) ? (body['error']['code'] ?? body['error']['type']) : body['error']
  const code = typeof error === 'string' ? error.slice(0, ERROR_CHARACTERS_MAX) : ''
  const description = body['error_description']
  const text =
    typeof description === 'string' && description
      ? `${code}: ${description.slice(0, ERROR_CHARACTERS_MAX)}`
      : code
  return { code: redactSecrets(code, sources), text: redactSecrets(text, sources) }
}

export const isInvalidGrant = (code: string): boolean => INVALID_GRANT_CODES.has(code)
