import { withoutSecrets } from './secrets.ts'
import type { Sources } from './values.ts'
import { isObject } from '../platform/json-object.ts'

/** Answers that no repetition can change: RFC 6749 §5.2 `invalid_grant`, and what providers write instead of it. */
const DEAD_GRANT = new Set([
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
const TEXT_MAX = 300

/** The error that an authorization server tells (RFC 6749 §5.2, or nested as some write it), without secrets; empty texts when it tells none. */
export function providerError(sources: Sources, body: unknown): { code: string; text: string } {
  if (!isObject(body)) return { code: '', text: '' }
  const error = isObject(body['error']) ? (body['error']['code'] ?? body['error']['type']) : body['error']
  const code = typeof error === 'string' ? error.slice(0, TEXT_MAX) : ''
  const description = body['error_description']
  const text =
    typeof description === 'string' && description ? `${code}: ${description.slice(0, TEXT_MAX)}` : code
  return { code: withoutSecrets(code, sources), text: withoutSecrets(text, sources) }
}

export const isDeadGrant = (code: string): boolean => DEAD_GRANT.has(code)
