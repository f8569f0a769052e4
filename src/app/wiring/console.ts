import { consoleRoutes, consoleSchedules, createSessions } from '../../features/console/index.ts'
import {
  createOidcProvider,
  createPasskeys,
  memberRoutes,
  memberSchedules,
} from '../../features/members/index.ts'
import { createAttemptLimit } from '../../platform/http/middleware/attempt-limit.ts'
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
      ...{ db, clock, encryptor, publicUrl, version, log, assets, sessions, members, attempts },
      passkeys: createPasskeys({ db, clock, publicUrl }),
      oidc: settings && { settings, provider: createOidcProvider(settings, egress, () => clock.now()) },
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
