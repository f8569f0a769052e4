import { compiledSchemeOf } from '../../catalog/index.ts'
import type * as contract from '../../contract/connected-accounts.ts'
import type { ApiVersion } from '../../contract/route.ts'
import { maskSecrets, readableNames, REDACTED } from '../auth-configs/index.ts'
import type { AccountDeps } from './deps.ts'
import { openVal, setupOf } from './open.ts'
import type { AccountRow } from './store.ts'
import { lookupOf } from '../../auth-schemes/index.ts'
import { renderAddress } from '../../catalog/index.ts'

/** A row as the wire shows it. Managed credentials are never shown; own ones are masked unless the project switched that off. */
export function presentAccount(deps: AccountDeps, row: AccountRow, maskOwn: boolean, apiVersion: ApiVersion, single = false): contract.ConnectedAccount {
  const toolkit = deps.catalog.toolkit(row.toolkit_slug)
  const manifest = toolkit && compiledSchemeOf(toolkit, row.auth_scheme)?.manifest
  const stored = openVal(deps.sealer, row)
  const readable = readableNames(manifest)
  const shown = row.is_service_managed ? maskSecrets(stored, readable, () => REDACTED) : maskOwn ? maskSecrets(stored, readable) : { ...stored }
  const val = { status: row.status, ...shown, ...(row.callback_url ? { callback_url: row.callback_url } : {}) }
  return {
    id: row.id, word_id: row.word_id, alias: row.alias, user_id: row.user_id, toolkit: { slug: row.toolkit_slug },
    auth_config: {
      id: row.auth_config_id, auth_scheme: row.auth_scheme, is_service_managed: row.is_service_managed, is_disabled: row.auth_config_status === 'DISABLED', deprecated: { uuid: row.auth_config_uuid },
    },
    status: row.status, status_reason: row.status_reason, is_disabled: row.auth_config_status === 'DISABLED', created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString(),
    state: { authScheme: row.auth_scheme, val }, data: val, test_request_endpoint: toolkit?.currentUser ? `${baseUrl(deps, row)}${toolkit.currentUser.path}` : '',
    ...(single ? { params: { base_url: baseUrl(deps, row), headers: {}, queryParams: {} } } : {}),
    ...(single && apiVersion === 'v3.1' ? { requested_scopes: row.requested_scopes, requested_user_scopes: row.requested_user_scopes } : {}),
    deprecated: { labels: [], uuid: row.uuid },
  }
}

function baseUrl(deps: AccountDeps, row: AccountRow): string {
  const setup = setupOf(deps, { ...row, id: row.auth_config_id }, () => openVal(deps.sealer, row))
  const template = setup?.scheme.baseUrl ?? deps.catalog.toolkit(row.toolkit_slug)?.baseUrl
  if (!template) return ''
  // A connection that is not finished may lack what its address needs.
  try { return renderAddress(template, setup ? lookupOf({ val: setup.val, shared: setup.shared, credentials: {} }) : () => undefined) } catch { return template.source }
}
