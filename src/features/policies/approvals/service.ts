import type { Choice } from '../../../contract/approvals.ts'
import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { Db, Pool } from '../../../platform/db/sql.ts'
import { ApiError, badRequest } from '../../../platform/http/api-error.ts'
import { tell } from '../../webhooks/index.ts'
import * as store from './store.ts'
import type { Called } from './call-binding.ts'

export interface ApprovalDeps {
  db: Pool
  encryptor: Encryptor
  publicUrl: string
}

/** Of a project at once: a caller that asks in a loop must not bury what a person has to see. */
const PENDING_MAX = 500

const contextOf = (id: string) => `approvals:${id}:encrypted_payload`
export const openArguments = (
  encryptor: Encryptor,
  { id, encrypted_payload: encryptedPayload }: Pick<store.ApprovalRow, 'id' | 'encrypted_payload'>,
): Record<string, unknown> | null =>
  encryptedPayload && encryptor.decrypt<Record<string, unknown>>(encryptedPayload, contextOf(id))

/** How an approval is told to webhook subscriptions. */
const factsOf = ({
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
  choices,
  expires_at: expires_at.toISOString(),
  ...(decided_by === null ? {} : { decided_by }),
})

/** Begins to wait for a person; the same call that waits already goes on waiting. `tellsArguments`: whether events may carry them. @throws ApiError Approval_LimitReached */
export async function request(
  { db, encryptor }: ApprovalDeps,
  asked: store.NewApproval,
  args: Readonly<Record<string, unknown>>,
  tellsArguments: boolean,
): Promise<store.ApprovalRow> {
  const {
    called: { projectId },
    binding,
    policyIds,
    logId,
  } = asked
  const row = await db.begin(async (tx) => {
    await store.hold(tx, projectId)
    if ((await store.pending(tx, projectId)) >= PENDING_MAX)
      throw new ApiError(
        'Approval_LimitReached',
        `${PENDING_MAX} calls of the project wait for a person already.`,
      )
    const made = await store.insert(tx, asked, (id) => encryptor.encrypt(args, contextOf(id)))
    if (!made) return undefined
    await store.note(tx, 'requested', asked.called, {
      approval_id: made.id,
      policy_ids: policyIds,
      log_id: logId,
    })
    await tell(tx, encryptor, projectId, {
      type: 'approval.requested',
      data: factsOf(made),
      payload: tellsArguments ? { arguments: args } : undefined,
    })
    return made
  })
  const waits = row ?? (await store.live(db, projectId, binding))
  if (!waits) throw new ApiError('HTTP_ServiceUnavailable', 'What this call waited for has just ended.')
  return waits
}

/**
 * A person decides; once.
 * @param by how they did: `key:<id>`, `link`, `webhook:<id>`, `session`
 * @throws ApiError Approval_NotFound, Approval_NotPending, and 400 for a choice that the approval does not have
 */
export function decideApproval(
  { db, encryptor }: ApprovalDeps,
  projectId: string,
  id: string,
  choice: Choice,
  by: string,
): Promise<store.ApprovalRow> {
  return db.begin(async (tx) => {
    const row = await store.decide(tx, projectId, id, choice, by)
    if (!row) throw await whyNot(tx, projectId, id, choice)
    if (choice === 'allow_session') await store.grant(tx, row)
    await store.note(tx, choice === 'deny' ? 'denied' : 'approved', calledOf(row), {
      approval_id: id,
      policy_ids: row.policy_ids,
      decided_by: by,
    })
    await tell(tx, encryptor, projectId, { type: 'approval.decided', data: factsOf(row) })
    return row
  })
}

async function whyNot(tx: Db, projectId: string, id: string, choice: Choice): Promise<ApiError> {
  const row = await readApproval(tx, projectId, id)
  return row.status === 'pending'
    ? badRequest(`Error in payload: ${choice} is no choice of this approval; use ${row.choices.join(' or ')}`)
    : new ApiError('Approval_NotPending', `Approval ${id} is ${row.status}.`)
}

export async function readApproval(db: Db, projectId: string, id: string): Promise<store.ApprovalRow> {
  const row = await store.find(db, projectId, id)
  if (!row) throw new ApiError('Approval_NotFound', `Approval ${id} not found`)
  return row
}

const calledOf = ({
  project_id: projectId,
  session_id: sessionId,
  user_id: userId,
  tool_slug: tool,
  toolkit_slug: toolkit,
  version,
  connected_account_id: accountId,
}: store.ApprovalRow): Called => ({ projectId, sessionId, userId, tool, toolkit, version, accountId })
