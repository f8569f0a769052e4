import type { Credentials } from '../../auth-schemes/index.ts'
import type { Toolkit } from '../../catalog/index.ts'
import type { ConnectionDraft } from '../../contract/connected-accounts/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { newId } from '../../platform/ids.ts'
import { randomName } from '../../platform/random-name.ts'
import type { AuthConfigRow } from '../auth-configs/index.ts'
import { readCallbackUrl } from './authorization-flow/callback-url.ts'
import { scopesForTools } from './authorization-flow/requested-scopes.ts'
import { createConnectionContext } from './credentials.ts'
import type { AccountDeps } from './deps.ts'
import type { NewAccountRow } from './store.ts'

/** 100 years. A longer lifetime is in another unit than seconds, so it is ignored. */
const LIFETIME_SECONDS_MAX = 3_155_760_000

/** Makes the row of a new account, without its credentials. */
export function newAccountRow(
  deps: AccountDeps,
  config: AuthConfigRow,
  toolkit: Toolkit,
  draft: ConnectionDraft,
  credentials: Credentials,
  status: 'INITIALIZING' | 'ACTIVE',
): Omit<NewAccountRow, 'credentials'> {
  const { experimental } = draft
  const isShared = experimental?.account_type === 'SHARED'
  if (experimental?.acl_config_for_shared && !isShared) throw aclOnlyForShared()
  const context = createConnectionContext(deps, config, () => credentials)
  const scopes = context ? scopesForTools(toolkit, config, context) : { scopes: [], userScopes: [] }
  return {
    id: newId('ca'),
    word_id: `${toolkit.slug}_${randomName('-')}`,
    alias: draft.alias || null,
    user_id: draft.user_id ?? 'default',
    toolkit_slug: toolkit.slug,
    auth_config_id: config.id,
    auth_scheme: config.auth_scheme,
    status,
    token_expires_at: status === 'ACTIVE' ? importedTokenExpiry(credentials, deps.clock.now()) : null,
    requested_scopes: scopes.scopes,
    requested_user_scopes: scopes.userScopes,
    callback_url: readCallbackUrl(draft),
    account_type: isShared ? 'SHARED' : 'PRIVATE',
    acl: isShared ? (experimental?.acl_config_for_shared ?? {}) : null,
  }
}

/** The end of an imported token, from its lifetime in seconds. */
function importedTokenExpiry(credentials: Credentials, now: number): Date | null {
  const seconds = Number(credentials['expires_in'])
  return credentials['access_token'] !== undefined && seconds > 0 && seconds < LIFETIME_SECONDS_MAX
    ? new Date(now + seconds * 1_000)
    : null
}

export const aclOnlyForShared = () =>
  new ApiError('ConnectedAccount_AclOnlyForShared', 'acl_config_for_shared is only valid on SHARED accounts.')
