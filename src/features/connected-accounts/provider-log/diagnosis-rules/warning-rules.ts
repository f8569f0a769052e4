import type { DiagnosisRule } from './rule.ts'
import { TEN_YEARS_SECONDS, TOKEN_KINDS } from './patterns.ts'

/** Rules for connections that work, but will end early. */
export const WARNING_RULES: readonly DiagnosisRule[] = [
  {
    when: {
      ok: true,
      kinds: ['code'],
      has: /access_?token/i,
      lacks: /refresh_?token/i,
      manifest: ({ manifest }) =>
        Boolean(manifest['refresh']) &&
        !['never', 'access_token', 'client'].includes(String(manifest['refresh']?.['with'] ?? '')),
    },
    cause: 'The provider issued no refresh token, so the connection ends with its access token.',
    field: 'offline',
    fix: 'Request one: offline.params (access_type, token_access_type, duration) or offline.scope (offline_access).',
  },
  {
    when: {
      ok: true,
      kinds: TOKEN_KINDS,
      has: /access_?token/i,
      lacks: /expir|ttl/i,
      manifest: ({ manifest }) =>
        Boolean(manifest['refresh']) &&
        !manifest['token']?.['lifetime_seconds'] &&
        !manifest['token']?.['introspect'],
    },
    cause:
      'The provider does not return the lifetime of the token, so it is only refreshed after a rejection.',
    field: 'token.lifetime_seconds',
    fix: 'Set the lifetime in its documentation.',
  },
  {
    when: {
      ok: true,
      kinds: TOKEN_KINDS,
      manifest: ({ manifest, paths }) =>
        (manifest['token']?.['expiry_unit'] ?? 'seconds') === 'seconds' &&
        Number(paths.get('expires_in') ?? 0) > TEN_YEARS_SECONDS,
    },
    cause: 'The token would be valid for more than ten years: the number is not in seconds.',
    field: 'token.expiry_unit',
    fix: 'Set unix_seconds, milliseconds or unix_milliseconds.',
  },
  {
    when: {
      ok: true,
      kinds: ['refresh'],
      has: /refresh_?token$/i,
      manifest: ({ manifest }) => manifest['refresh']?.['rotates'] === 'never',
    },
    cause: 'A token refresh returns a refresh token, although the manifest says never.',
    field: 'refresh.rotates',
    fix: 'Set sometimes or always.',
  },
]
