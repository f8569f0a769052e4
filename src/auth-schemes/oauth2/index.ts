import type { OAuth2Manifest } from '../../catalog/index.ts'
import { revocation } from '../revoke.ts'
import { type AuthScheme, GrantRejected, type ConnectionContext, type Values } from '../scheme.ts'
import { startAuthorization } from './authorize.ts'
import { callbackCode, callbackValues } from './callback.ts'
import { followUp } from './follow-up.ts'
import { idTokensOf } from './id-token.ts'
import { type Exchange, requestToken } from './token-request.ts'
import { readGrant } from './token-reply.ts'

const MARGIN_SECONDS = 60
export const manifestOf = ({ scheme }: Pick<ConnectionContext, 'scheme'>) => scheme.manifest as OAuth2Manifest

/** Authorization code grant with PKCE and refresh (RFC 6749, RFC 7636); what a provider does differently stands in its manifest. */
export const oauth2: AuthScheme = {
  name: 'OAUTH2',
  redirects: true,
  ...revocation,
  start: startAuthorization,
  async finish(setup, secrets, callback, tools) {
    const code = callbackCode(setup, callback)
    const captured = callbackValues(setup, callback)
    const begun = { ...setup, val: { ...setup.val, ...captured } }
    const exchange = exchangeFor(setup, code, secrets)
    const idTokens = idTokensOf(begun, secrets, tools)
    await idTokens.ofCallback(callback['id_token'], code)
    const first = readGrant(setup, await requestToken(begun, exchange, tools))
    await idTokens.ofReply(first.val['id_token'])
    const grant = await followUp(begun, exchange, first, tools)
    return { ...grant, val: { ...captured, ...grant.val } }
  },
  renewable: (setup) => renewalBy(setup) !== undefined,
  async renew(setup, tools) {
    const exchange = renewalBy(setup)
    if (!exchange)
      throw new GrantRejected(
        'no_refresh_token',
        'The access token has ended and the provider gave no refresh token.',
      )
    return followUp(setup, exchange, readGrant(setup, await requestToken(setup, exchange, tools)), tools)
  },
  reuseGraceMs: (setup) => (manifestOf(setup).refresh?.reuse_grace_seconds ?? 0) * 1_000,
  marginMs(setup) {
    const { refresh } = manifestOf(setup)
    const lifetime = lifetimeSeconds(setup)
    // At half its life at the latest: a token shorter than the margin would be renewed at every call.
    return Math.min((refresh?.margin_seconds ?? MARGIN_SECONDS) * 1_000, lifetime ? lifetime * 500 : Infinity)
  },
}

/** After the consent of an administrator there is no code: the client asks by itself. */
const exchangeFor = (setup: ConnectionContext, code: string, secrets: Values): Exchange =>
  manifestOf(setup).authorize.flow === 'admin_consent' ? { kind: 'client' } : { kind: 'code', code, secrets }

/** How fresh credentials are asked for; undefined when the manifest knows no renewal or the provider gave nothing to trade. */
function renewalBy(setup: ConnectionContext): Exchange | undefined {
  const { refresh } = manifestOf(setup)
  if (!refresh || refresh.with === 'never') return undefined
  if (refresh.with === 'client') return { kind: 'client' }
  const token = setup.val[refresh.with ?? 'refresh_token']
  return typeof token === 'string' && token ? { kind: 'refresh', token } : undefined
}

/** How long the token lived when it was new, where that is told as a duration. */
function lifetimeSeconds({ val, scheme }: ConnectionContext): number | undefined {
  const { token } = scheme.manifest as OAuth2Manifest
  const known = val['lifetime_seconds']
  if (typeof known === 'number') return known
  const told = Number(val['expires_in'])
  const unit = token.expiry_unit ?? 'seconds'
  if (told > 0 && unit === 'seconds') return told
  if (told > 0 && unit === 'milliseconds') return told / 1_000
  return token.lifetime_seconds
}
