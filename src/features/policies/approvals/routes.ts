import * as contract from '../../../contract/policies/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { Api } from '../../../platform/http/call.ts'
import { pageOf, readPage } from '../../../platform/http/paging.ts'
import { listDecisions } from './decision-log.ts'
import * as store from './store.ts'
import { type ApprovalDeps, decideApproval, decryptArguments, readApproval } from './service.ts'
import { approvalUrl } from './approval-link.ts'

export function approvalRoutes(api: Api, deps: ApprovalDeps): void {
  const { db, encryptor, publicUrl } = deps

  api.on(contract.listApprovals, async ({ projectId, query }) => {
    const page = readPage(query)
    const { rows, total, next } = await store.list(db, projectId, query.status, page)
    return pageOf(rows.map(summary), total, page, next)
  })
  api.on(contract.listDecisions, async ({ projectId, query }) => {
    const page = readPage(query)
    const { rows, total, next } = await listDecisions(db, projectId, page)
    return pageOf(
      rows.map((row) => ({ ...row, at: row.at.toISOString() })),
      total,
      page,
      next,
    )
  })
  api.on(contract.readApproval, async ({ projectId, params }) =>
    present(await readApproval(db, projectId, params.approval_id)),
  )
  api.on(contract.approveCall, async ({ projectId, keyId, params, body }) =>
    present(
      await decideApproval(
        deps,
        projectId,
        params.approval_id,
        body.for_session ? 'allow_session' : 'allow_once',
        `key:${keyId}`,
      ),
    ),
  )
  api.on(contract.denyCall, async ({ projectId, keyId, params }) =>
    present(await decideApproval(deps, projectId, params.approval_id, 'deny', `key:${keyId}`)),
  )
  api.on(contract.createApprovalLink, async ({ projectId, params }) => {
    const row = await readApproval(db, projectId, params.approval_id)
    if (row.status !== 'pending')
      throw new ApiError('Approval_NotPending', `Approval ${row.id} is ${row.status}.`)
    return {
      url: approvalUrl(encryptor, publicUrl, projectId, row.id),
      expires_at: row.expires_at.toISOString(),
    }
  })

  const present = (row: store.ApprovalRow): contract.Approval => ({
    ...summary(row),
    arguments: decryptArguments(encryptor, row),
  })
}

function summary({
  project_id: _project,
  encrypted_payload: _encryptedPayload,
  expires_at,
  created_at,
  decided_at,
  ...rest
}: store.ApprovalRow) {
  return {
    ...rest,
    expires_at: expires_at.toISOString(),
    created_at: created_at.toISOString(),
    decided_at: decided_at && decided_at.toISOString(),
  }
}
