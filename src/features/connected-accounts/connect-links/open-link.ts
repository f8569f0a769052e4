import type { ConnectionContext, Credentials } from '../../../auth-schemes/index.ts'
import { bindToProject, mergeSchemeFields } from '../../../catalog/index.ts'
import type { AuthConfigRow } from '../../auth-configs/index.ts'
import type { FlowKind } from '../authorization-flow/flow-store.ts'
import { accountConnectionContext, decryptCredentials } from '../credentials.ts'
import type { AccountDeps, SharedAccountDeps } from '../deps.ts'
import { EXPIRED_LINK, type PageOutcome, UNKNOWN_LINK } from '../pages/page-outcome.ts'
import type { FormField } from '../pages/templates/field.ts'
import { withoutFlowFields } from '../reconnect/reopen-account.ts'
import { canMove } from '../state-machine.ts'
import { type AccountRow, findAccount } from '../store.ts'
import { findConnectLink } from './link-store.ts'
import { optionName, readSignInOptions, withAuthConfig } from './sign-in-options.ts'

const TOKEN = /^lk_[A-Za-z0-9]{32}$/

/** A link that can still be used. */
export interface OpenConnectLink {
  deps: AccountDeps
  projectId: string
  kind: FlowKind
  row: AccountRow
  connection: ConnectionContext
  credentials: Credentials
  shared: Credentials
  /** The fields of its form. */
  fields: FormField[]
  /** The auth configs among which the user chooses; empty if there is nothing to choose. */
  options: readonly AuthConfigRow[]
  /** The user chose another auth config than that of the account, which is stored with the form. */
  isOtherConfig: boolean
}

/**
 * Opens a link, with the auth config that the user chose, if any. Returns a page with the reason if the link is
 * unknown, used or expired.
 */
export async function openConnectLink(
  shared: SharedAccountDeps,
  token: string,
  chosen?: string,
): Promise<OpenConnectLink | PageOutcome> {
  const link = TOKEN.test(token) ? await findConnectLink(shared.db, token) : undefined
  if (!link) return UNKNOWN_LINK
  const { project_id: projectId, connected_account_id: accountId, kind } = link
  const deps = await bindToProject<AccountDeps>(shared, projectId)
  const account =
    link.is_expired || link.is_used ? undefined : await findAccount(deps.db, projectId, accountId)
  if (!account || account.auth_config_status === 'DISABLED' || !canMove(kind, account.status))
    return EXPIRED_LINK
  const stored = decryptCredentials(deps.encryptor, account)
  const known = withoutFlowFields(stored)
  const options = kind === 'connect' ? await readSignInOptions(deps, projectId, account, stored) : []
  const other = options.find(
    (option) => optionName(option) === chosen && option.id !== account.auth_config_id,
  )
  const { row, credentials } = (other && withAuthConfig(deps, account, other, known)) ?? {
    row: account,
    credentials: known,
  }
  const connection = accountConnectionContext(deps, row, () => credentials)
  if (!connection) return EXPIRED_LINK
  return {
    deps,
    projectId,
    kind,
    row,
    connection,
    credentials,
    shared: connection.sharedCredentials,
    fields: formFields(connection, credentials, kind),
    options: options.length > 1 ? options : [],
    isOtherConfig: row !== account,
  }
}

/**
 * The fields that the user fills in. Credentials that are not secret can be corrected; a secret is asked for
 * if it is missing or if the account is reconnected.
 */
function formFields(
  { scheme, sharedCredentials: shared }: ConnectionContext,
  credentials: Credentials,
  kind: FlowKind,
): FormField[] {
  const hasValue = (value: unknown) => value !== undefined && value !== null && value !== ''
  return mergeSchemeFields(scheme.manifest, 'connected_account_initiation')
    .filter(
      ({ name, secret }) =>
        !hasValue(shared[name]) && (kind === 'reconnect' || !(secret && hasValue(credentials[name]))),
    )
    .map((field) => ({ ...field, value: field.secret ? '' : String(credentials[field.name] ?? '') }))
    .sort((a, b) => fieldOrder(a) - fieldOrder(b))
}

/** Required fields first, among them those that are not secret, such as the URL; optional fields last. */
const fieldOrder = ({ required = true, secret = false }: FormField) => (required ? Number(secret) : 2)
