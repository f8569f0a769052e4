import { type AuthScheme, type ConnectionContext, type Grant } from '../../../auth-schemes/index.ts'
import type { EngineAccount, EngineAccounts } from '../../../engine/index.ts'
import { traced } from '../../../platform/telemetry/index.ts'
import { withTimeout } from '../../../platform/timeout.ts'
import { authSchemeOf } from '../credentials.ts'
import type { SharedAccountDeps } from '../deps.ts'
import { logProviderRequests, refreshRequestKind } from '../provider-log/request-log.ts'
import * as leaseStore from './lease-store.ts'
import { type Lease, leaseSeconds, obtainLease, releaseLease } from './lease.ts'
import { RefreshCooldown } from './refresh-cooldown.ts'
import { handleRefreshFailure } from './handle-refresh-failure.ts'
import { loadRefreshedAccount } from './refreshed-account.ts'
import { CredentialsSuperseded, storeFetchedCredentials } from './store-fetched-credentials.ts'
import { refreshTimeout } from './timeouts.ts'

/** How long a caller waits for the token endpoint, over all attempts to get the lease. */
const WAIT_MAX_MS = 25_000
/** How long a caller waits in total. The refresh itself continues and stores its result. */
const CALLER_WAIT_MAX_MS = 45_000

export interface RefreshDeps extends SharedAccountDeps {
  leases: leaseStore.LeaseStore
  cooldown: RefreshCooldown
}

type RefreshingScheme = AuthScheme & Required<Pick<AuthScheme, 'refresh'>>

/** One account whose token is refreshed. */
export interface RefreshTarget {
  projectId: string
  account: EngineAccount
  context: ConnectionContext
  scheme: RefreshingScheme
}

/**
 * Creates the function that refreshes the token of an account, with one token request at a time over all
 * processes. In this process, callers share one promise. Between processes, a lease in the row decides; a
 * process without the lease waits until the version of the credentials changes. A process that lost its lease
 * neither overwrites credentials nor expires the account. Fetched credentials are only dropped if newer ones
 * are stored.
 */
export function createTokenRefresh(
  shared: SharedAccountDeps,
  leases: leaseStore.LeaseStore = leaseStore,
): EngineAccounts['refreshToken'] {
  const deps: RefreshDeps = { ...shared, leases, cooldown: new RefreshCooldown(shared.clock) }
  const inProgress = new Map<string, Promise<EngineAccount>>()
  return async (projectId, account) => {
    const key = `${account.id}:${account.version}`
    const shared = inProgress.get(key)
    if (shared) return shared
    if (deps.cooldown.mustWait(account)) return account
    // A promise without a deadline could stay in the map, and block the account until the process ends.
    const refresh = withTimeout(observedRefresh(deps, projectId, account), CALLER_WAIT_MAX_MS, () => {
      throw refreshTimeout()
    }).finally(() => inProgress.delete(key))
    inProgress.set(key, refresh)
    return refresh
  }
}

/** Refreshes a token, as a span and a count of the metrics. */
async function observedRefresh(
  deps: RefreshDeps,
  projectId: string,
  account: EngineAccount,
): Promise<EngineAccount> {
  const { id, toolkit } = account
  const attributes = { 'patchbay.project_id': projectId, 'patchbay.connected_account_id': id }
  let outcome: 'success' | 'failure' = 'failure'
  try {
    const refreshed = await traced(deps.tracing, `refresh_token ${toolkit}`, { attributes }, () =>
      refreshToken(deps, projectId, account),
    )
    outcome = 'success'
    return refreshed
  } finally {
    deps.countRefresh?.(toolkit, outcome)
  }
}

async function refreshToken(
  deps: RefreshDeps,
  projectId: string,
  account: EngineAccount,
): Promise<EngineAccount> {
  const { context } = account
  const scheme = context && authSchemeOf(context)
  if (!context || !scheme || !canFetchToken(scheme)) return account
  const target = { projectId, account, context, scheme }
  const deadline = deps.clock.now() + WAIT_MAX_MS
  const isLate = () => deps.clock.now() > deadline
  const seconds = leaseSeconds(scheme.reuseGraceMs?.(context) ?? 0)
  for (;;) {
    const lease = await obtainLease(deps, projectId, account, seconds, isLate)
    if (!lease) return loadRefreshedAccount(deps, projectId, account.id)
    const refreshed = await refreshWithLease(deps, target, lease).finally(lease.stopExtending)
    if (refreshed) return refreshed
    if (isLate()) throw refreshTimeout()
  }
}

const canFetchToken = (scheme: AuthScheme): scheme is RefreshingScheme => scheme.refresh !== undefined

/**
 * Sends one token request and stores its result. Returns undefined if the lease was lost: another process
 * decides.
 */
async function refreshWithLease(
  deps: RefreshDeps,
  target: RefreshTarget,
  lease: Lease,
): Promise<EngineAccount | undefined> {
  const { projectId, account, context } = target
  if (!lease.isCertain()) {
    await releaseLease(deps, projectId, account.id, lease.token)
    return undefined
  }
  let grant: Grant
  try {
    grant = await fetchToken(deps, target, lease)
  } catch (error) {
    if (error instanceof CredentialsSuperseded) return undefined
    return await handleRefreshFailure(deps, target, lease, error)
  }
  await storeFetchedCredentials(deps, projectId, account.id, context, lease, grant)
  return loadRefreshedAccount(deps, projectId, account.id)
}

/** @throws GrantRejected, ProviderUnavailable, CredentialsSuperseded */
async function fetchToken(deps: RefreshDeps, target: RefreshTarget, lease: Lease): Promise<Grant> {
  const { projectId, account, context, scheme } = target
  const subject = { projectId, accountId: account.id, kind: refreshRequestKind(context), connection: context }
  const egress = await deps.egressOf(projectId)
  return logProviderRequests({ ...deps, egress }, subject, (tools) =>
    scheme.refresh(context, {
      ...tools,
      // A refresh of several requests: the result of the first one is stored before the next one is sent. The
      // token in use stays valid until then.
      async saveCredentials(credentials) {
        const part = { credentials, expiresAt: account.tokenExpiresAt }
        const keepLeaseSeconds = lease.seconds
        const isStored = await storeFetchedCredentials(
          deps,
          projectId,
          account.id,
          context,
          lease,
          part,
          keepLeaseSeconds,
        )
        if (!isStored) throw new CredentialsSuperseded()
        lease.version++
      },
    }),
  )
}
