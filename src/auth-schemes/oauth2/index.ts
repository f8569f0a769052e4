import type { OAuth2Manifest } from '../../catalog/index.ts'
import { type AuthScheme, GrantRefused, type Setup } from '../scheme.ts'
import { startAuthorization } from './authorize.ts'
import { callbackCode, callbackValues } from './callback.ts'
import { requestToken } from './token-request.ts'
import { readGrant } from './token-reply.ts'

const MARGIN_SECONDS = 60
export const manifestOf = ({ scheme }: Pick<Setup, 'scheme'>) => scheme.manifest as OAuth2Manifest

/** Authorization code grant with PKCE and refresh (RFC 6749, RFC 7636); what a provider does differently stands in its manifest. */
export const oauth2: AuthScheme = {
  name: 'OAUTH2',
  redirects: true,
  start: startAuthorization,
  async finish(setup, secrets, callback, tools) {
    const code = callbackCode(setup, callback)
    const captured = callbackValues(setup, callback)
    const reply = await requestToken({ ...setup, val: { ...setup.val, ...captured } }, { kind: 'code', code, secrets }, tools)
    const grant = readGrant(setup, reply, tools.now())
    return { ...grant, val: { ...captured, ...grant.val } }
  },
  renewable(setup) {
    const kind = manifestOf(setup).refresh?.with ?? 'refresh_token'
    return kind !== 'never' && typeof setup.val[kind] === 'string'
  },
  async renew(setup, tools) {
    const kind = manifestOf(setup).refresh?.with ?? 'refresh_token'
    const token = kind === 'never' ? undefined : setup.val[kind]
    if (typeof token !== 'string') throw new GrantRefused('no_refresh_token', 'The access token has ended and the provider gave no refresh token.')
    const reply = await requestToken(setup, { kind: 'refresh', token }, tools)
    return readGrant(setup, reply, tools.now())
  },
  marginMs: (scheme) => ((scheme.manifest as OAuth2Manifest).refresh?.margin_seconds ?? MARGIN_SECONDS) * 1_000,
}
