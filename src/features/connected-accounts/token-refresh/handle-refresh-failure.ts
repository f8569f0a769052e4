import { setTimeout as wait } from 'node:timers/promises'
import { GrantRejected, ProviderUnavailable } from '../../../auth-schemes/index.ts'
import { type EngineAccount, toUpstreamError } from '../../../engine/index.ts'
import { authSchemeOf } from '../credentials.ts'
import { STATUS_REASONS, toStatusReason } from '../state-machine.ts'
import { type Lease, nextPollMs, releaseLease } from './lease.ts'
import type { RefreshDeps, RefreshTarget } from './refresh.ts'
import { accountExpired } from './refreshed-account.ts'

/** After a takeover of the lease, the former holder has this long to store what it may have fetched. */
const SETTLE_SECONDS = 2
const FIRST_POLL_MS = 20
const RESPONSE_LOST =
  ' (A server stopped during the token refresh, and the response of the provider was lost.)'

/**
 * Handles the error of a token request. Returns the account if its current token still works, and undefined
 * if another process has stored other credentials.
 */
export async function handleRefreshFailure(
  deps: RefreshDeps,
  target: RefreshTarget,
  lease: Lease,
  error: unknown,
): Promise<EngineAccount | undefined> {
  const { projectId, account, context, scheme } = target
  if (error instanceof GrantRejected) return expireAccount(deps, target, lease, error)
  await releaseLease(deps, projectId, account.id, lease.token)
  if (!(error instanceof ProviderUnavailable)) throw error
  const versions = [account.version, lease.version]
  if (deps.cooldown.isTokenValid(account)) {
    // The next attempt comes before the token expires, and while a lost response can still be requested
    // again.
    deps.cooldown.startWithValidToken(account.id, versions, scheme.reuseGraceMs?.(context) ?? 0)
    return account
  }
  const upstreamError = toUpstreamError(`The token could not be refreshed: ${error.message}`, error)
  deps.cooldown.startWithExpiredToken(account.id, versions, upstreamError)
  throw upstreamError
}

/** Expires the account, unless other credentials are stored by now: the statement compares their version. */
async function expireAccount(
  deps: RefreshDeps,
  { projectId, account: { id }, context }: RefreshTarget,
  lease: Lease,
  error: GrantRejected,
): Promise<undefined> {
  const isFirstSignIn = authSchemeOf(context)?.needsFirstToken?.(context)
  const summary = isFirstSignIn ? STATUS_REASONS.signInRejected : STATUS_REASONS.refreshRejected
  const reason = toStatusReason(`${summary}: ${error.message}${lease.isTakenOver ? RESPONSE_LOST : ''}`)
  const token = lease.isTakenOver ? await waitForFormerHolder(deps, projectId, id, lease) : lease.token
  const version = { projectId, id, version: lease.version, lease: token }
  if (await deps.leases.expireAccount(deps, version, reason)) throw accountExpired(id, reason)
  await releaseLease(deps, projectId, id, token)
}

/**
 * Gives the former holder of the lease time to store a late response. Returns the token of the changed lease.
 */
async function waitForFormerHolder(
  deps: RefreshDeps,
  projectId: string,
  id: string,
  lease: Lease,
): Promise<string> {
  const isMarked = await deps.leases.markLeaseRejected(
    deps.db,
    projectId,
    id,
    lease.version,
    lease.token,
    SETTLE_SECONDS * 2,
  )
  if (!isMarked) return lease.token
  lease.stopExtending()
  const end = performance.now() + SETTLE_SECONDS * 1_000
  const isUnchanged = async () =>
    (await deps.leases.findCredentialsVersion(deps.db, projectId, id)) === lease.version
  for (
    let pollMs = FIRST_POLL_MS;
    performance.now() < end && (await isUnchanged());
    pollMs = nextPollMs(pollMs)
  )
    await wait(pollMs)
  return deps.leases.rejectedLease(lease.token)
}
