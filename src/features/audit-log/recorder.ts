import { createCache } from '../../platform/cache.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Pool } from '../../platform/db/sql.ts'
import type { AuditedCall, AuditRecorder } from '../../platform/http/audit/audit-recorder.ts'
import { newId } from '../../platform/ids.ts'
import type { AuditEntry } from './entry.ts'
import { describeChange } from './redact.ts'
import { appendEntry, findPlace, insertIntent } from './store.ts'

interface AuditLogDeps {
  db: Pool
  clock: Clock
}

const MEMBER = 'member:'
const REJECTED_PER_MINUTE_MAX = 60
const CALLERS_MAX = 10_000
const USER_AGENT_CHARACTERS_MAX = 200

const actorOf = (callerId: string): AuditEntry['actor'] =>
  callerId.startsWith(MEMBER)
    ? { type: 'member', id: callerId.slice(MEMBER.length) }
    : { type: 'api_key', id: callerId }

/** The entry of a call that has begun. It says `unknown` until the call ends. */
const newEntry = (call: AuditedCall, now: number): AuditEntry => ({
  id: newId('aud'),
  time: new Date(now).toISOString(),
  organization_id: call.organizationId,
  project_id: call.projectId ?? null,
  actor: actorOf(call.callerId),
  action: call.action,
  object: call.object,
  outcome: 'unknown',
  status: null,
  error: null,
  before: null,
  after: null,
  source_ip: call.sourceIp,
  user_agent: call.userAgent?.slice(0, USER_AGENT_CHARACTERS_MAX).toWellFormed() ?? null,
  request_id: call.requestId,
})

/** Writes entries of rejected calls, at most `REJECTED_PER_MINUTE_MAX` of each caller. */
function recordRejections({ db, clock }: AuditLogDeps): AuditRecorder['reject'] {
  const counts = createCache<string, number>({ max: CALLERS_MAX })
  return async (call, result) => {
    const minute = `${call.callerId} ${Math.floor(clock.now() / 60_000)}`
    const count = (counts.get(minute) ?? 0) + 1
    counts.set(minute, count)
    if (count > REJECTED_PER_MINUTE_MAX) return
    await appendEntry(db, { ...newEntry(call, clock.now()), ...result, outcome: 'failure' })
  }
}

/** Writes calls of the API to the audit log. */
export const createAuditRecorder = ({ db, clock }: AuditLogDeps): AuditRecorder => ({
  reject: recordRejections({ db, clock }),
  async begin(call) {
    const entry = newEntry(call, clock.now())
    await insertIntent(db, entry)
    return ({ outcome, status, error, objectId, before, after }) =>
      appendEntry(db, {
        ...entry,
        object: { ...entry.object, id: objectId },
        outcome,
        status,
        error,
        ...describeChange(before, after),
      })
  },
})

/** An action that is no call of the API, such as a decision on a page or a sign-in. */
export interface AuditedAction {
  /** The project, or the organization if the action is about no project. */
  owner: { projectId: string } | { organizationId: string }
  actor: AuditEntry['actor']
  action: string
  object: AuditEntry['object']
  after?: unknown
  sourceIp?: string | undefined
  requestId?: string | undefined
}

/** Appends an action, in the transaction that performs it. */
export async function recordAction(tx: Db, { owner, ...action }: AuditedAction): Promise<void> {
  const place = await findPlace(tx, owner)
  await appendEntry(tx, {
    id: newId('aud'),
    time: place.now.toISOString(),
    organization_id: place.organization_id,
    project_id: 'projectId' in owner ? owner.projectId : null,
    actor: action.actor,
    action: action.action,
    object: action.object,
    outcome: 'success',
    status: null,
    error: null,
    ...describeChange(undefined, action.after),
    source_ip: action.sourceIp ?? null,
    user_agent: null,
    request_id: action.requestId ?? null,
  })
}
