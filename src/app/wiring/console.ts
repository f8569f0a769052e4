import {
  consoleRedirectUri,
  consoleRoutes,
  consoleSchedules,
  createSessions,
} from '../../features/console/index.ts'
import { createPasskeys, memberRoutes, memberSchedules, ssoRoutes } from '../../features/members/index.ts'
import { createAttemptLimit } from '../../platform/http/middleware/attempt-limit.ts'
import type { AppOptions } from '../options.ts'
import type { HttpPart } from './http.ts'
import type { PlatformPart } from './platform.ts'

/** The console for people, unless it is off. */
export function wireConsole(
  options: AppOptions,
  platform: PlatformPart,
  { http, api, sessions, members, oidc }: HttpPart,
) {
  const { db, clock, encryptor, publicUrl, version, log } = platform
  const { console: assets } = options
  memberRoutes(api, { db, clock, publicUrl })
  const allSessions = sessions ?? createSessions({ db, clock, publicUrl })
  ssoRoutes(api, {
    db,
    clock,
    encryptor,
    egress: options.egress,
    settings: options.oidc,
    redirectUri: consoleRedirectUri(publicUrl),
    sessions: allSessions,
  })
  if (assets && sessions) {
    const attempts = createAttemptLimit(db, clock)
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
      oidc,
    })
  }
  return {
    schedules: [...consoleSchedules({ sessions: allSessions }), ...memberSchedules({ db, clock })],
    close: async () => assets?.close(),
  }
}
