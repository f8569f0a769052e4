import type { ExchangeKind, ExchangeRow } from './exchange-store.ts'
import type { ExchangeNote } from '../../auth-schemes/index.ts'

/** An exchange with what a condition may look at. */
export interface Case {
  exchange: ExchangeRow
  index: number
  request: ExchangeNote['request']
  answer: ExchangeNote['answer']
  /** The scheme as the toolkit declares it. */
  manifest: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>
  /** Members of the answer by dotted path. */
  paths: ReadonlyMap<string, unknown>
  /** Code and texts of the error. */
  text: string
  sent: ReadonlySet<string>
  auth: 'post' | 'basic' | 'jwt' | 'none'
  /** An earlier exchange gave tokens. */
  wentWellBefore: boolean
}

/** Every named part has to hold. */
export interface Condition {
  /** The exchange went well, and something could be better. Default false. */
  ok?: true
  kinds?: readonly ExchangeKind[]
  says?: RegExp
  status?: readonly [least: number, most: number]
  format?: readonly NonNullable<ExchangeNote['answer']['format']>[]
  failure?: readonly string[]
  auth?: readonly Case['auth'][]
  sent?: string
  notSent?: string
  /** Paths of the answer. */
  has?: RegExp
  lacks?: RegExp
  wentWellBefore?: boolean
  manifest?(one: Case): boolean
}

/** A symptom, its likely cause, the field of the scheme's manifest that mends it (null: it is mended elsewhere), and what to do. */
export interface Row {
  when: Condition
  cause: string
  field: string | null
  fix: string
}

const TOKENS: readonly ExchangeKind[] = ['code', 'refresh']
const TEN_YEARS_SECONDS = 315_360_000
const DEAD =
  /invalid_grant|bad_refresh_token|invalid_refresh_token|refresh_token_expired|token_revoked|token_expired|expired_token|bad_verification_code|invalid_code/i
const NO_CLIENT =
  /invalid_client|client authentication|unauthorized client|bad client|incorrect_client_credentials/i
const ACCESS_TOKEN = /^access_token$/
export const NESTED = /^.+\.(access_?token|token)$|^(accessToken|token|session_token|authToken)$/i

/** From the particular to the general: of a failure the first row that holds is told. */
export const ROWS: readonly Row[] = [
  // Nothing came back.
  {
    when: { failure: ['refused_address'] },
    cause: '{host} is not a public address, and this server reaches only public ones.',
    field: null,
    fix: 'If it is yours, open it with EGRESS_ALLOW; otherwise correct the address.',
  },
  {
    when: { failure: ['refused_url'] },
    cause: 'The address of the provider is not one that may be called.',
    field: 'token.url',
    fix: 'Give a plain http or https address, without a user name or password in it.',
  },
  {
    when: { failure: ['dns'] },
    cause: 'The name {host} does not exist.',
    field: 'token.url',
    fix: 'Check the address, and the fields and variants that it is filled from (a subdomain, a region).',
  },
  {
    when: { failure: ['timeout'] },
    cause: '{host} did not answer within 15 seconds.',
    field: null,
    fix: 'Look at the status page of the provider; try again. A proxy of the auth config may be what is slow.',
  },
  {
    when: { failure: ['connect', 'reset'] },
    cause: 'No connection to {host} could be made or kept.',
    field: null,
    fix: 'Check that the provider is up and that this machine may reach it; else correct token.url.',
  },
  {
    when: { failure: ['tls'] },
    cause: 'The certificate of {host} is not acceptable.',
    field: null,
    fix: 'The provider has to renew it; a private authority has to be made known to this server.',
  },
  {
    when: { failure: ['too_large'] },
    cause: 'The answer is larger than any token answer.',
    field: 'token.url',
    fix: 'The address probably serves something else: give the token endpoint.',
  },
  {
    when: { failure: ['protocol'] },
    cause: '{host} does not speak HTTP as it should.',
    field: 'token.url',
    fix: 'Check the scheme (http, https) and the port of the address.',
  },
  {
    when: { failure: ['not_sent'], says: /access_denied|consent_required|denied/i },
    cause: 'The user, or a rule of the organization at the provider, did not allow the access.',
    field: null,
    fix: 'Let the user try again and agree; where an administrator has to approve the app, ask for that.',
  },
  {
    when: { failure: ['not_sent'], says: /redirect_?uri|redirect address|callback/i },
    cause: 'The provider does not know the address that it should send the browser back to.',
    field: 'redirect_rules',
    fix: 'Register the callback address of this server at the provider, to the letter, or set oauth_redirect_uri in the auth config to the one that is registered.',
  },
  {
    when: { failure: ['not_sent'], says: /scope/i },
    cause: 'The provider refused the scopes that were asked for.',
    field: 'scopes.available',
    fix: 'Ask only for scopes that the app has at the provider; check authorize.scope_separator.',
  },
  {
    when: { failure: ['not_sent'], says: /unsupported_response_type|response_type/i },
    cause: 'The provider wants another response type.',
    field: 'authorize.response_type',
    fix: 'Give the response type of its documentation, or leave the parameter out with authorize.omit.',
  },
  {
    when: { failure: ['not_sent'], says: /without \w+/i, kinds: ['code'] },
    cause: 'The provider sent the browser back with the code under another name, or without one.',
    field: 'callback.code_param',
    fix: 'Name the parameter that carries the code.',
  },
  {
    when: { failure: ['not_sent'], says: /cannot be made/i },
    cause: 'The request needs a value that the connection does not have.',
    field: 'fields',
    fix: "Ask for the value in the fields, capture it (callback.capture, token.capture), or write a default: {name||'text'}.",
  },
  {
    when: { kinds: ['sign_in'], status: [400, 403] },
    cause: 'The application refused the user name or the password.',
    field: 'sign_in.params',
    fix: 'Connect again with the right ones; if they are right, check the names of the parameters.',
  },
  {
    when: { kinds: ['sign_in'], status: [200, 299] },
    cause: 'The application answered, but not with a token where it is looked for.',
    field: 'sign_in.token',
    fix: 'Name the path of the token in the answer, or sign_in.token_from_cookie or token_from_header.',
  },
  {
    when: { kinds: ['follow_up'] },
    cause: '{address} did not answer as the manifest expects of a further request.',
    field: 'token.steps',
    fix: 'Compare the step, token.introspect or the derived token with the documentation; the answer must hold what map and capture name.',
  },
  {
    when: { kinds: ['post_connect'], status: [200, 299] },
    cause: 'The application answered, but with nothing that this connection could be for.',
    field: 'post_connect',
    fix: 'Compare items, value and save with the answer; the user may have no access to any of them.',
  },
  {
    when: { kinds: ['post_connect'] },
    cause: 'The application does not tell what has to be looked up after connecting.',
    field: 'post_connect',
    fix: 'Check path and headers of the request, and the scopes that it needs.',
  },

  // Answers that are no token answers.
  {
    when: { status: [300, 399] },
    cause: '{address} answers with a redirect to {location}; a request with credentials is never redirected.',
    field: 'token.url',
    fix: 'Write the final address, often with or without a slash at its end, with www, or with https.',
  },
  {
    when: { status: [415, 415] },
    cause: 'The provider wants the parameters in another form.',
    field: 'token.body',
    fix: 'Set json, form or query, as its documentation says.',
  },
  {
    when: { says: /content.?type|media type|json.*(body|expected|required)|not valid json/i, kinds: TOKENS },
    cause: 'The provider wants the parameters in another form.',
    field: 'token.body',
    fix: 'Set json, form or query, as its documentation says.',
  },
  {
    when: { status: [405, 405] },
    cause: 'The endpoint does not take this method.',
    field: 'token.method',
    fix: 'Set the other one of GET and POST, or correct token.url.',
  },
  {
    when: { status: [406, 406] },
    cause: 'The provider does not answer in the form that was asked for.',
    field: 'token.headers',
    fix: 'Send the Accept header that it wants.',
  },
  {
    when: { says: /user.?agent/i },
    cause: 'The provider wants to know which program is calling.',
    field: 'token.headers',
    fix: 'Send a user-agent header.',
  },
  {
    when: { format: ['html'] },
    cause: '{address} answers with a web page, so it is no token endpoint.',
    field: 'token.url',
    fix: 'Give the address that programs use; it is often on another host than the consent page.',
  },
  {
    when: { status: [404, 404] },
    cause: 'There is nothing at {address}.',
    field: 'token.url',
    fix: 'Give the address of the documentation; a version or a tenant may be missing in the path.',
  },
  {
    when: { status: [429, 429] },
    cause: 'The provider is asked too often.',
    field: 'refresh.margin_seconds',
    fix: 'Wait; if it happens again, renew less early.',
  },

  // What an OAuth error says (RFC 6749, 5.2).
  {
    when: { says: /redirect_?uri/i },
    cause: 'The provider does not accept the redirect address {redirect_uri}.',
    field: 'redirect_rules',
    fix: 'Register it at the provider, to the letter, or set oauth_redirect_uri in the auth config to the one that is registered.',
  },
  {
    when: { says: /code_verifier|code_challenge|pkce/i, sent: 'code_verifier' },
    cause: 'The provider does not take PKCE as it was sent.',
    field: 'pkce',
    fix: 'Set plain or off, as its documentation says.',
  },
  {
    when: { says: /code_verifier|code_challenge|pkce/i, notSent: 'code_verifier' },
    cause: 'The provider demands PKCE.',
    field: 'pkce',
    fix: 'Set S256.',
  },
  {
    when: { says: /invalid_client_metadata|assertion/i, auth: ['jwt'] },
    cause: 'The provider does not accept the signed proof of the client.',
    field: 'client_auth.jwt',
    fix: 'Compare algorithm, key id and audience with what is registered; the clock of this machine must be right.',
  },
  {
    when: { says: NO_CLIENT, auth: ['post'] },
    cause: 'The client id and secret are wrong, or the provider wants them in the Authorization header.',
    field: 'client_auth',
    fix: 'Check both against the provider; if they are right, set basic.',
  },
  {
    when: { says: NO_CLIENT, auth: ['basic'] },
    cause: 'The client id and secret are wrong, or the provider wants them in the body.',
    field: 'client_auth',
    fix: 'Check both against the provider; if they are right, set post.',
  },
  {
    when: { says: NO_CLIENT },
    cause: 'The provider wants the client to prove itself.',
    field: 'client_auth',
    fix: 'Set post or basic, and give the client secret in the auth config.',
  },
  {
    when: { says: /unauthorized_client/i },
    cause: 'The app may not use this grant.',
    field: null,
    fix: 'Switch the grant (authorization code, refresh token) on for the app at the provider.',
  },
  {
    when: {
      says: DEAD,
      kinds: ['refresh'],
      wentWellBefore: true,
      manifest: ({ manifest }) => manifest['refresh']?.['rotates'] !== 'always',
    },
    cause:
      'The refresh token worked before: the provider gave a new one and ended the old one, or the user withdrew the access.',
    field: 'refresh.rotates',
    fix: 'Set always if the provider rotates refresh tokens, and reuse_grace_seconds if it has one. The user has to connect again.',
  },
  {
    when: { says: DEAD, kinds: ['refresh'] },
    cause: 'The grant has ended at the provider: withdrawn by the user, too old, or unused for too long.',
    field: 'refresh.max_idle_seconds',
    fix: 'The user has to connect again. If grants end when they are not used, say after how long.',
  },
  {
    when: { says: DEAD, kinds: ['code'] },
    cause: 'The code was used before, is too old, or belongs to another redirect address or client.',
    field: null,
    fix: 'Connect again; if it happens every time, compare client and redirect address with the registration.',
  },
  {
    when: { says: /unsupported_grant_type|grant_type/i, kinds: ['refresh'] },
    cause: 'The provider names the grant of a renewal otherwise.',
    field: 'refresh.grant_type',
    fix: 'Give the word of its documentation, or leave the parameter out with refresh.omit.',
  },
  {
    when: { says: /unsupported_grant_type|grant_type/i },
    cause: 'The provider names the grant otherwise, or reads the parameters elsewhere.',
    field: 'token.grant_type',
    fix: 'Give the word of its documentation; if it is right, check token.body.',
  },
  {
    when: { says: /invalid_target|resource|audience/i },
    cause: 'The provider wants to know for which API the token is.',
    field: 'resource',
    fix: 'Give the resource (RFC 8707), or the audience in token.params.',
  },
  {
    when: { says: /scope/i, kinds: ['refresh'], notSent: 'scope' },
    cause: 'The provider wants the scope in a renewal too.',
    field: 'refresh.params',
    fix: 'Send scope.',
  },
  {
    when: { says: /scope/i, notSent: 'scope' },
    cause: 'The provider wants the scope in the token request too.',
    field: 'token.params',
    fix: 'Send scope.',
  },
  {
    when: { says: /scope/i },
    cause: 'The provider refused the scopes that were asked for.',
    field: 'scopes.available',
    fix: 'Ask only for scopes that the app has at the provider.',
  },
  {
    when: {
      says: /(unknown|unexpected|unsupported|unrecognized|extra) (parameter|field|property|argument)/i,
    },
    cause: 'The provider does not take one of the parameters.',
    field: 'token.omit',
    fix: 'Leave out the one that it names.',
  },
  {
    when: { says: /missing|required|must be (present|provided)/i },
    cause: 'The provider wants a further parameter.',
    field: 'token.params',
    fix: 'Send the one that it names; if it was sent, it is read elsewhere: check token.body and token.rename.',
  },
  {
    when: {
      status: [200, 299],
      kinds: TOKENS,
      has: /^(error|errors|err|errcode|error_code)\b/i,
      manifest: ({ manifest }) => !manifest['token']?.['success_when'],
    },
    cause: 'The provider tells errors with status {status}.',
    field: 'token.success_when',
    fix: 'Say by which member a good answer is known.',
  },
  {
    when: { status: [200, 299], kinds: TOKENS, has: NESTED, lacks: ACCESS_TOKEN },
    cause: 'The token stands at {token_path} in the answer.',
    field: 'token.map',
    fix: 'Map access_token to {token_path}, and the other members likewise.',
  },
  {
    when: { status: [200, 299], kinds: TOKENS, format: ['text'] },
    cause: 'The answer is a text and no object.',
    field: 'token.map',
    fix: 'If the text is the token, map access_token to $.',
  },
  {
    when: { status: [200, 299], kinds: TOKENS },
    cause: 'The answer is a good one, but holds no access token where it is looked for.',
    field: 'token.map',
    fix: 'Map access_token to where it stands; if the answer tells an error, add token.success_when.',
  },
  {
    when: { kinds: ['revoke'] },
    cause: 'The provider did not end the grant.',
    field: 'revoke',
    fix: 'Check the address and parameters of the revocation; the user can withdraw the access in the application.',
  },
  {
    when: { kinds: ['probe'], status: [401, 401] },
    cause: 'The application refuses the credentials as they are sent.',
    field: 'apply',
    fix: 'Check the header or parameter that carries them, and the prefix before it (Bearer, Token).',
  },
  {
    when: { status: [401, 403] },
    cause: 'The provider refuses the client without saying why.',
    field: 'client_auth',
    fix: 'Check client id and secret; then try basic in place of post, or the other way round.',
  },
  {
    when: { status: [500, 599] },
    cause: 'The provider has a fault of its own.',
    field: null,
    fix: 'Try again later. Some answer so to parameters that they do not expect: compare the request with the documentation.',
  },

  // It works, and will not for ever.
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
    cause: 'The provider gave no refresh token, so the connection ends with its access token.',
    field: 'offline',
    fix: 'Ask for one: offline.params (access_type, token_access_type, duration) or offline.scope (offline_access).',
  },
  {
    when: {
      ok: true,
      kinds: TOKENS,
      has: /access_?token/i,
      lacks: /expir|ttl/i,
      manifest: ({ manifest }) =>
        Boolean(manifest['refresh']) &&
        !manifest['token']?.['lifetime_seconds'] &&
        !manifest['token']?.['introspect'],
    },
    cause: 'The provider does not say when the token ends, so it is renewed only after it was refused.',
    field: 'token.lifetime_seconds',
    fix: 'Give the lifetime of the documentation.',
  },
  {
    when: {
      ok: true,
      kinds: TOKENS,
      manifest: ({ manifest, paths }) =>
        (manifest['token']?.['expiry_unit'] ?? 'seconds') === 'seconds' &&
        Number(paths.get('expires_in') ?? 0) > TEN_YEARS_SECONDS,
    },
    cause: 'The token would live for more than ten years: the number is no count of seconds.',
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
    cause: 'A renewal answers a refresh token although the manifest says that none is given.',
    field: 'refresh.rotates',
    fix: 'Set sometimes or always.',
  },
]
