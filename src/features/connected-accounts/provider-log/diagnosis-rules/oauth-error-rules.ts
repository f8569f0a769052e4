import type { DiagnosisRule } from './rule.ts'
import { CLIENT_REJECTED, GRANT_ENDED } from './patterns.ts'

/** Rules for OAuth errors (RFC 6749, section 5.2). */
export const OAUTH_ERROR_RULES: readonly DiagnosisRule[] = [
  {
    when: { message: /redirect_?uri/i },
    cause: 'The provider does not accept the redirect URI {redirect_uri}.',
    field: 'redirect_rules',
    fix:
      'Register it at the provider, exactly as it is, or set oauth_redirect_uri in the auth config to ' +
      'the registered one.',
  },
  {
    when: { message: /code_verifier|code_challenge|pkce/i, sent: 'code_verifier' },
    cause: 'The provider does not accept this PKCE method.',
    field: 'pkce',
    fix: 'Set plain or off, as its documentation says.',
  },
  {
    when: { message: /code_verifier|code_challenge|pkce/i, notSent: 'code_verifier' },
    cause: 'The provider requires PKCE.',
    field: 'pkce',
    fix: 'Set S256.',
  },
  {
    when: { message: /invalid_client_metadata|assertion/i, auth: ['jwt'] },
    cause: 'The provider does not accept the signed client assertion.',
    field: 'client_auth.jwt',
    fix: 'Compare algorithm, key id and audience with the registration. The clock of this machine must be right.',
  },
  {
    when: { message: CLIENT_REJECTED, auth: ['post'] },
    cause: 'The client id or secret is wrong, or the provider requires them in the Authorization header.',
    field: 'client_auth',
    fix: 'Compare both with the provider; if they are right, set basic.',
  },
  {
    when: { message: CLIENT_REJECTED, auth: ['basic'] },
    cause: 'The client id or secret is wrong, or the provider requires them in the body.',
    field: 'client_auth',
    fix: 'Compare both with the provider; if they are right, set post.',
  },
  {
    when: { message: CLIENT_REJECTED },
    cause: 'The provider requires client authentication.',
    field: 'client_auth',
    fix: 'Set post or basic, and set the client secret in the auth config.',
  },
  {
    when: { message: /unauthorized_client/i },
    cause: 'The app is not allowed to use this grant type.',
    field: null,
    fix: 'Enable the grant type (authorization code, refresh token) for the app at the provider.',
  },
  {
    when: {
      message: GRANT_ENDED,
      kinds: ['refresh'],
      succeededBefore: true,
      manifest: ({ manifest }) => manifest['refresh']?.['rotates'] !== 'always',
    },
    cause:
      'The refresh token worked before: the provider issued a new one and ended the old one, or the ' +
      'user revoked the access.',
    field: 'refresh.rotates',
    fix:
      'Set always if the provider rotates refresh tokens, and reuse_grace_seconds if it has a grace ' +
      'period. The user has to connect again.',
  },
  {
    when: { message: GRANT_ENDED, kinds: ['refresh'] },
    cause:
      'The grant has ended at the provider: it was revoked by the user, is too old, or was unused for too long.',
    field: 'refresh.max_idle_seconds',
    fix: 'The user has to connect again. If idle grants end, set after how long.',
  },
  {
    when: { message: GRANT_ENDED, kinds: ['code'] },
    cause: 'The code was used before, is too old, or belongs to another redirect URI or client.',
    field: null,
    fix: 'Connect again. If it happens every time, compare client and redirect URI with the registration.',
  },
  {
    when: { message: /unsupported_grant_type|grant_type/i, kinds: ['refresh'] },
    cause: 'The provider uses another name for the grant type of a token refresh.',
    field: 'refresh.grant_type',
    fix: 'Set the name in its documentation, or leave the parameter out with refresh.omit.',
  },
  {
    when: { message: /unsupported_grant_type|grant_type/i },
    cause: 'The provider uses another name for the grant type, or reads the parameters from another place.',
    field: 'token.grant_type',
    fix: 'Set the name in its documentation; if it is right, check token.body.',
  },
  {
    when: { message: /invalid_target|resource|audience/i },
    cause: 'The provider requires the API that the token is for.',
    field: 'resource',
    fix: 'Set the resource (RFC 8707), or the audience in token.params.',
  },
  {
    when: { message: /scope/i, kinds: ['refresh'], notSent: 'scope' },
    cause: 'The provider requires the scope in a token refresh too.',
    field: 'refresh.params',
    fix: 'Send scope.',
  },
  {
    when: { message: /scope/i, notSent: 'scope' },
    cause: 'The provider requires the scope in the token request too.',
    field: 'token.params',
    fix: 'Send scope.',
  },
  {
    when: { message: /scope/i },
    cause: 'The provider rejected the requested scopes.',
    field: 'scopes.available',
    fix: 'Request only scopes that the app has at the provider.',
  },
  {
    when: {
      message: /(unknown|unexpected|unsupported|unrecognized|extra) (parameter|field|property|argument)/i,
    },
    cause: 'The provider does not accept one of the parameters.',
    field: 'token.omit',
    fix: 'Leave out the parameter in its message.',
  },
  {
    when: { message: /missing|required|must be (present|provided)/i },
    cause: 'The provider requires another parameter.',
    field: 'token.params',
    fix:
      'Send the parameter in its message. If it was sent, the provider reads it from another place: ' +
      'check token.body and token.rename.',
  },
]
