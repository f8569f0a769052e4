import {
  GrantRejected,
  ProviderUnavailable,
  readCodeWebhook,
  type ConnectionContext,
  type Credentials,
  type CodeWebhook,
} from '../../../auth-schemes/index.ts'
import { bindToProject } from '../../../catalog/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { findAuthConfig } from '../../auth-configs/index.ts'
import { createConnectionContext } from '../credentials.ts'
import type { AccountDeps, SharedAccountDeps } from '../deps.ts'
import { completeFromWebhook } from './callback.ts'
import { codeEncryptionContext, codeParameter, codeWebhookOf } from './correlate-code.ts'
import * as codes from './webhook-code-store.ts'

const AUTH_CONFIG_ID = /^ac_[A-Za-z0-9]{12}$/

/**
 * Receives the code that a provider sends by webhook, and completes its flow if the browser is back. Nothing
 * is written before the signature is verified, and a code is only stored while a flow can wait for it.
 * Returns whether the flow is complete. See docs/decisions/0019-authorization-codes-by-webhook.md. @throws
 * 302, 600, 610 to 613
 */
export async function receiveWebhookCode(
  deps: SharedAccountDeps,
  authConfigId: string,
  webhook: CodeWebhook,
): Promise<boolean> {
  const { db, encryptor } = deps
  const { projectId, connection } = await findRecipient(deps, authConfigId)
  const { code, match } = verifyWebhook(connection, webhook)
  const id = codes.webhookCodeId(authConfigId, match)
  const existing = await codes.findWebhookCode(db, projectId, id)
  if (existing?.code) throw codeUsed()
  if (existing?.is_expired) throw codeLate()
  if (!existing && !(await codes.hasFlowInProgress(db, projectId, authConfigId)))
    throw new ApiError(
      'ConnectedAccount_CodeNotAwaited',
      'No connection of this auth config waits for a code.',
    )
  const row = await codes.storeCode(
    db,
    projectId,
    id,
    (await encryptor.ofProject(projectId)).encrypt({ code }, codeEncryptionContext(id, 'code')),
  )
  if (!row) throw codeUsed()
  if (!row.state_hash || !row.returned) return false
  const returned = encryptor.decrypt<Credentials>(row.returned, codeEncryptionContext(id, 'returned'))
  const parameters = { ...returned, [codeParameter(connection)]: code }
  const outcome = await completeFromWebhook(
    { stateHash: row.state_hash, parameters, browser: undefined },
    deps,
  )
  if (outcome.kind === 'rejected') throw codeLate()
  return true
}

const codeUsed = () => new ApiError('ConnectedAccount_CodeUsed', 'This webhook was received before.')
const codeLate = () =>
  new ApiError('ConnectedAccount_CodeLate', 'The connection that this code is for was not finished in time.')

/**
 * Finds the auth config of the public URL. The error is the same for all auth configs that receive no
 * webhooks.
 */
async function findRecipient(
  deps: SharedAccountDeps,
  authConfigId: string,
): Promise<{ projectId: string; connection: ConnectionContext }> {
  const projectId = AUTH_CONFIG_ID.test(authConfigId)
    ? await codes.findProjectOfAuthConfig(deps.db, authConfigId)
    : undefined
  const config = projectId === undefined ? undefined : await findAuthConfig(deps.db, projectId, authConfigId)
  // With the administrator's OAuth client, the codes of all projects would come to one URL.
  const connection =
    projectId !== undefined && config && !config.is_service_managed
      ? createConnectionContext(await bindToProject<AccountDeps>(deps, projectId), config, () => ({}))
      : undefined
  if (projectId === undefined || !connection || !codeWebhookOf(connection))
    throw new ApiError('Auth_Config_NotFound', 'No auth config with this id receives webhooks.')
  return { projectId, connection }
}

function verifyWebhook(connection: ConnectionContext, webhook: CodeWebhook): { code: string; match: string } {
  try {
    return readCodeWebhook(connection, webhook)
  } catch (error) {
    if (error instanceof GrantRejected)
      throw new ApiError('ConnectedAccount_WebhookSignature', error.message, { cause: error })
    if (error instanceof ProviderUnavailable)
      throw new ApiError('ConnectedAccount_BadRequest', error.message, { cause: error })
    throw error
  }
}
