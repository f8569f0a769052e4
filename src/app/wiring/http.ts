import { createFailurePage } from '../../features/connected-accounts/index.ts'
import { createAuthenticator } from '../../features/projects/index.ts'
import { createRateLimit, rateLimitSchedules } from '../../platform/http/middleware/rate-limit.ts'
import { createServer } from '../../platform/http/server/server.ts'
import type { AppOptions } from '../options.ts'
import type { PlatformPart } from './platform.ts'

export type HttpPart = ReturnType<typeof wireHttp>

/** The HTTP server with authentication and rate limits. */
export function wireHttp(options: AppOptions, { db, changes, clock, log, brand, metrics }: PlatformPart) {
  const authenticator = createAuthenticator({ db, clock, mayCache: () => changes.connected })
  changes.on('principals_changed', authenticator.forget, authenticator.forget)
  const limits = {
    organization: options.rateLimitPerMinute,
    project: options.projectRateLimitPerMinute ?? 0,
    key: options.keyRateLimitPerMinute ?? 0,
  }
  const rateLimit = createRateLimit(db, clock, limits, (error) =>
    log.debug({ err: error }, 'rate-limit windows could not be shared'),
  )
  const { app: http, api } = createServer({
    log,
    brand,
    authenticate: authenticator.authenticate,
    limit: rateLimit.limit,
    trustedProxies: options.trustedProxies,
    errorPage: createFailurePage(options.publicUrl),
  })
  metrics.watch(http)
  return {
    http,
    api,
    authenticator,
    rateLimit,
    schedules: rateLimitSchedules({ db }),
  }
}
