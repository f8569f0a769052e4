import { auditRoutes, auditSchedules, createAuditRecorder } from '../../features/audit-log/index.ts'
import { authenticateConsole, createSessions } from '../../features/console/index.ts'
import { createMemberSignIn, createSignInProvider, listMemberNames } from '../../features/members/index.ts'
import { createFailurePage } from '../../features/connected-accounts/index.ts'
import {
  createAuthenticator,
  leakedKeyRoutes,
  listKeyNames,
  projectSchedules,
} from '../../features/projects/index.ts'
import type { Db } from '../../platform/db/sql.ts'
import { runOutsideProjects } from '../../platform/db/project-scope.ts'
import { SharedHeap } from '../../platform/shared-heap.ts'
import type { Authenticate } from '../../platform/http/call.ts'
import { createRateLimit, rateLimitSchedules } from '../../platform/http/middleware/rate-limit.ts'
import { createRequestTurns, type RequestTurns } from '../../platform/http/turns/request-turns.ts'
import { traceRequests } from '../../platform/http/server/request-spans.ts'
import { createServer } from '../../platform/http/server/server.ts'
import type { AppOptions } from '../options.ts'
import type { PlatformPart } from './platform.ts'

const WAITING_MAX = 256

/** Reads names of API keys and members. Members and keys of an organization belong to no project. */
const listActorNames = async (db: Db, organizationId: string, ids: readonly string[]) => {
  const lists = await runOutsideProjects(() =>
    Promise.all([listKeyNames(db, organizationId, ids), listMemberNames(db, organizationId, ids)]),
  )
  return lists.flat()
}

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
  const onRateLimitError = (err: unknown) => log.debug({ err }, 'rate-limit windows could not be shared')
  const rateLimit = createRateLimit(db, clock, limitsOf(options), onRateLimitError)
  const turns = wireRequestTurns(options, metrics)
  const sessions = options.console && createSessions({ db, clock, publicUrl: options.publicUrl })
  const { oidc, members } = wireSignIn(options, { db, clock, encryptor })
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
    turns,
    audit: createAuditRecorder({ db, clock }),
    trustedProxies: options.trustedProxies,
    unknownFields: options.unknownFields,
    confirmChanges: () => changes.confirm(),
    observeCall: options.observeCall,
    errorPage: createFailurePage(options.publicUrl),
  })
  metrics.watch(http)
  if (tracing) traceRequests(http, tracing)
  auditRoutes(api, { db, listActorNames: (organizationId, ids) => listActorNames(db, organizationId, ids) })
  leakedKeyRoutes(http, api, { db, clock, log, keysChanged: authenticator.forget })
  return {
    http,
    api,
    authenticator,
    /** Authenticates keys and, if there is a console, its sessions. */
    authenticate,
    sessions,
    members,
    oidc,
    rateLimit,
    turns,
    schedules: [
      ...rateLimitSchedules({ db }),
      ...projectSchedules({ db, clock }),
      ...auditSchedules({ db, retentionDays: options.auditRetentionDays ?? 0 }),
    ],
  }
}

/** The sign-in of people, here and at the identity provider of their organization. */
function wireSignIn(
  { egress, publicUrl, oidc: settings }: AppOptions,
  { db, clock, encryptor }: Pick<PlatformPart, 'db' | 'clock' | 'encryptor'>,
) {
  const oidc = createSignInProvider({ db, clock, encryptor, egress, settings })
  return {
    oidc,
    members: createMemberSignIn({ db, clock, encryptor, publicUrl, isPasswordOff: oidc.isOnly }),
  }
}

function wireRequestTurns(options: AppOptions, metrics: PlatformPart['metrics']): RequestTurns {
  const { projectConcurrency = 0, projectQueueMax = WAITING_MAX } = options
  const heap = new SharedHeap()
  const turns = createRequestTurns(
    { perProject: projectConcurrency, waitingMax: projectQueueMax },
    { ...metrics.turns, shared: () => heap.share() },
  )
  metrics.beforeRead(async () => metrics.turnsNow(turns.count()))
  return turns
}

const limitsOf = (options: AppOptions) => ({
  organization: options.rateLimitPerMinute,
  project: options.projectRateLimitPerMinute ?? 0,
  key: options.keyRateLimitPerMinute ?? 0,
  projectPerSecond: options.projectRateLimitPerSecond ?? 0,
})
