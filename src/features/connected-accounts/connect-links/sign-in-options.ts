import { type Credentials, schemeByName } from '../../../auth-schemes/index.ts'
import { findCompiledScheme, mergeSchemeFields } from '../../../catalog/index.ts'
import { badRequest } from '../../../platform/http/api-error.ts'
import { sql } from '../../../platform/db/sql.ts'
import { type AuthConfigRow, findAuthConfig } from '../../auth-configs/index.ts'
import { scopesForTools } from '../authorization-flow/requested-scopes.ts'
import { findConnectableConfig } from '../create.ts'
import { createConnectionContext, encryptCredentials } from '../credentials.ts'
import type { AccountDeps } from '../deps.ts'
import { SIGN_IN_OPTIONS } from '../reconnect/reopen-account.ts'
import type { AccountRow } from '../store.ts'

const FIELD = 'payload.alternative_auth_config_ids'

/**
 * Checks the auth configs among which a user may choose, and returns their ids, the default first. People choose by how
 * they sign in, so that each has another scheme. @throws 400, 404, 501
 */
export async function checkSignInOptions(
  deps: AccountDeps,
  projectId: string,
  main: AuthConfigRow,
  alternatives: readonly string[],
): Promise<string[]> {
  const schemes = new Set([main.auth_scheme])
  for (const [index, id] of alternatives.entries()) {
    const { config } = await findConnectableConfig(deps, projectId, id)
    if (config.toolkit_slug !== main.toolkit_slug)
      throw badRequest(
        `Error in ${FIELD}[${index}]: ${id} is of ${config.toolkit_slug}, not of ${main.toolkit_slug}`,
      )
    if (schemes.has(config.auth_scheme))
      throw badRequest(
        `Error in ${FIELD}[${index}]: another auth config of this link has the scheme ${config.auth_scheme} too`,
      )
    schemes.add(config.auth_scheme)
  }
  return [main.id, ...alternatives]
}

/** Reads the auth configs among which the user of a link chooses. Those that are no longer usable are left out. */
export async function readSignInOptions(
  deps: AccountDeps,
  projectId: string,
  { toolkit_slug: slug }: AccountRow,
  stored: Credentials,
): Promise<AuthConfigRow[]> {
  const ids = stored[SIGN_IN_OPTIONS]
  const toolkit = deps.catalog.toolkit(slug)
  if (!Array.isArray(ids) || !toolkit) return []
  const configs = await Promise.all(ids.map((id) => findAuthConfig(deps.db, projectId, String(id))))
  return configs.filter(
    (config): config is AuthConfigRow =>
      config?.status === 'ENABLED' &&
      config.toolkit_slug === slug &&
      findCompiledScheme(toolkit, config.auth_scheme) !== undefined &&
      schemeByName(config.auth_scheme) !== undefined,
  )
}

/** Name of an option in the URL and the form of the page. Each option of a link has another scheme. */
export const optionName = ({ auth_scheme: scheme }: Pick<AuthConfigRow, 'auth_scheme'>): string =>
  scheme.toLowerCase()

/** Returns the account as if it had been created for another auth config, with the credentials that both have. */
export function withAuthConfig(
  deps: AccountDeps,
  row: AccountRow,
  config: AuthConfigRow,
  stored: Credentials,
): { row: AccountRow; credentials: Credentials } | undefined {
  const toolkit = deps.catalog.toolkit(row.toolkit_slug)
  const scheme = toolkit && findCompiledScheme(toolkit, config.auth_scheme)
  if (!toolkit || !scheme) return undefined
  const names = new Set(
    mergeSchemeFields(scheme.manifest, 'connected_account_initiation').map(({ name }) => name),
  )
  const credentials = Object.fromEntries(Object.entries(stored).filter(([name]) => names.has(name)))
  const context = createConnectionContext(deps, config, () => credentials)
  const scopes = context ? scopesForTools(toolkit, config, context) : { scopes: [], userScopes: [] }
  const changed = {
    ...row,
    auth_scheme: config.auth_scheme,
    auth_config_id: config.id,
    auth_config_uuid: config.uuid,
    auth_config_status: config.status,
    auth_config_credentials: config.credentials,
    is_service_managed: config.is_service_managed,
    shared_credentials: config.shared_credentials,
    proxy_config: config.proxy_config,
    tools_available_for_execution: config.tools_available_for_execution,
    requested_scopes: scopes.scopes,
    requested_user_scopes: scopes.userScopes,
  }
  return { row: changed, credentials }
}

/**
 * Stores the auth config that the user chose, while the account waits for its first credentials. A flow that was
 * started with another one ends. Returns false if the account no longer waits.
 */
export const storeChosenConfig = (
  { db, encryptor }: AccountDeps,
  projectId: string,
  row: AccountRow,
  credentials: Credentials,
): Promise<boolean> =>
  db.begin(async (tx) => {
    const own = await encryptor.ofProject(projectId)
    const changed = await tx.run(sql`
      update connected_accounts set auth_config_id = ${row.auth_config_id}, auth_scheme = ${row.auth_scheme},
        requested_scopes = ${row.requested_scopes}, requested_user_scopes = ${row.requested_user_scopes},
        credentials = ${encryptCredentials(own, row.id, credentials)}, updated_at = now()
      where project_id = ${projectId} and id = ${row.id} and status in ('INITIALIZING', 'INITIATED')
        and deleted_at is null`)
    await tx.run(sql`
      update authorization_flows set used_at = now()
      where project_id = ${projectId} and connected_account_id = ${row.id} and used_at is null`)
    await tx.run(sql`
      delete from pending_connections where project_id = ${projectId} and connected_account_id = ${row.id}`)
    return changed > 0
  })
