import type { DiagnosisRule } from './rule.ts'
import { ACCESS_TOKEN, NESTED_TOKEN, TOKEN_KINDS } from './patterns.ts'

/** Rules for successful token responses without a usable token, and for failed revocations and probes. */
export const TOKEN_RESPONSE_RULES: readonly DiagnosisRule[] = [
  {
    when: {
      status: [200, 299],
      kinds: TOKEN_KINDS,
      has: /^(error|errors|err|errcode|error_code)\b/i,
      manifest: ({ manifest }) => !manifest['token']?.['success_when'],
    },
    cause: 'The provider reports errors with status {status}.',
    field: 'token.success_when',
    fix: 'Set the field that identifies a successful response.',
  },
  {
    when: { status: [200, 299], kinds: TOKEN_KINDS, has: NESTED_TOKEN, lacks: ACCESS_TOKEN },
    cause: 'The token is at {token_path} in the response.',
    field: 'token.map',
    fix: 'Map access_token to {token_path}, and the other fields likewise.',
  },
  {
    when: { status: [200, 299], kinds: TOKEN_KINDS, format: ['text'] },
    cause: 'The response is a text and not an object.',
    field: 'token.map',
    fix: 'If the text is the token, map access_token to $.',
  },
  {
    when: { status: [200, 299], kinds: TOKEN_KINDS },
    cause: 'The response is successful, but has no access token at the configured path.',
    field: 'token.map',
    fix: 'Map access_token to its path. If the response reports an error, add token.success_when.',
  },
  {
    when: { kinds: ['revoke'] },
    cause: 'The provider did not revoke the grant.',
    field: 'revoke',
    fix: 'Check the URL and parameters of the revocation. The user can revoke the access in the application.',
  },
  {
    when: { kinds: ['probe'], status: [401, 401] },
    cause: 'The application rejects the credentials in the form in which they are sent.',
    field: 'apply',
    fix: 'Check the header or parameter of the credentials, and their prefix (Bearer, Token).',
  },
  {
    when: { status: [401, 403] },
    cause: 'The provider rejects the client without a reason.',
    field: 'client_auth',
    fix: 'Check client id and secret; then try basic instead of post, or post instead of basic.',
  },
  {
    when: { status: [500, 599] },
    cause: 'The provider has an internal error.',
    field: null,
    fix:
      'Try again later. Some providers return this for unexpected parameters: compare the request with ' +
      'the documentation.',
  },
]
