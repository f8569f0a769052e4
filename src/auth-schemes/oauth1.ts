import { timingSafeEqual, createHash } from 'node:crypto'
import { compileTemplate, type OAuth1Manifest, renderUrl } from '../catalog/index.ts'
import { buildRequest, type AuthProviderResponse, sendRequest } from './provider-requests/send-request.ts'
import { manifestRevocation, revokeWith } from './provider-requests/revocation.ts'
import {
  type AuthScheme,
  GrantRejected,
  credentialLookup,
  type OutgoingRequest,
  ProviderUnavailable,
  type SchemeDeps,
  type ConnectionContext,
  type Credentials,
} from './scheme.ts'
import { isObject } from '../platform/json-object.ts'
import { signRequest } from './signing/index.ts'
import { oauth1Header, type OAuth1Keys, type OAuth1Options } from './signing/oauth1-signature.ts'
import { newSignatureContext } from './signing/signature-context.ts'
import { fillOptionalTemplate, fillTemplates } from './credentials/templates.ts'

const ERROR_CHARACTERS_MAX = 300

/**
 * OAuth 1.0a (RFC 5849): temporary credentials, consent, token credentials, and a signature on every request.
 */
export const oauth1: AuthScheme = {
  name: 'OAUTH1',
  redirects: true,
  canRevoke: manifestRevocation.canRevoke,
  revoke(connection, deps) {
    const { revoke } = connection.scheme.manifest
    return revoke
      ? revokeWith(revoke, connection, deps, signWithAccount)
      : manifestRevocation.revoke(connection, deps)
  },
  async start(connection, state, deps) {
    const {
      request_token: { url },
      authorize,
    } = manifestOf(connection)
    const response = await sendSignedRequest(
      connection,
      url,
      {},
      { oauth_callback: withState(connection.redirectUri, state) },
      deps,
    )
    const { token, secret } = readTokens(response)
    // Without it, the provider implements the first edition of OAuth 1, which is vulnerable (RFC 5849 §2.1).
    if ((response.body as Credentials)['oauth_callback_confirmed'] !== 'true')
      throw new ProviderUnavailable(
        'The provider did not confirm the callback URL. Register it with your app at the provider.',
      )
    const lookup = credentialLookup(connection)
    const params = new URLSearchParams({ ...fillTemplates(authorize.params, lookup), oauth_token: token })
    const base = renderUrl(compileTemplate(authorize.url), lookup)
    const authUri = `${base}${base.includes('?') ? '&' : '?'}${params}`
    return {
      url: authUri,
      state,
      secrets: { state, request_token: token, request_token_secret: secret },
      credentials: { oauth_token: token, oauth_token_secret: secret, authUri },
    }
  },
  async finish(connection, secrets, callback, deps) {
    if (callback['denied'] !== undefined || callback['error'] !== undefined)
      throw new GrantRejected('access_denied', 'access_denied')
    const { oauth_token: token, oauth_verifier: verifier } = callback
    if (typeof token !== 'string' || !isSameToken(token, String(secrets['request_token'] ?? '')))
      throw new GrantRejected(
        'token_mismatch',
        'The provider sent the browser back with a different request token.',
      )
    if (typeof verifier !== 'string' || !verifier)
      throw new ProviderUnavailable('The provider sent the browser back without oauth_verifier.')
    const keys = { token, tokenSecret: String(secrets['request_token_secret'] ?? '') }
    const response = await sendSignedRequest(
      connection,
      manifestOf(connection).access_token.url,
      keys,
      { oauth_verifier: verifier },
      deps,
    )
    const granted = readTokens(response)
    return {
      credentials: {
        oauth_token: granted.token,
        oauth_token_secret: granted.secret,
        oauth_verifier: verifier,
      },
      expiresAt: null,
    }
  },
  sign: signWithAccount,
}

/** Signs a request with the tokens of the account (RFC 5849 §3). */
function signWithAccount(
  connection: ConnectionContext,
  outgoing: OutgoingRequest,
  now: number,
): { url: string; headers: Record<string, string> } {
  const { signature_method: method, realm } = manifestOf(connection)
  return signRequest(
    { kind: 'oauth1', ...(method ? { method } : {}), ...(realm === undefined ? {} : { realm }) },
    credentialLookup(connection),
    outgoing,
    now,
  )
}

const manifestOf = ({ scheme }: Pick<ConnectionContext, 'scheme'>) => scheme.manifest as OAuth1Manifest

/** OAuth 1 has no state parameter: it is part of the callback URL, which the provider returns unchanged. */
function withState(redirectUri: string, state: string): string {
  const url = new URL(redirectUri)
  url.searchParams.set('state', state)
  return url.href
}

/** Sends one signed request to an OAuth endpoint of the provider (RFC 5849 §2.1, §2.3). */
async function sendSignedRequest(
  connection: ConnectionContext,
  urlTemplate: string,
  keys: Partial<OAuth1Keys>,
  extra: Readonly<Record<string, string>>,
  deps: SchemeDeps,
): Promise<AuthProviderResponse> {
  const { signature_method: method, realm } = manifestOf(connection)
  const lookup = credentialLookup(connection)
  const text = (name: string) => String(lookup(name) ?? '')
  return sendRequest(
    deps,
    connection.proxy,
    buildRequest(() => {
      const outgoing = { method: 'POST', url: renderUrl(compileTemplate(urlTemplate), lookup), headers: {} }
      const options: OAuth1Options = { method, realm: fillOptionalTemplate(realm, lookup), extra }
      const authorization = oauth1Header(
        outgoing,
        { consumerKey: text('consumer_key'), consumerSecret: text('consumer_secret'), ...keys },
        newSignatureContext(deps.now()),
        options,
      )
      return {
        ...outgoing,
        headers: { authorization, accept: 'application/x-www-form-urlencoded, */*;q=0.5' },
      }
    }),
  )
}

function readTokens({ status, body }: AuthProviderResponse): { token: string; secret: string } {
  const fields = isObject(body) ? body : {}
  const { oauth_token: token, oauth_token_secret: secret, oauth_problem: problem } = fields
  if (status >= 200 && status <= 299 && typeof token === 'string' && token && typeof secret === 'string')
    return { token, secret }
  const code = typeof problem === 'string' ? problem.slice(0, ERROR_CHARACTERS_MAX) : undefined
  const message = `The provider returned status ${status}${code === undefined ? ' and no token' : `: ${code}`}.`
  if (status === 400 || status === 401 || status === 403)
    throw new GrantRejected(code ?? `status_${status}`, message)
  throw new ProviderUnavailable(message)
}

/** Compares in constant time, so that response times reveal nothing about the token of another flow. */
const isSameToken = (a: string, b: string) =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
