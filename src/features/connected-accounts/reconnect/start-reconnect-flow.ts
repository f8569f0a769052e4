import type { ConnectionContext, Credentials } from '../../../auth-schemes/index.ts'
import type { AuthConfigRow } from '../../auth-configs/index.ts'
import {
  decryptFlowSecrets,
  encryptFlowSecrets,
  type PendingReconnect,
} from '../authorization-flow/flow-secrets.ts'
import { insertFlow } from '../authorization-flow/flow-store.ts'
import { scopesForTools } from '../authorization-flow/requested-scopes.ts'
import { type PreparedFlow, prepareFlow } from '../authorization-flow/start.ts'
import type { AccountDeps } from '../deps.ts'
import type { AccountRow } from '../store.ts'
import { reopenAccount } from './reopen-account.ts'

interface ReconnectFlow {
  credentials: Credentials
  /** What the user entered in a form; stored in the account when the flow succeeds. */
  entered?: Credentials
  callbackUrl?: string | undefined
  browserHash?: Buffer
}

/** Starts an authorization flow for an existing account. */
export async function startReconnectFlow(
  deps: AccountDeps,
  projectId: string,
  row: AccountRow,
  config: AuthConfigRow,
  connection: ConnectionContext,
  { credentials, entered = {}, callbackUrl, browserHash }: ReconnectFlow,
): Promise<PreparedFlow> {
  const toolkit = deps.catalog.toolkit(row.toolkit_slug)
  const { scopes, userScopes } = toolkit
    ? scopesForTools(toolkit, config, connection)
    : { scopes: [], userScopes: [] }
  const flow = await prepareFlow(deps, {
    projectId,
    accountId: row.id,
    config,
    credentials,
    scopes,
    userScopes,
  })
  const reconnect: PendingReconnect = {
    credentials: { ...entered, ...flow.credentials },
    requested_scopes: scopes,
    requested_user_scopes: userScopes,
  }
  const secrets = { ...decryptFlowSecrets(deps.encryptor, flow.row), reconnect }
  await deps.db.begin(async (tx) => {
    await reopenAccount(deps, tx, projectId, row.id, { callbackUrl, redirectUrl: flow.redirectUrl })
    await insertFlow(tx, {
      ...flow.row,
      kind: 'reconnect',
      secrets: encryptFlowSecrets(await deps.encryptor.ofProject(projectId), flow.row.state_hash, secrets),
      ...(browserHash ? { browser_hash: browserHash } : {}),
    })
  })
  return flow
}
