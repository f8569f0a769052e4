import { GrantRejected, ProviderUnavailable } from '../../../auth-schemes/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { decryptCredentials, encryptCredentials } from '../credentials.ts'
import { NOT_AVAILABLE } from '../pages/wording/provider-errors.ts'
import { withoutFlowFields } from '../reconnect/reopen-account.ts'
import { moveAccount, STATUS_REASONS, toStatusReason } from '../state-machine.ts'
import type { HasAccount } from './context.ts'

/** Why a flow failed: the code of the provider, and its text. */
export interface FlowFailure {
  code: string
  text: string
}

/** Converts an error of the provider or of the configuration; returns undefined for errors of this server. */
export function toFlowFailure(error: unknown): FlowFailure | undefined {
  if (error instanceof GrantRejected) return { code: error.code, text: error.message }
  if (error instanceof ProviderUnavailable) return { code: 'token_exchange_failed', text: error.message }
  // A part of the configuration was removed during the flow, such as the administrator's client credentials.
  return error instanceof ApiError && error.status < 500
    ? { code: NOT_AVAILABLE, text: error.message }
    : undefined
}

/** Marks the account as failed, unless it works with older credentials. */
export async function failConnection(
  { project, projectId, account }: HasAccount,
  { code, text }: FlowFailure,
): Promise<void> {
  const credentials = {
    ...withoutFlowFields(decryptCredentials(project.encryptor, account)),
    error: code,
    error_description: text,
  }
  const encryptor = await project.encryptor.ofProject(projectId)
  await project.db.begin((tx) =>
    moveAccount(project, tx, projectId, account.id, 'fail', {
      status_reason: toStatusReason(`${STATUS_REASONS.callbackFailed}: ${text}`),
      credentials: encryptCredentials(encryptor, account.id, credentials),
    }),
  )
}
