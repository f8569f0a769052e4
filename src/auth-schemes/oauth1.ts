import { timingSafeEqual, createHash } from 'node:crypto'
import { compileTemplate, type OAuth1Manifest, renderAddress } from '../catalog/index.ts'
import { built, type ProviderReply, request } from './provider-request.ts'
import { revocation, revokeBy } from './revoke.ts'
import {
  type AuthScheme,
  GrantRejected,
  lookupOf,
  type OutgoingRequest,
  ProviderTrouble,
  type SchemeTools,
  type ConnectionContext,
  type Values,
} from './scheme.ts'
import { signRequest } from './signing/index.ts'
import { oauth1Header, type OAuth1Keys, type OAuth1Options } from './signing/oauth1.ts'
import { momentOf } from './signing/parts.ts'
import { fillOptional, fillTexts } from './texts.ts'

const TEXT_MAX = 300

/** OAuth 1.0a (RFC 5849): temporary credentials, consent, token credentials, and a signature on every request. */
export const oauth1: AuthScheme = {
  name: 'OAUTH1',
  redirects: true,
  revocable: revocation.revocable,
  revoke(setup, tools) {
    const { revoke } = setup.scheme.manifest
    return revoke ? revokeBy(revoke, setup, tools, signed) : revocation.revoke(setup, tools)
  },
  async start(setup, state, tools) {
    const {
      request_token: { url },
      authorize,
    } = manifestOf(setup)
    const reply = await ask(setup, url, {}, { oauth_callback: withState(setup.redirectUri, state) }, tools)
    const { token, secret } = tokensIn(reply)
    // Without it the provider follows the flawed first edition (RFC 5849 §2.1).
    if ((reply.body as Values)['oauth_callback_confirmed'] !== 'true')
      throw new ProviderTrouble(
        'The provider did not confirm the callback address: register it with your app.',
      )
    const lookup = lookupOf(setup)
    const params = new URLSearchParams({ ...fillTexts(authorize.params, lookup), oauth_token: token })
    const base = renderAddress(compileTemplate(authorize.url), lookup)
    const authUri = `${base}${base.includes('?') ? '&' : '?'}${params}`
    return {
      url: authUri,
      state,
      secrets: { state, request_token: token, request_token_secret: secret },
      val: { oauth_token: token, oauth_token_secret: secret, authUri },
    }
  },
  async finish(setup, secrets, callback, tools) {
    if (callback['denied'] !== undefined || callback['error'] !== undefined)
      throw new GrantRejected('access_denied', 'access_denied')
    const { oauth_token: token, oauth_verifier: verifier } = callback
    if (typeof token !== 'string' || !isSame(token, String(secrets['request_token'] ?? '')))
      throw new GrantRejected(
        'token_mismatch',
        'The provider sent the browser back with another request token.',
      )
    if (typeof verifier !== 'string' || !verifier)
      throw new ProviderTrouble('The provider sent the browser back without oauth_verifier.')
    const keys = { token, tokenSecret: String(secrets['request_token_secret'] ?? '') }
    const reply = await ask(
      setup,
      manifestOf(setup).access_token.url,
      keys,
      { oauth_verifier: verifier },
      tools,
    )
    const granted = tokensIn(reply)
    return { val: { oauth_token: granted.token, oauth_token_secret: granted.secret }, expiresAt: null }
  },
  sign: signed,
}

/** A request with the tokens of the account (RFC 5849 §3). */
function signed(
  setup: ConnectionContext,
  outgoing: OutgoingRequest,
  now: number,
): { url: string; headers: Record<string, string> } {
  const { signature_method: method, realm } = manifestOf(setup)
  return signRequest(
    { kind: 'oauth1', ...(method ? { method } : {}), ...(realm === undefined ? {} : { realm }) },
    lookupOf(setup),
    outgoing,
    now,
  )
}

const manifestOf = ({ scheme }: Pick<ConnectionContext, 'scheme'>) => scheme.manifest as OAuth1Manifest

/** OAuth 1 knows no state: it stands in the callback address, which the provider has to bring back whole. */
function withState(redirectUri: string, state: string): string {
  const url = new URL(redirectUri)
  url.searchParams.set('state', state)
  return url.href
}

/** One signed request to the provider's own endpoints (RFC 5849 §2.1, §2.3). */
async function ask(
  setup: ConnectionContext,
  address: string,
  keys: Partial<OAuth1Keys>,
  extra: Readonly<Record<string, string>>,
  tools: SchemeTools,
): Promise<ProviderReply> {
  const { signature_method: method, realm } = manifestOf(setup)
  const lookup = lookupOf(setup)
  const text = (name: string) => String(lookup(name) ?? '')
  return request(
    tools,
    setup.proxy,
    built(() => {
      const outgoing = { method: 'POST', url: renderAddress(compileTemplate(address), lookup), headers: {} }
      const options: OAuth1Options = { method, realm: fillOptional(realm, lookup), extra }
      const authorization = oauth1Header(
        outgoing,
        { consumerKey: text('consumer_key'), consumerSecret: text('consumer_secret'), ...keys },
        momentOf(tools.now()),
        options,
      )
      return {
        ...outgoing,
        headers: { authorization, accept: 'application/x-www-form-urlencoded, */*;q=0.5' },
      }
    }),
  )
}

function tokensIn({ status, body }: ProviderReply): { token: string; secret: string } {
  const { oauth_token: token, oauth_token_secret: secret } =
    typeof body === 'object' && body !== null ? (body as Values) : ({} as Values)
  if (status >= 200 && status <= 299 && typeof token === 'string' && token && typeof secret === 'string')
    return { token, secret }
  const problem = typeof body === 'object' && body !== null ? (body as Values)['oauth_problem'] : undefined
  const told = `The provider answered with status ${status}${typeof problem === 'string' ? `: ${problem.slice(0, TEXT_MAX)}` : ' and no token'}.`
  if (status === 400 || status === 401 || status === 403)
    throw new GrantRejected(
      typeof problem === 'string' ? problem.slice(0, TEXT_MAX) : `status_${status}`,
      told,
    )
  throw new ProviderTrouble(told)
}

/** Constant time: the token of another walk is not guessed by asking. */
const isSame = (one: string, other: string) =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest())
