import { setTimeout as wait } from 'node:timers/promises'
import type { ConnectionContext, Grant } from '../../../auth-schemes/index.ts'
import { DatabaseUnavailable } from '../../../platform/db/errors.ts'
import { encryptCredentials } from '../credentials.ts'
import { type Lease, nextPollMs, releaseLease } from './lease.ts'
import type { RefreshDeps } from './refresh.ts'
import { refreshTimeout } from './timeouts.ts'

/**
 * How long fetched credentials wait for a database that is unavailable, or for the newer lease of another
 * process.
 */
const STORE_WAIT_MAX_MS = 90_000
const FIRST_POLL_MS = 20

/** Another process has stored newer credentials. */
export class CredentialsSuperseded extends Error {}

/**
 * Stores fetched credentials. The provider may have ended the old refresh token, so they are only dropped if
 * newer ones are stored; then it returns false. With `keepLeaseSeconds`, the lease stays for the next request
 * of the refresh.
 */
export async function storeFetchedCredentials(
  deps: RefreshDeps,
  projectId: string,
  id: string,
  context: ConnectionContext,
  lease: Lease,
  grant: Grant,
  keepLeaseSeconds?: number,
): Promise<boolean> {
  // A field that the response leaves out is kept: a missing refresh token means that the old one stays valid
  // (RFC 6749, section 6).
  const fetched = { ...context.credentials, ...grant.credentials }
  const token_expires_at = grant.expiresAt === null ? null : new Date(grant.expiresAt)
  const deadline = performance.now() + STORE_WAIT_MAX_MS
  for (let pollMs = FIRST_POLL_MS; ; pollMs = nextPollMs(pollMs)) {
    const result = await deps.encryptor
      .ofProject(projectId)
      .then((encryptor) =>
        deps.leases.storeRefreshedCredentials(
          deps,
          { projectId, id, version: lease.version, lease: lease.token, keepLeaseSeconds },
          { credentials: encryptCredentials(encryptor, id, fetched), token_expires_at },
        ),
      )
      .catch((error: unknown) => {
        if (!(error instanceof DatabaseUnavailable) || performance.now() > deadline) throw error
        return undefined
      })
    if (result === 'stored') return true
    if (result === 'superseded') {
      await releaseLease(deps, projectId, id, lease.token)
      return false
    }
    if (performance.now() > deadline) throw refreshTimeout()
    await wait(pollMs)
  }
}
