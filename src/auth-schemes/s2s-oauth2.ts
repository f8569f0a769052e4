import type { S2SOAuth2Manifest } from '../catalog/index.ts'
import { oauth2 } from './oauth2/index.ts'
import { scopeList } from './oauth2/authorize.ts'
import { followUp } from './oauth2/follow-up.ts'
import { type Exchange, requestToken } from './oauth2/token-request.ts'
import { readGrant } from './oauth2/token-reply.ts'
import { revocation } from './revoke.ts'
import { type AuthScheme, type Grant, lookupOf, type SchemeTools, type ConnectionContext } from './scheme.ts'

/** Client credentials (RFC 6749 §4.4), or any other grant that the manifest fills in by itself: the first token is asked for when it is needed. */
export const s2sOAuth2: AuthScheme = {
  name: 'S2S_OAUTH2',
  redirects: false,
  ...revocation,
  renewable: () => true,
  isEmpty: ({ val }) => typeof val['access_token'] !== 'string' || val['access_token'] === '',
  renew,
  marginMs: (setup) => oauth2.marginMs!(setup),
}

/** A refresh token is only traded where the manifest says so: asking anew cannot lose a grant. */
async function renew(setup: ConnectionContext, tools: SchemeTools): Promise<Grant> {
  const { refresh } = setup.scheme.manifest as S2SOAuth2Manifest
  if (refresh?.with && refresh.with !== 'client' && oauth2.renewable!(setup))
    return oauth2.renew!(setup, tools)
  const scope = scopeOf(setup)
  const exchange: Exchange = { kind: 'client', ...(scope ? { scope } : {}) }
  return followUp(setup, exchange, readGrant(setup, await requestToken(setup, exchange, tools)), tools)
}

/** The scope to ask for. What the provider granted last time stands in `val.scope` too, so the lists of the developer and the toolkit come first. */
function scopeOf(setup: ConnectionContext): string {
  const { scopes, scope_separator: separator = ' ' } = setup.scheme.manifest as S2SOAuth2Manifest
  return scopeList(setup.credentials['scopes'] ?? lookupOf(setup)('scope'), scopes?.default).join(separator)
}
