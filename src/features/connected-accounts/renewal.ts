import { setTimeout as wait } from 'node:timers/promises'
import { authSchemes, type Grant, GrantRefused, ProviderTrouble } from '../../auth-schemes/index.ts'
import type { AuthSchemeName } from '../../contract/schemes.ts'
import type { Account } from '../../engine/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { randomText } from '../../platform/ids.ts'
import { type AccountDeps, schemeTools } from './deps.ts'
import * as leases from './lease-store.ts'
import { REASONS } from './lifecycle.ts'
import { openAccount, valContext } from './open.ts'
import { find } from './store.ts'

/** Longer than a token request may take (15 s), so that a lease cannot open while its holder still talks. */
const LEASE_SECONDS = 20
const WAIT_MAX_MS = 25_000
const POLL_MS = 40

/**
 * Renews an account's credentials: one token request at a time over all processes. In this process callers share one promise; between processes
 * a lease in the row decides, and whoever does not hold it waits for the version it knows to change. A loser never overwrites and never expires.
 */
export function renewal(deps: AccountDeps) {
  const underWay = new Map<string, Promise<Account>>()

  return function renew(projectId: string, account: Account): Promise<Account> {
    const key = `${account.id}:${account.version}`
    const known = underWay.get(key)
    if (known) return known
    const renewing = renewOnce(projectId, account).finally(() => underWay.delete(key))
    underWay.set(key, renewing)
    return renewing
  }

  async function renewOnce(projectId: string, account: Account): Promise<Account> {
    const deadline = deps.clock.now() + WAIT_MAX_MS
    const lease = randomText(16)
    while (!await leases.take(deps.db, projectId, account.id, account.version, lease, LEASE_SECONDS)) {
      const current = await reread(projectId, account)
      if (current.version !== account.version) return current
      if (deps.clock.now() > deadline) throw new ApiError('ActionExecute_UpstreamTimeout', 'The credentials are being renewed and the provider has not answered in time.')
      await wait(POLL_MS)
    }
    return exchange(projectId, account, lease)
  }

  /** With the lease in hand: one request to the provider, then one write that only succeeds if nobody else wrote. */
  async function exchange(projectId: string, account: Account, lease: string): Promise<Account> {
    const { setup } = account
    const scheme = setup && authSchemes[setup.scheme.mode as AuthSchemeName]
    if (!setup || !scheme?.renew) { await leases.release(deps.db, projectId, account.id, lease); return account }
    try {
      const grant = await scheme.renew(setup, schemeTools(deps))
      await keep(projectId, account, lease, grant)
      return await reread(projectId, account)
    } catch (error) {
      return await failed(projectId, account, lease, error)
    }
  }

  async function keep(projectId: string, account: Account, lease: string, grant: Grant): Promise<void> {
    // What the reply leaves out stays: an omitted refresh token means that the old one is still good (RFC 6749 §6).
    const val = deps.sealer.seal({ ...account.setup?.val, ...grant.val }, valContext(account.id))
    const token_expires_at = grant.expiresAt === null ? null : new Date(grant.expiresAt)
    await leases.store(deps.db, projectId, account.id, account.version, lease, { val, token_expires_at })
  }

  async function failed(projectId: string, account: Account, lease: string, error: unknown): Promise<Account> {
    if (error instanceof GrantRefused) {
      const reason = `${REASONS.refreshRefused}: ${error.message}`
      // Nobody may have stored better credentials meanwhile; the statement looks, we do not.
      if (await leases.expire(deps.db, projectId, account.id, account.version, reason)) {
        throw new ApiError('ActionExecute_ConnectedAccountExpired', `The connected account ${account.id} is in EXPIRED state: ${reason}`)
      }
      return reread(projectId, account)
    }
    await leases.release(deps.db, projectId, account.id, lease)
    if (!(error instanceof ProviderTrouble)) throw error
    if (account.tokenExpiresAt !== null && account.tokenExpiresAt > deps.clock.now()) return account // still good: the provider gets another chance before it ends
    throw new ApiError('ActionExecute_UpstreamUnreachable', `The credentials could not be renewed: ${error.message}`, { cause: error })
  }

  async function reread(projectId: string, { id }: Account): Promise<Account> {
    const row = await find(deps.db, projectId, id)
    if (!row) throw new ApiError('ConnectedAccount_ResourceNotFound', `Connected account "${id}" not found`)
    if (row.status === 'EXPIRED') throw new ApiError('ActionExecute_ConnectedAccountExpired', `The connected account ${id} is in EXPIRED state: ${row.status_reason ?? ''}`)
    if (row.status !== 'ACTIVE') throw new ApiError('ActionExecute_ConnectedAccountNotActive', `The connected account ${id} is in ${row.status} state, not ACTIVE.`)
    return openAccount(deps, row)
  }
}
