import { auditRoutes, auditSchedules, createAuditRecorder } from '../../features/audit-log/index.ts'
import { authenticateConsole, createSessions } from '../../features/console/index.ts'
import { createMemberSignIn } from '../../features/members/index.ts'
import { createFailurePage } from '../../features/connected-accounts/index.ts'
import { createAuthenticator, leakedKeyRoutes, projectSchedules } from '../../features/projects/index.ts'
import { runOutsideProjects } from '../../platform/db/project-scope.ts'
import type { Authenticate } from '../../platform/http/call.ts'
import { createRateLimit, rateLimitSchedules } from '../../platform/http/middleware/rate-limit.ts'
import { traceRequests } from '../../platform/http/server/request-spans.ts'
import { createServer } from '../../platform/http/server/server.ts'
import type { AppOptions } from '../options.ts'
import type { PlatformPart } from './platform.ts'

export type HttpPart = ReturnType<typeof wireHttp>

/** The HTTP server with authentication and rate limits. */
export function wireHttp(
  options: AppOptions,
  { db, changes, clock, encryptor, log, brand, metrics, tracing }: PlatformPart,
) {
  const authenticator = createAuthenticator({
    db,
    clock,
    mayCache: () => changes.connected,
    onError: (error) => log.debug({ err: error }, 'the last uses of keys could not be stored'),
  })
  changes.on('principals_changed', authenticator.forget, authenticator.forget)
  const rateLimit = createRateLimit(db, clock, limitsOf(options), (error) =>
    log.debug({ err: error }, 'rate-limit windows could not be shared'),
  )
  const sessions = options.console && createSessions({ db, clock, publicUrl: options.publicUrl })
  const members = createMemberSignIn({
    db,
    clock,
    encryptor,
    publicUrl: options.publicUrl,
    isPasswordOff: options.oidc?.isOnly ?? false,
  })
  const authenticateCaller = sessions
    ? authenticateConsole(authenticator.authenticate, { db, clock }, sessions, members.findMember)
    : authenticator.authenticate
  // A key or a session decides in which project a call runs, so its check runs in none.
  const authenticate: Authenticate = (...call) => runOutsideProjects(() => authenticateCaller(...call))
  const { app: http, api } = createServer({
    log,
    brand,
    authenticate,
    limit: rateLimit.limit,
    audit: createAuditRecorder({ db, clock }),
    trustedProxies: options.trustedProxies,
    unknownFields: options.unknownFields,
    observeCall: options.observeCall,
    errorPage: createFailurePage(options.publicUrl),
  })
  metrics.watch(http)
  if (tracing) traceRequests(http, tracing)
  auditRoutes(api, { db })
  leakedKeyRoutes(http, { db, clock, log, keysChanged: authenticator.forget })
  return {
    http,
    api,
    authenticator,
    /** Authenticates keys and, if there is a console, its sessions. */
    authenticate,
    sessions,
    members,
    rateLimit,
    schedules: [
      ...rateLimitSchedules({ db }),
      ...projectSchedules({ db, clock }),
      ...auditSchedules({ db, retentionDays: options.auditRetentionDays ?? 0 }),
    ],
  }
}

const limitsOf = (options: AppOptions) => ({
  organization: options.rateLimitPerMinute,
  project: options.projectRateLimitPerMinute ?? 0,
  key: options.keyRateLimitPerMinute ?? 0,
})
