import type { DiagnosisRule } from './rule.ts'
import { TOKEN_KINDS } from './patterns.ts'

/** Rules for responses that are no token responses. */
export const RESPONSE_RULES: readonly DiagnosisRule[] = [
  {
    when: { status: [300, 399] },
    cause:
      '{address} responds with a redirect to {location}; requests with credentials never follow redirects.',
    field: 'token.url',
    fix: 'Set the final URL, often with or without a trailing slash, with www, or with https.',
  },
  {
    when: { status: [415, 415] },
    cause: 'The provider requires the parameters in another format.',
    field: 'token.body',
    fix: 'Set json, form or query, as its documentation says.',
  },
  {
    when: {
      message: /content.?type|media type|json.*(body|expected|required)|not valid json/i,
      kinds: TOKEN_KINDS,
    },
    cause: 'The provider requires the parameters in another format.',
    field: 'token.body',
    fix: 'Set json, form or query, as its documentation says.',
  },
  {
    when: { status: [405, 405] },
    cause: 'The endpoint does not accept this method.',
    field: 'token.method',
    fix: 'Set the other one of GET and POST, or correct token.url.',
  },
  {
    when: { status: [406, 406] },
    cause: 'The provider does not respond in the requested format.',
    field: 'token.headers',
    fix: 'Send the Accept header that it requires.',
  },
  {
    when: { message: /user.?agent/i },
    cause: 'The provider requires a User-Agent header.',
    field: 'token.headers',
    fix: 'Send a user-agent header.',
  },
  {
    when: { format: ['html'] },
    cause: '{address} responds with a web page, so it is not a token endpoint.',
    field: 'token.url',
    fix: 'Set the URL for programs; it is often on another host than the consent page.',
  },
  {
    when: { status: [404, 404] },
    cause: '{address} does not exist.',
    field: 'token.url',
    fix: 'Set the URL of the documentation; a version or a tenant may be missing in the path.',
  },
  {
    when: { status: [429, 429] },
    cause: 'The provider received too many requests.',
    field: 'refresh.margin_seconds',
    fix: 'Wait. If it happens again, refresh the token later.',
  },
]
