import {
  type ConnectionContext,
  type Credentials,
  fieldsByName,
  GrantRejected,
  ProviderUnavailable,
  type RevocationResult,
} from '../../../auth-schemes/index.ts'
import { toUpstreamError } from '../../../engine/index.ts'
import { ApiError, notFound } from '../../../platform/http/api-error.ts'
import { accountConnectionContext, authSchemeOf, encryptCredentials } from '../credentials.ts'
import type { AccountDeps } from '../deps.ts'
import { logProviderRequests } from '../provider-log/request-log.ts'
import { moveAccount, STATUS_REASONS } from '../state-machine.ts'
import * as store from '../store.ts'

/** How often new credentials can be stored while older ones are being revoked. */
const ATTEMPTS_MAX = 3

/**
 * Revokes the grant at the provider, then in the account (`POST …/revoke`). Returns what was revoked; nothing
 * if the account was revoked before. @throws 400, 404, 409, 502, 504
 */
export async function revokeAccount(
  deps: AccountDeps,
  projectId: string,
  id: string,
): Promise<readonly string[]> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const row = await store.findAccount(deps.db, projectId, id)
    if (!row) throw notFound('connected_account', id)
    if (row.status === 'REVOKED') return []
    const connection = accountConnectionContext(deps, row)
    if (!isRevocable(connection))
      throw new ApiError(
        'ConnectedAccount_RevokeNotSupported',
        `${row.toolkit_slug} has no request that revokes a ${row.auth_scheme} connection at the provider.`,
      )
    if (row.status !== 'ACTIVE')
      throw new ApiError(
        'ConnectedAccount_NotRevokable',
        `The connected account ${id} is ${row.status}; only an ACTIVE account can be revoked.`,
      )
    const { tokens } = await revokeGrant(deps, projectId, id, connection).catch((error: unknown) => {
      throw toApiError(error)
    })
    if (await markRevoked(deps, projectId, row)) return tokens
  }
  throw new ApiError(
    'ConnectedAccount_NotRevokable',
    `New credentials of the connected account ${id} were stored during each attempt; try again.`,
  )
}

function toApiError(error: unknown): unknown {
  if (error instanceof GrantRejected)
    return new ApiError(
      'ConnectedAccount_BadRequest',
      `The provider did not revoke the access: ${error.message}`,
      { cause: error },
    )
  if (error instanceof ProviderUnavailable)
    return toUpstreamError(`The access could not be revoked: ${error.message}`, error)
  return error
}

/** Whether the provider has a request that revokes this grant. */
export function isRevocable(connection: ConnectionContext | undefined): connection is ConnectionContext {
  const scheme = connection && authSchemeOf(connection)
  return Boolean(connection && scheme?.revoke && (scheme.canRevoke?.(connection) ?? true))
}

/** Sends the revocation requests to the provider. @throws GrantRejected, ProviderUnavailable */
export async function revokeGrant(
  deps: AccountDeps,
  projectId: string,
  accountId: string,
  connection: ConnectionContext,
): Promise<RevocationResult> {
  const { revoke } = authSchemeOf(connection) ?? {}
  if (!revoke)
    throw new GrantRejected('not_revocable', 'The provider has no request that revokes this access.')
  return logProviderRequests(deps, { projectId, accountId, kind: 'revoke', connection }, (tools) =>
    revoke(connection, tools),
  )
}

/**
 * Marks the account as REVOKED and erases its tokens. Returns false if a token refresh stored other
 * credentials since `row` was read: these are still valid and have to be revoked too.
 */
export function markRevoked(deps: AccountDeps, projectId: string, row: store.AccountRow): Promise<boolean> {
  return deps.db.begin(async (tx) => {
    const current = await store.findAccountForUpdate(tx, projectId, row.id)
    if (!current) return true
    if (current.credentials_version !== row.credentials_version) return false
    const credentials = {
      ...withoutGrant(accountConnectionContext(deps, current)),
      revoked_at: new Date(deps.clock.now()).toISOString(),
    }
    const change = {
      status_reason: STATUS_REASONS.revoked,
      token_expires_at: null,
      credentials: encryptCredentials(await deps.encryptor.ofProject(projectId), row.id, credentials),
    }
    const isRevoked = await moveAccount(deps, tx, projectId, row.id, 'revoke', change)
    if (!isRevoked) await moveAccount(deps, tx, projectId, row.id, 'revokeFrozen', change)
    return true
  })
}

/** Options of authorization flows that a user set for the connection. */
const FLOW_OPTIONS = ['state_prefix', 'long_redirect_url']

/** Keeps what the user entered and is not secret, such as a subdomain, for a later reconnect. */
function withoutGrant(connection: ConnectionContext | undefined): Credentials {
  if (!connection) return {}
  const fields = fieldsByName(connection.scheme.manifest)
  return Object.fromEntries(
    Object.entries(connection.credentials).filter(
      ([name]) => FLOW_OPTIONS.includes(name) || (fields.has(name) && !fields.get(name)?.secret),
    ),
  )
}
