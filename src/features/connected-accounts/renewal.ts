import { setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import {
  type AuthScheme,
  authSchemes,
  type Grant,
  GrantRejected,
  ProviderTrouble,
  type ConnectionContext,
  type Values,
} from '../../auth-schemes/index.ts'
import type { AuthSchemeName } from '../../contract/schemes.ts'
import { type Account, upstreamError } from '../../engine/index.ts'
import { DatabaseUnavailable } from '../../platform/db/errors.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { SharedAccountDeps } from './deps.ts'
import { recorded, renewalKind } from './exchanges.ts'
import * as leases from './lease-store.ts'
import { type Lease, leaseSeconds, nextPause, obtainLease } from './lease.ts'
import { asReason, REASONS } from './lifecycle.ts'
import { openAccount, valContext } from './open.ts'
import { find } from './store.ts'

const WAIT_MAX_MS = 25_000
/** What a caller waits at most, whatever happens; the renewal itself goes on and keeps what it gets. */
const CALLER_MAX_MS = 45_000
/** How long an answer of the provider is kept for a database that is away or another holder that is ahead. */
const KEEP_MAX_MS = 90_000
/** After a takeover a refusal is believed when the former holder has had so long to store what it may have got. */
const SETTLE_SECONDS = 2
/** After trouble the token endpoint is left alone for a while as long as the token still works; otherwise every call would wait for it. */
const REST_MS = 10_000
/** With an ended token calls fail meanwhile; a token endpoint that is down needs no request for each of them. */
const ENDED_REST_MS = 1_000
const RESTING_MAX = 10_000
const LOST = ' (A server was stopped while it renewed them, and the answer of the provider was lost with it.)'

/**
 * Renews an account's credentials: one token request at a time over all processes. In this process callers share one promise; between processes
 * a lease in the row decides, and whoever does not hold it waits for the version it knows to change. A loser never overwrites and never expires;
 * an answer of the provider is only thrown away when newer credentials are stored.
 */
export function renewal(deps: SharedAccountDeps) {
  const underWay = new Map<string, Promise<Account>>()
  const resting = new LRUCache<string, { until: number; error?: ApiError }>({ max: RESTING_MAX })
  const keyOf = ({ id, version }: Pick<Account, 'id' | 'version'>) => `${id}:${version}`

  return async function renew(projectId: string, account: Account): Promise<Account> {
    const key = keyOf(account)
    const known = underWay.get(key)
    if (known) return known
    const rest = resting.get(key)
    if (rest && rest.until > deps.clock.now()) {
      if (isGood(account)) return account
      if (rest.error) throw rest.error
    }
    // Bounded, so that nothing can stay in the map: a promise that hung here would stop the account until the process ends.
    const renewing = within(renewOnce(projectId, account), CALLER_MAX_MS).finally(() => underWay.delete(key))
    underWay.set(key, renewing)
    return renewing
  }

  async function renewOnce(projectId: string, account: Account): Promise<Account> {
    const { setup } = account
    const scheme = setup && authSchemes[setup.scheme.mode as AuthSchemeName]
    if (!setup || !scheme || !canRenew(scheme)) return account
    const deadline = deps.clock.now() + WAIT_MAX_MS
    const isLate = () => deps.clock.now() > deadline
    for (;;) {
      const lease = await obtainLease(
        deps,
        projectId,
        account,
        leaseSeconds(scheme.reuseGraceMs?.(setup) ?? 0),
        isLate,
      )
      if (!lease) return reread(projectId, account)
      const renewed = await exchange(projectId, account, lease, setup, scheme).finally(lease.stop)
      if (renewed) return renewed
      if (isLate()) throw tooLate()
    }
  }

  /** With the lease in hand: one request to the provider, then one write. Undefined when the lease was lost, and another process decides. */
  async function exchange(
    projectId: string,
    account: Account,
    lease: Lease,
    setup: ConnectionContext,
    scheme: Renewing,
  ): Promise<Account | undefined> {
    let grant: Grant
    try {
      if (!lease.isFresh()) {
        await release(projectId, account.id, lease.token)
        return undefined
      }
      grant = await recorded(
        deps,
        { projectId, accountId: account.id, kind: renewalKind(setup), setup },
        (tools) =>
          scheme.renew(setup, { ...tools, keep: (part) => keepPart(projectId, account, lease, setup, part) }),
      )
    } catch (error) {
      if (error instanceof Superseded) return undefined
      return await failed(projectId, account, lease, setup, scheme, error)
    }
    await keep(projectId, account.id, lease, setup, grant)
    return reread(projectId, account)
  }

  /** A renewal of several requests: what the first of them gave outlives whatever becomes of the others. The token in use stays as it is. */
  async function keepPart(
    projectId: string,
    { id, tokenExpiresAt }: Account,
    lease: Lease,
    setup: ConnectionContext,
    part: Values,
  ): Promise<void> {
    if (!(await keep(projectId, id, lease, setup, { val: part, expiresAt: tokenExpiresAt }, lease.seconds)))
      throw new Superseded()
    lease.version++
  }

  /** The old refresh token may have ended with this answer, so the only thing that makes it worthless is that newer credentials are stored: then false. */
  async function keep(
    projectId: string,
    id: string,
    lease: Lease,
    setup: ConnectionContext,
    grant: Grant,
    holdSeconds?: number,
  ): Promise<boolean> {
    // What the reply leaves out stays: an omitted refresh token means that the old one is still good (RFC 6749 §6).
    const val = deps.encryptor.encrypt({ ...setup.val, ...grant.val }, valContext(id))
    const token_expires_at = grant.expiresAt === null ? null : new Date(grant.expiresAt)
    const deadline = performance.now() + KEEP_MAX_MS
    for (let pause = 20; ; pause = nextPause(pause)) {
      const outcome = await leases
        .store(deps.db, projectId, id, lease.version, lease.token, { val, token_expires_at }, holdSeconds)
        .catch((error: unknown) => {
          if (!(error instanceof DatabaseUnavailable) || performance.now() > deadline) throw error
        })
      if (outcome === 'stored') return true
      if (outcome === 'superseded') {
        await release(projectId, id, lease.token)
        return false
      }
      if (performance.now() > deadline) throw tooLate()
      await wait(pause)
    }
  }

  async function failed(
    projectId: string,
    account: Account,
    lease: Lease,
    setup: ConnectionContext,
    scheme: AuthScheme,
    error: unknown,
  ): Promise<Account | undefined> {
    if (error instanceof GrantRejected) return refused(projectId, account, lease, error)
    await release(projectId, account.id, lease.token)
    if (!(error instanceof ProviderTrouble)) throw error
    // Still good: the provider gets another chance before it ends, and while a lost answer can still be asked for again.
    const keys = new Set([account.version, lease.version].map((version) => keyOf({ ...account, version })))
    if (isGood(account)) {
      const grace = scheme.reuseGraceMs?.(setup) ?? 0
      for (const key of keys)
        resting.set(key, { until: deps.clock.now() + (grace > 0 ? Math.min(REST_MS, grace / 2) : REST_MS) })
      return account
    }
    const trouble = upstreamError(`The credentials could not be renewed: ${error.message}`, error)
    for (const key of keys) resting.set(key, { until: deps.clock.now() + ENDED_REST_MS, error: trouble })
    throw trouble
  }

  /** The account is dead, unless somebody has stored better credentials: the statement looks, we do not. */
  async function refused(
    projectId: string,
    { id, setup }: Account,
    lease: Lease,
    error: GrantRejected,
  ): Promise<undefined> {
    const { version } = lease
    const reason = asReason(
      `${setup && authSchemes[setup.scheme.mode as AuthSchemeName]?.isEmpty?.(setup) ? REASONS.signInRefused : REASONS.refreshRefused}: ${error.message}${lease.takenOver ? LOST : ''}`,
    )
    let token = lease.token
    if (
      lease.takenOver &&
      (await leases.putAside(deps.db, projectId, id, version, token, SETTLE_SECONDS * 2))
    ) {
      lease.stop()
      token = leases.refusedLease(token)
      const end = performance.now() + SETTLE_SECONDS * 1_000
      for (
        let pause = 20;
        performance.now() < end && (await leases.versionOf(deps.db, projectId, id)) === version;
        pause = nextPause(pause)
      )
        await wait(pause)
    }
    if (await leases.expire(deps.db, projectId, id, version, token, reason)) {
      throw new ApiError(
        'ActionExecute_ConnectedAccountExpired',
        `The connected account ${id} is in EXPIRED state: ${reason}`,
      )
    }
    await release(projectId, id, token)
  }

  async function release(projectId: string, id: string, token: string): Promise<void> {
    await leases.release(deps.db, projectId, id, token).catch(() => {}) // It opens by itself.
  }

  function isGood({ tokenExpiresAt }: Account): boolean {
    return tokenExpiresAt !== null && tokenExpiresAt > deps.clock.now()
  }

  async function reread(projectId: string, { id }: Account): Promise<Account> {
    const row = await find(deps.db, projectId, id)
    if (!row) throw new ApiError('ConnectedAccount_ResourceNotFound', `Connected account "${id}" not found`)
    if (row.status === 'EXPIRED')
      throw new ApiError(
        'ActionExecute_ConnectedAccountExpired',
        `The connected account ${id} is in EXPIRED state: ${row.status_reason ?? ''}`,
      )
    if (row.status !== 'ACTIVE')
      throw new ApiError(
        'ActionExecute_ConnectedAccountNotActive',
        `The connected account ${id} is in ${row.status} state, not ACTIVE.`,
      )
    return openAccount({ ...deps, catalog: await deps.catalogOf(projectId) }, row)
  }
}

/** Others have stored newer credentials: this renewal has nothing to add. */
class Superseded extends Error {}

type Renewing = AuthScheme & Required<Pick<AuthScheme, 'renew'>>
const canRenew = (scheme: AuthScheme): scheme is Renewing => scheme.renew !== undefined

const tooLate = () =>
  new ApiError(
    'ActionExecute_UpstreamTimeout',
    'The credentials are being renewed and the provider has not answered in time.',
  )

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLate()), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
