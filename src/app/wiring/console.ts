import { consoleRoutes, consoleSchedules, createSessions } from '../../features/console/index.ts'
import {
  createPasskeys,
  memberRoutes,
  memberSchedules,
  type OidcSettings,
} from '../../features/members/index.ts'
import { createAttemptLimit } from '../../platform/http/middleware/attempt-limit.ts'
import { createOidcProvider } from '../../platform/oauth/openid-provider.ts'
import type { AppOptions } from '../options.ts'
import type { HttpPart } from './http.ts'
import type { PlatformPart } from './platform.ts'

/** The console for people, unless it is off. */
export function wireConsole(
  options: AppOptions,
  platform: PlatformPart,
  { http, api, sessions, members }: HttpPart,
) {
  const { db, clock, encryptor, publicUrl, version, log } = platform
  const { console: assets } = options
  memberRoutes(api, { db, clock, publicUrl })
  if (assets && sessions) {
    const attempts = createAttemptLimit(db, clock)
    const { oidc: settings, egress } = options
    consoleRoutes(http, {
      db,
      clock,
      encryptor,
      publicUrl,
      version,
      log,
      assets,
      sessions,
      members,
      attempts,
      passkeys: createPasskeys({ db, clock, publicUrl }),
      oidc: settings && {
        settings,
        provider: createOidcProvider(providerSettings(settings), egress, () => clock.now()),
      },
    })
  }
  return {
    schedules: [
      ...consoleSchedules({ sessions: sessions ?? createSessions({ db, clock, publicUrl }) }),
      ...memberSchedules({ db, clock }),
    ],
    close: async () => assets?.close(),
  }
}

/** The roles of members come from a claim that some providers send at their UserInfo endpoint only. */
const providerSettings = ({ issuer, clientId, clientSecret, scopes, roleClaim, roleMap }: OidcSettings) => ({
  issuer,
  clientId,
  clientSecret,
  scopes,
  claims: ['email', ...(Object.keys(roleMap).length > 0 ? [roleClaim] : [])],
})
