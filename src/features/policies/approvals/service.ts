import type { Choice } from '../../../contract/policies/index.ts'
import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { Db, Pool } from '../../../platform/db/sql.ts'
import { ApiError, badRequest } from '../../../platform/http/api-error.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAction } from '../../audit-log/index.ts'
import { publishEvents } from '../../events/index.ts'
import { insertDecision } from './decision-log.ts'
import * as store from './store.ts'
import type { CallIdentity } from './call-binding.ts'
import { restoreApproval } from './use-store.ts'

export interface ApprovalDeps {
  db: Pool
  encryptor: Encryptor
  publicUrl: string
}

/** Pending approvals of a project. It keeps the list readable if a caller repeats calls in a loop. */
const PENDING_MAX = 500

const encryptionContext = (id: string) => `approvals:${id}:encrypted_payload`
export const decryptArguments = (
  encryptor: Encryptor,
  { id, encrypted_payload: encryptedPayload }: Pick<store.ApprovalRow, 'id' | 'encrypted_payload'>,
): Record<string, unknown> | null =>
  encryptedPayload && encryptor.decrypt<Record<string, unknown>>(encryptedPayload, encryptionContext(id))

/** Builds the data of `approval.requested` and `approval.decided`. */
const approvalEventData = ({
  id,
  status,
  tool_slug,
  toolkit_slug,
  version,
  user_id,
  connected_account_id,
  session_id,
  reason,
  policy_ids,
  untrusted_sources,
  choices,
  expires_at,
  decided_by,
}: store.ApprovalRow) => ({
  approval_id: id,
  status,
  tool_slug,
  toolkit_slug,
  version,
  user_id,
  connected_account_id,
  session_id,
  reason,
  policy_ids,
  untrusted_sources,
  choices,
  expires_at: expires_at.toISOString(),
  ...(decided_by === null ? {} : { decided_by }),
})

/**
 * Creates a pending approval, or returns the active one of the same call.
 * @param includeArguments whether events may contain the arguments
 * @throws ApiError Approval_LimitReached
 */
export async function requestApproval(
  { db, encryptor }: ApprovalDeps,
  newApproval: store.NewApproval,
  args: Readonly<Record<string, unknown>>,
  includeArguments: boolean,
): Promise<store.ApprovalRow> {
  const {
    identity: { projectId },
    binding,
    policyIds,
    logId,
  } = newApproval
  const own = await encryptor.ofProject(projectId)
  const row = await db.begin(async (tx) => {
    await store.lockProject(tx, projectId)
    if ((await store.countPending(tx, projectId)) >= PENDING_MAX)
      throw new ApiError(
        'Approval_LimitReached',
        `The project already has ${PENDING_MAX} pending approvals. Decide some of them, then try again.`,
      )
    const eventId = newId('evt')
    const created = await store.insert(tx, newApproval, eventId, (id) =>
      own.encrypt(args, encryptionContext(id)),
    )
    if (!created) return undefined
    await insertDecision(tx, 'requested', newApproval.identity, {
      approval_id: created.id,
      policy_ids: policyIds,
      log_id: logId,
    })
    const event = { id: eventId, type: 'approval.requested', data: approvalEventData(created) } as const
    const payload = includeArguments ? { arguments: args } : undefined
    await publishEvents(tx, projectId, [{ ...event, payload }])
    return created
  })
  const active = row ?? (await store.findActive(db, projectId, binding))
  if (!active)
    throw new ApiError('HTTP_ServiceUnavailable', 'The approval of this call has just ended. Try again.')
  return active
}

/** Makes an approval valid again that a call used and then failed before it was sent. */
export const restoreUsedApproval = async (
  { db, encryptor }: ApprovalDeps,
  projectId: string,
  used: { id: string; logId: string; binding: Buffer },
  args: Readonly<Record<string, unknown>>,
): Promise<void> =>
  restoreApproval(db, projectId, {
    ...used,
    payload: (await encryptor.ofProject(projectId)).encrypt(args, encryptionContext(used.id)),
  })

/**
 * Records the decision of a person. An approval is decided once.
 * @param by the origin of the decision: `key:<id>`, `link`, `webhook:<id>`, `session`
 * @throws ApiError Approval_NotFound, Approval_NotPending, and 400 for a choice that the approval does not offer
 */
export function decideApproval(
  { db }: ApprovalDeps,
  projectId: string,
  id: string,
  choice: Choice,
  by: string,
): Promise<store.ApprovalRow> {
  return db.begin(async (tx) => {
    const row = await store.decide(tx, projectId, id, choice, by)
    if (!row) throw await undecidableError(tx, projectId, id, choice)
    if (choice === 'allow_session') await store.insertGrant(tx, row)
    await insertDecision(tx, choice === 'deny' ? 'denied' : 'approved', identityOfRow(row), {
      approval_id: id,
      policy_ids: row.policy_ids,
      decided_by: by,
    })
    await publishEvents(tx, projectId, [{ type: 'approval.decided', data: approvalEventData(row) }])
    // A decision with a key is a call of the API, which is audited as such.
    if (!by.startsWith('key:')) await auditDecision(tx, row, choice, by)
    return row
  })
}

/** Records a decision on the approval page, or by the receiver of a webhook. */
const auditDecision = (tx: Db, row: store.ApprovalRow, choice: Choice, by: string): Promise<void> =>
  recordAction(tx, {
    owner: { projectId: row.project_id },
    actor: { type: 'user', id: by },
    action: choice === 'deny' ? 'approvals.deny' : 'approvals.approve',
    object: { type: 'approval', id: row.id },
    after: { decision: choice, tool_slug: row.tool_slug, user_id: row.user_id },
  })

async function undecidableError(tx: Db, projectId: string, id: string, choice: Choice): Promise<ApiError> {
  const row = await readApproval(tx, projectId, id)
  return row.status === 'pending'
    ? badRequest(
        `Error in payload: this approval does not offer "${choice}"; choose ${row.choices.join(' or ')}`,
      )
    : new ApiError('Approval_NotPending', `Approval ${id} is ${row.status}.`)
}

export async function readApproval(db: Db, projectId: string, id: string): Promise<store.ApprovalRow> {
  const row = await store.find(db, projectId, id)
  if (!row) throw new ApiError('Approval_NotFound', `Approval ${id} not found`)
  return row
}

const identityOfRow = ({
  project_id: projectId,
  session_id: sessionId,
  user_id: userId,
  tool_slug: tool,
  toolkit_slug: toolkit,
  version,
  connected_account_id: accountId,
}: store.ApprovalRow): CallIdentity => ({ projectId, sessionId, userId, tool, toolkit, version, accountId })
