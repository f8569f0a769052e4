import type { Credentials } from '../../../auth-schemes/index.ts'
import type { ConnectionDraft } from '../../../contract/connected-accounts/index.ts'
import { badRequest } from '../../../platform/http/api-error.ts'
import { validateFields, decryptConfig } from '../../auth-configs/index.ts'
import { readCallbackUrl } from '../authorization-flow/callback-url.ts'
import { findConnectableConfig, withAliasConflict } from '../create.ts'
import { encryptCredentials } from '../credentials.ts'
import type { AccountDeps } from '../deps.ts'
import { newAccountRow } from '../new-account-row.ts'
import { normalizeCredentials, rejectChosenHosts } from '../normalize-credentials.ts'
import { checkReconnectDraft, createReconnectLink } from '../reconnect/reconnect-link.ts'
import { SIGN_IN_OPTIONS } from '../reconnect/reopen-account.ts'
import { insertAccount } from '../store.ts'
import { insertConnectLink } from './link-store.ts'
import { presentLink } from './present-link.ts'
import { checkSignInOptions } from './sign-in-options.ts'

type LinkDraft = Pick<ConnectionDraft, 'user_id' | 'callback_url' | 'alias' | 'experimental'> & {
  connection_data?: Credentials
  connected_account_id?: string
  /** Auth configs that the user may choose instead, each with another scheme. */
  alternative_auth_config_ids?: readonly string[]
}

/**
 * Creates a link to a page on which the user connects a new account, or reconnects an existing one. The page
 * does not ask for what the request has already. @throws 400, 404, 501
 */
export async function createConnectLink(
  deps: AccountDeps,
  projectId: string,
  authConfigId: string,
  { connected_account_id: id, alternative_auth_config_ids: alternatives = [], ...draft }: LinkDraft,
) {
  const connectable = await findConnectableConfig(deps, projectId, authConfigId)
  if (id === undefined) {
    const options = await checkSignInOptions(deps, projectId, connectable.config, alternatives)
    return createLinkForNewAccount(deps, projectId, connectable, draft, options)
  }
  if (alternatives.length > 0)
    throw badRequest(
      'Error in payload.alternative_auth_config_ids: an existing account keeps its auth config. ' +
        'Leave out connected_account_id or alternative_auth_config_ids.',
    )
  await checkReconnectDraft(deps, projectId, { id, authConfigId, userId: draft.user_id }, draft)
  return createReconnectLink(deps, projectId, id, readCallbackUrl(draft) ?? undefined)
}

async function createLinkForNewAccount(
  deps: AccountDeps,
  projectId: string,
  { config, toolkit, scheme }: Awaited<ReturnType<typeof findConnectableConfig>>,
  { connection_data: input = {}, ...draft }: LinkDraft,
  options: readonly string[],
) {
  const { shared } = decryptConfig(deps.encryptor, config)
  const { status: _status, redirectUrl: _redirectUrl, [SIGN_IN_OPTIONS]: _options, ...fields } = input
  const path = 'payload.connection_data'
  const credentials = normalizeCredentials(scheme, fields, shared, path)
  const presentFields = new Set(Object.keys(credentials))
  const all = { ...shared, ...credentials }
  validateFields(toolkit, scheme, 'connected_account_initiation', all, path, presentFields)
  rejectChosenHosts(scheme, config, credentials, path)
  const row = newAccountRow(deps, config, toolkit, draft, credentials, 'INITIALIZING')
  const { token, expiresAt } = await withAliasConflict(draft.alias, () =>
    deps.db.begin(async (tx) => {
      const stored = options.length > 1 ? { ...credentials, [SIGN_IN_OPTIONS]: options } : credentials
      const encrypted = encryptCredentials(await deps.encryptor.ofProject(projectId), row.id, stored)
      await insertAccount(tx, projectId, { ...row, credentials: encrypted })
      return insertConnectLink(tx, {
        project_id: projectId,
        connected_account_id: row.id,
        kind: 'connect',
      })
    }),
  )
  return presentLink(deps, row.id, token, expiresAt)
}
