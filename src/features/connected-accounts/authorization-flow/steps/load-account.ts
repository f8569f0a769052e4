import { bindToProject } from '../../../../catalog/index.ts'
import { finish, type Finished } from '../../../../platform/pipeline.ts'
import { findAuthConfig } from '../../../auth-configs/index.ts'
import { createConnectionContext, decryptCredentials } from '../../credentials.ts'
import type { AccountDeps, SharedAccountDeps } from '../../deps.ts'
import { createBrowser } from '../../pages/browser-cookie.ts'
import { canMove } from '../../state-machine.ts'
import { findAccount } from '../../store.ts'
import type { CallbackRequest, FlowOutcome, HasAccount, HasBrowser, HasFlow } from '../context.ts'
import { pendingReconnectOf } from '../flow-secrets.ts'

/** Loads the account of the flow. Rejects if it is deleted or no longer waits for credentials. */
export async function loadAccount(
  { flow, browser }: CallbackRequest & HasFlow,
  deps: SharedAccountDeps,
): Promise<(HasAccount & HasBrowser) | Finished<FlowOutcome>> {
  const projectId = flow.project_id
  const project = await bindToProject<AccountDeps>(deps, projectId)
  const account = await findAccount(project.db, projectId, flow.connected_account_id)
  if (!account || !canMove(flow.kind, account.status)) {
    return finish<FlowOutcome>({ kind: 'rejected', reason: 'flow_expired' })
  }
  const config = await findAuthConfig(project.db, projectId, account.auth_config_id)
  const connection =
    config &&
    createConnectionContext(project, config, () => ({
      ...decryptCredentials(project.encryptor, account),
      ...pendingReconnectOf(project.encryptor, flow).credentials,
    }))
  // A browser without a cookie is known by its state alone; it continues as this new one.
  const current = browser ?? createBrowser()
  return {
    project,
    projectId,
    account,
    kind: flow.kind,
    config,
    connection,
    browser: current,
    browserHash: browser?.hash ?? flow.browser_hash ?? current.hash,
  }
}
