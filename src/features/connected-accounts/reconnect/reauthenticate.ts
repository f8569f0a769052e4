import { type ConnectionContext } from '../../../auth-schemes/index.ts'
import { mergeSchemeFields, type Toolkit } from '../../../catalog/index.ts'
import type { AccountStatus } from '../../../contract/schemes.ts'
import { ApiError, notFound } from '../../../platform/http/api-error.ts'
import { type AuthConfigRow, findAuthConfig } from '../../auth-configs/index.ts'
import { readCallbackUrl } from '../authorization-flow/callback-url.ts'
import { authSchemeOf, createConnectionContext, decryptCredentials } from '../credentials.ts'
import type { AccountDeps } from '../deps.ts'
import { CredentialsRejected } from '../identity/probe.ts'
import { type AccountRow, findAccount } from '../store.ts'
import { createReconnectLink } from './reconnect-link.ts'
import { withoutFlowFields } from './reopen-account.ts'
import { revalidateCredentials } from './revalidate-credentials.ts'
import { startReconnectFlow } from './start-reconnect-flow.ts'

export interface Reauthentication {
  id: string
  status: AccountStatus
  redirect_url: string | null
}
export interface ReauthenticationDraft {
  callbackUrl: string | undefined
  validate: boolean
}

/**
 * Authenticates an account again (`POST …/refresh`). A scheme with a redirect starts an authorization flow.
 * Otherwise the stored credentials are validated; if they are rejected, the user enters new ones on a page,
 * or with `validate` the rejection is the error. See docs/decisions/0014-reauthentication.md. @throws 400,
 * 404, 501
 */
export async function reauthenticate(
  deps: AccountDeps,
  projectId: string,
  id: string,
  { callbackUrl: url, validate }: ReauthenticationDraft,
): Promise<Reauthentication> {
  const { row, config, connection, toolkit, scheme } = await loadAccount(deps, projectId, id)
  const callbackUrl = readCallbackUrl(url === undefined ? {} : { callback_url: url }) ?? undefined
  if (scheme.redirects) {
    const { redirectUrl } = await startReconnectFlow(deps, projectId, row, config, connection, {
      credentials: withoutFlowFields(connection.credentials),
      callbackUrl,
    })
    return { id, status: 'INITIATED', redirect_url: redirectUrl }
  }
  try {
    const account = { row, config, toolkit, connection }
    const status = await revalidateCredentials(deps, projectId, account, validate)
    return { id, status, redirect_url: null }
  } catch (error) {
    const hasForm = mergeSchemeFields(connection.scheme.manifest, 'connected_account_initiation').length > 0
    if (!(error instanceof CredentialsRejected) || validate || !hasForm) throw error
    const link = await createReconnectLink(deps, projectId, id, callbackUrl)
    return { id, status: 'INITIATED', redirect_url: link.redirect_url }
  }
}

/** An account with its configuration. */
export interface ConfiguredAccount {
  row: AccountRow
  config: AuthConfigRow
  toolkit: Toolkit
  connection: ConnectionContext
}

async function loadAccount(deps: AccountDeps, projectId: string, id: string) {
  const row = await findAccount(deps.db, projectId, id)
  if (!row) throw notFound('connected_account', id)
  const config = await findAuthConfig(deps.db, projectId, row.auth_config_id)
  if (!config || config.status === 'DISABLED')
    throw new ApiError(
      'Auth_Config_Disabled',
      `The auth config ${row.auth_config_id} of this account is ${config ? 'disabled' : 'deleted'}, so the account ` +
        'cannot be authenticated.',
    )
  const connection = createConnectionContext(deps, config, () => decryptCredentials(deps.encryptor, row))
  const toolkit = deps.catalog.toolkit(row.toolkit_slug)
  const scheme = connection && authSchemeOf(connection)
  if (!connection || !toolkit || !scheme)
    throw new ApiError(
      'ConnectedAccount_NotImplemented',
      `Authenticating with ${row.auth_scheme} is not part of this release.`,
    )
  return { row, config, connection, toolkit, scheme }
}
