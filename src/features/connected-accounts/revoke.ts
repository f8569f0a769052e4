import {
  authSchemes,
  fieldsByName,
  GrantRejected,
  ProviderTrouble,
  type Revoked,
  type ConnectionContext,
  type Values,
} from '../../auth-schemes/index.ts'
import type { AuthSchemeName } from '../../contract/schemes.ts'
import { upstreamError } from '../../engine/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { AccountDeps } from './deps.ts'
import { recorded } from './exchanges.ts'
import { REASONS } from './lifecycle.ts'
import { openVal, setupOf, valContext } from './open.ts'
import * as store from './store.ts'

/** Times that new credentials may arrive while older ones are being ended. */
const ROUNDS_MAX = 3

/** `POST …/revoke`: ends the grant at the provider, then here. Answers what was ended; nothing when that had happened before. @throws 400, 404, 409, 502, 504 */
export async function revokeAccount(
  deps: AccountDeps,
  projectId: string,
  id: string,
): Promise<readonly string[]> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const row = await store.find(deps.db, projectId, id)
    if (!row) throw new ApiError('ConnectedAccount_ResourceNotFound', `Connected account "${id}" not found`)
    if (row.status === 'REVOKED') return []
    const setup = setupFor(deps, row)
    if (!isRevocable(setup))
      throw new ApiError(
        'ConnectedAccount_RevokeNotSupported',
        `${row.toolkit_slug} has no way to end a ${row.auth_scheme} connection at the provider.`,
      )
    if (row.status !== 'ACTIVE')
      throw new ApiError(
        'ConnectedAccount_NotRevokable',
        `The connected account ${id} is ${row.status}; only an ACTIVE account can be revoked.`,
      )
    const { tokens } = await endGrant(deps, projectId, id, setup).catch((error: unknown) => {
      throw asApiError(error)
    })
    if (await markRevoked(deps, projectId, row)) return tokens
  }
  throw new ApiError(
    'ConnectedAccount_NotRevokable',
    `New credentials of the connected account ${id} keep arriving; try again.`,
  )
}

function asApiError(error: unknown): unknown {
  if (error instanceof GrantRejected)
    return new ApiError(
      'ConnectedAccount_BadRequest',
      `The provider did not take the access back: ${error.message}`,
      { cause: error },
    )
  if (error instanceof ProviderTrouble)
    return upstreamError(`The access could not be revoked: ${error.message}`, error)
  return error
}

export const setupFor = (
  deps: AccountDeps,
  row: store.AccountRow,
  val = () => openVal(deps.encryptor, row),
): ConnectionContext | undefined => setupOf(deps, { ...row, id: row.auth_config_id }, val)

const schemeOf = (setup: ConnectionContext) => authSchemes[setup.scheme.mode as AuthSchemeName]

/** Whether there is a request that would end this grant at the provider. */
export function isRevocable(setup: ConnectionContext | undefined): setup is ConnectionContext {
  const scheme = setup && schemeOf(setup)
  return Boolean(setup && scheme?.revoke && (scheme.revocable?.(setup) ?? true))
}

/** One exchange with the provider. @throws GrantRefused, ProviderTrouble */
export async function endGrant(
  deps: AccountDeps,
  projectId: string,
  accountId: string,
  setup: ConnectionContext,
): Promise<Revoked> {
  const { revoke } = schemeOf(setup) ?? {}
  if (!revoke) throw new GrantRejected('not_revocable', 'There is no way to end this access at the provider.')
  return recorded(deps, { projectId, accountId, kind: 'revoke', setup }, (tools) => revoke(setup, tools))
}

/**
 * Writes down that the grant of `row` is over: REVOKED, without its tokens. False when other credentials were stored since `row` was read,
 * by a renewal that was under way: those live on, and have to be ended too.
 */
export function markRevoked(deps: AccountDeps, projectId: string, row: store.AccountRow): Promise<boolean> {
  return deps.db.begin(async (tx) => {
    const current = await store.findForUpdate(tx, projectId, row.id)
    if (!current) return true
    if (current.val_version !== row.val_version) return false
    const kept = withoutGrant(setupFor(deps, current))
    const change = {
      status_reason: REASONS.revoked,
      token_expires_at: null,
      val: deps.encryptor.encrypt(
        { ...kept, revoked_at: new Date(deps.clock.now()).toISOString() },
        valContext(row.id),
      ),
    }
    if (!(await store.move(tx, projectId, row.id, 'revoke', change)))
      await store.move(tx, projectId, row.id, 'withdraw', change)
    return true
  })
}

const WALK_WISHES = ['state_prefix', 'long_redirect_url']

/** What the user said of the connection, such as a subdomain, for the day it is connected again; everything that the provider gave is gone. */
function withoutGrant(setup: ConnectionContext | undefined): Values {
  if (!setup) return {}
  const fields = fieldsByName(setup.scheme.manifest)
  return Object.fromEntries(
    Object.entries(setup.val).filter(
      ([name]) => WALK_WISHES.includes(name) || (fields.has(name) && !fields.get(name)?.secret),
    ),
  )
}
