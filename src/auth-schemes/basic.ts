import type { BasicManifest } from '../catalog/index.ts'
import { revocation } from './revoke.ts'
import { type AuthScheme, GrantRejected, type ConnectionContext } from './scheme.ts'
import { requestSession, secondsUntil } from './session.ts'

const MARGIN_MS = 60_000
export const PASSWORD_REFUSED = 'The application refused the user name or the password.'

/** HTTP Basic (RFC 7617), or user name and password traded for a session token where the manifest declares `sign_in`. */
export const basic: AuthScheme = {
  name: 'BASIC',
  redirects: false,
  ...revocation,
  renewable: (setup) => signInOf(setup) !== undefined,
  isEmpty: ({ val }) => val['session_token'] === undefined,
  async renew(setup, tools) {
    const signIn = signInOf(setup)
    if (!signIn) throw new GrantRejected('not_renewable', 'The user name or the password is refused.')
    const { token, expiresAt } = await requestSession(setup, signIn, tools, PASSWORD_REFUSED)
    return { val: { session_token: token, ...secondsUntil(expiresAt, tools.now()) }, expiresAt }
  },
  marginMs(setup) {
    const lifetime = Number(setup.val['expires_in']) || signInOf(setup)?.lifetime_seconds
    // At half its life at the latest: a session shorter than the margin would be renewed at every call.
    return Math.min(MARGIN_MS, lifetime ? lifetime * 500 : MARGIN_MS)
  },
}

const signInOf = ({ scheme }: ConnectionContext) => (scheme.manifest as BasicManifest).sign_in
