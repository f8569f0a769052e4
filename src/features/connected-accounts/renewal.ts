import { setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { authSchemes, type Grant, GrantRefused, ProviderTrouble } from '../../auth-schemes/index.ts'
import type { AuthSchemeName } from '../../contract/schemes.ts'
import { type Account, upstreamError } from '../../engine/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { randomText } from '../../platform/ids.ts'
import type { AccountDeps } from './deps.ts'
import { recorded, renewalKind } from './exchanges.ts'
import * as leases from './lease-store.ts'
import { asReason, REASONS } from './lifecycle.ts'
import { openAccount, valContext } from './open.ts'
import { find } from './store.ts'

/** Longer than a token request may take (15 s), so that a lease cannot open while its holder still talks. */
const LEASE_SECONDS = 20
const WAIT_MAX_MS = 25_000
const POLL_MS = 40
/** After trouble the token endpoint is left alone for a while as long as the token still works; otherwise every call would wait for it. */
const REST_MS = 10_000
const RESTING_MAX = 10_000

/**
 * Renews an account's credentials: one token request at a time over all processes. In this process callers share one promise; between processes
 * a lease in the row decides, and whoever does not hold it waits for the version it knows to change. A loser never overwrites and never expires.
 */
export function renewal(deps: AccountDeps) {
  const underWay = new Map<string, Promise<Account>>()
  const restingUntil = new LRUCache<string, number>({ max: RESTING_MAX })
  const keyOf = ({ id, version }: Account) => `${id}:${version}`

  return function renew(projectId: string, account: Account): Promise<Account> {
    const key = keyOf(account)
    const known = underWay.get(key)
    if (known) return known
    if (isGood(account) && (restingUntil.get(key) ?? 0) > deps.clock.now()) return Promise.resolve(account)
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
    try {
      const renew = scheme?.renew
      if (!setup || !renew) return account
      const grant = await recorded(deps, { projectId, accountId: account.id, kind: renewalKind(setup), setup }, (tools) => renew(setup, tools))
      await keep(projectId, account, grant)
      return await reread(projectId, account)
    } catch (error) {
      return await failed(projectId, account, error)
    } finally {
      await leases.release(deps.db, projectId, account.id, lease)
    }
  }

  async function keep(projectId: string, account: Account, grant: Grant): Promise<void> {
    // What the reply leaves out stays: an omitted refresh token means that the old one is still good (RFC 6749 §6).
    const val = deps.sealer.seal({ ...account.setup?.val, ...grant.val }, valContext(account.id))
    const token_expires_at = grant.expiresAt === null ? null : new Date(grant.expiresAt)
    await leases.store(deps.db, projectId, account.id, account.version, { val, token_expires_at })
  }

  async function failed(projectId: string, account: Account, error: unknown): Promise<Account> {
    if (error instanceof GrantRefused) {
      const reason = asReason(`${REASONS.refreshRefused}: ${error.message}`)
      // Nobody may have stored better credentials meanwhile; the statement looks, we do not.
      if (await leases.expire(deps.db, projectId, account.id, account.version, reason)) {
        throw new ApiError('ActionExecute_ConnectedAccountExpired', `The connected account ${account.id} is in EXPIRED state: ${reason}`)
      }
      return reread(projectId, account)
    }
    if (!(error instanceof ProviderTrouble)) throw error
    // Still good: the provider gets another chance before it ends.
    if (isGood(account)) { restingUntil.set(keyOf(account), deps.clock.now() + REST_MS); return account }
    throw upstreamError(`The credentials could not be renewed: ${error.message}`, error)
  }

  function isGood({ tokenExpiresAt }: Account): boolean {
    return tokenExpiresAt !== null && tokenExpiresAt > deps.clock.now()
  }

  async function reread(projectId: string, { id }: Account): Promise<Account> {
    const row = await find(deps.db, projectId, id)
    if (!row) throw new ApiError('ConnectedAccount_ResourceNotFound', `Connected account "${id}" not found`)
    if (row.status === 'EXPIRED') throw new ApiError('ActionExecute_ConnectedAccountExpired', `The connected account ${id} is in EXPIRED state: ${row.status_reason ?? ''}`)
    if (row.status !== 'ACTIVE') throw new ApiError('ActionExecute_ConnectedAccountNotActive', `The connected account ${id} is in ${row.status} state, not ACTIVE.`)
    return openAccount(deps, row)
  }
}
