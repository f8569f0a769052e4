import { createHash } from 'node:crypto'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Authenticate, IncomingCall } from '../../platform/http/call.ts'
import { newId } from '../../platform/ids.ts'
import { authenticateMember, type MemberRow, type ProviderSessions } from '../members/index.ts'
import { authenticateAsKey, findKeyById } from '../projects/index.ts'
import { newSessionToken, readSessionCookie, sessionCookie } from './cookie.ts'
import { assertSameOrigin, isConsoleRequest } from './same-origin.ts'
import * as store from './store.ts'

/** A session ends this long after its last request, */
const IDLE_MS = 12 * 3_600_000
/** and this long after the sign-in, whatever happens. */
const LIFETIME_MS = 7 * 86_400_000
/** How exact `last_used_at` is. */
const TOUCH_EVERY_MS = 60_000
const USER_AGENT_MAX = 300

export interface ConsoleDeps {
  db: Db
  clock: Clock
  publicUrl: string
}

/** Who a session belongs to. */
export interface SessionOwner {
  organizationId: string
  keyId?: string
  memberId?: string
  /** The revision of the identity provider, if the sign-in was there. */
  providerRevision?: string
}

export type Sessions = ReturnType<typeof createSessions>

const hash = (token: string): Buffer => createHash('sha256').update(token).digest()
const headerText = (value: string | string[] | undefined): string => (typeof value === 'string' ? value : '')

const limitsAt = (now: number) => ({ now: new Date(now), usedAfter: new Date(now - IDLE_MS) })

/** Sessions of people in the console: a random token in a cookie, of which the database has the hash. */
export function createSessions({ db, clock, publicUrl }: ConsoleDeps) {
  const limits = () => limitsAt(clock.now())

  async function find({ headers }: Pick<IncomingCall, 'headers'>): Promise<store.SessionRow | undefined> {
    const token = readSessionCookie(headers['cookie'] as string | undefined, publicUrl)
    return token === undefined ? undefined : store.findSession(db, hash(token), limits())
  }

  return {
    find,
    /** Finds the session of a request and checks its origin. @throws ApiError 401, 403 */
    async require(request: IncomingCall): Promise<store.SessionRow> {
      assertSameOrigin(request, publicUrl)
      const session = await find(request)
      if (!session) throw expired()
      const now = clock.now()
      if (now - session.last_used_at.getTime() > TOUCH_EVERY_MS)
        await store.touchSession(db, session.id, new Date(now))
      return session
    },
    /** Starts a session, and returns its cookie. An earlier session of the browser ends. */
    async start(owner: SessionOwner, request: IncomingCall): Promise<string> {
      const earlier = await find(request)
      if (earlier) await store.deleteSession(db, earlier.id)
      const token = newSessionToken()
      await store.insertSession(db, {
        id: newId('cs'),
        token_hash: hash(token),
        organization_id: owner.organizationId,
        key_id: owner.keyId ?? null,
        member_id: owner.memberId ?? null,
        provider_revision: owner.providerRevision ?? null,
        ip: request.ip,
        user_agent: headerText(request.headers['user-agent']).slice(0, USER_AGENT_MAX),
        expires_at: new Date(clock.now() + LIFETIME_MS),
      })
      return sessionCookie(token, LIFETIME_MS / 1_000, publicUrl)
    },
    /** Ends the session of a request, and returns the cookie that removes it from the browser. */
    async end(request: IncomingCall): Promise<string> {
      const session = await find(request)
      if (session) await store.deleteSession(db, session.id)
      return sessionCookie('', 0, publicUrl)
    },
    list: (session: store.SessionRow) => store.listSessions(db, session, limits()),
    /** Ends one session of the same person. @throws ApiError 404 */
    async revoke(session: store.SessionRow, id: string): Promise<void> {
      const own = await store.listSessions(db, session, limits())
      if (!own.some((one) => one.id === id))
        throw new ApiError('HTTP_NotFound', `You have no session ${id.slice(0, 64)}.`)
      await store.deleteSession(db, id)
    },
    endAllOfMember: (memberId: string, exceptId: string | null) =>
      store.deleteSessionsOfMember(db, memberId, exceptId),
    ...sessionsByProvider(db, limits),
    removeExpired: () => removeExpired(db, limits()),
  }
}

/** What the rules about the identity provider need to know of sessions. */
const sessionsByProvider = (db: Db, limits: () => ReturnType<typeof limitsAt>): ProviderSessions => ({
  hasSessionOf: (memberId, revision) => store.hasSessionOfProvider(db, { memberId, revision }, limits()),
  endOthers: store.deleteSessionsOfOtherProviders,
})

async function removeExpired(db: Db, limits: { now: Date; usedAfter: Date }): Promise<void> {
  await store.deleteExpiredSessions(db, limits)
  await store.deleteExpiredChallenges(db, limits.now)
}

const expired = () =>
  new ApiError('Console_SessionExpired', 'You are not signed in, or the session has expired.')

/** Finds a member by organization and id. */
export type FindMember = (organizationId: string, id: string) => Promise<MemberRow | undefined>

const KEY_HEADERS = ['x-api-key', 'x-org-api-key', 'x-user-api-key', 'authorization']

/**
 * Extends the authentication by keys: a request of the console without a key is made in the name of its session. A
 * cookie alone, without the header of the console, authenticates nothing.
 */
export function authenticateConsole(
  byKey: Authenticate,
  { db, clock }: Pick<ConsoleDeps, 'db' | 'clock'>,
  sessions: Sessions,
  findMember: FindMember,
): Authenticate {
  return (audience, permission, incoming, operation) => {
    const { headers } = incoming
    if (audience === 'public' || !isConsoleRequest(incoming) || KEY_HEADERS.some((name) => headers[name]))
      return byKey(audience, permission, incoming, operation)
    return sessions.require(incoming).then(async (session) => {
      const projectId = headerText(headers['x-patchbay-project']) || undefined
      if (session.member_id !== null) {
        const member = await findMember(session.organization_id, session.member_id)
        if (!member) throw expired()
        return authenticateMember(db, member, { audience, permission, operation, projectId })
      }
      const holder = await findKeyById(db, session.key_id as string)
      if (!holder) throw expired()
      return authenticateAsKey(db, holder, {
        audience,
        permission,
        ip: incoming.ip,
        now: clock.now(),
        projectId,
      })
    })
  }
}
