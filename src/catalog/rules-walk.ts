import type { AuthSchemeManifest } from './manifest/index.ts'
import type { Reporter } from './mistakes.ts'

/** Rules about walks that are no authorization request, or end otherwise than by a redirect with state and code. */
export function checkWalk(scheme: AuthSchemeManifest, path: string, report: Reporter): void {
  if (scheme.scheme === 'DCR_OAUTH') {
    if (scheme.authorize?.flow) report.add(`${path}/authorize/flow`, 'belongs to OAUTH2.')
    if (scheme.callback?.state_from) report.add(`${path}/callback/state_from`, 'belongs to OAUTH2.')
  }
  if (scheme.scheme !== 'OAUTH2') return
  const { authorize: { flow }, callback, refresh, token } = scheme
  const needsBrowser = flow === 'inbound_install'
  if (needsBrowser && callback?.state_from !== 'cookie') report.add(`${path}/callback`, '`state_from` must be `cookie`: the provider of an inbound installation brings no state.')
  if (!needsBrowser && callback?.state_from) report.add(`${path}/callback/state_from`, 'is for `authorize.flow: inbound_install`: wherever a state comes back, the state decides.')
  if (flow === 'admin_consent' && refresh?.with !== 'client') report.add(`${path}/refresh`, 'give `"with": "client"`: after the consent of an administrator the client asks for every token by itself.')
  if (flow === 'admin_consent' && token.grant_type !== undefined && ['authorization_code', 'refresh_token'].includes(token.grant_type)) report.add(`${path}/token/grant_type`, 'there is no such grant after the consent of an administrator.')
}
