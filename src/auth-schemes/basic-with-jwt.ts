import { decodeJwt } from 'jose'
import type { BasicWithJwtManifest } from '../catalog/index.ts'
import { PASSWORD_REFUSED } from './basic.ts'
import { momentOf } from './lifetime.ts'
import { revocation } from './revoke.ts'
import type { AuthScheme } from './scheme.ts'
import { earlyMargin, requestSession, secondsUntil } from './session.ts'

/** User name and password traded for a JSON Web Token, which is kept until shortly before its end. */
export const basicWithJwt: AuthScheme = {
  name: 'BASIC_WITH_JWT',
  redirects: false,
  ...revocation,
  renewable: () => true,
  isEmpty: ({ val }) => val['session_token'] === undefined,
  async renew(setup, tools) {
    const { token, expiresAt: told } = await requestSession(
      setup,
      (setup.scheme.manifest as BasicWithJwtManifest).sign_in,
      tools,
      PASSWORD_REFUSED,
    )
    const expiresAt = endIn(token) ?? told
    return { val: { session_token: token, ...secondsUntil(expiresAt, tools.now()) }, expiresAt }
  },
  marginMs: earlyMargin,
}

/** What the token itself says of its end; nobody checks its signature here, since nothing is decided by it but when to ask for another. */
function endIn(token: string): number | null {
  try {
    return momentOf(Number(decodeJwt(token).exp) * 1_000)
  } catch {
    return null
  }
}
