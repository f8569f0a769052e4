import { createCache } from '../../../platform/cache.ts'
import type { Catalog } from '../../../catalog/index.ts'
import type { EngineAccount, EngineAccounts } from '../../../engine/index.ts'
import { batchCalls } from '../../../platform/db/batch.ts'
import { authSchemeOf, toEngineAccount } from '../credentials.ts'
import type { SharedAccountDeps } from '../deps.ts'
import { STATUS_REASONS } from '../state-machine.ts'
import { clearAuthFailures, countAuthFailure } from '../token-refresh/lease-store.ts'
import { createTokenRefresh } from '../token-refresh/refresh.ts'
import {
  type AccountKey,
  type AccountVersion,
  findAccounts,
  findRowVersions,
  findUnusableAccount,
  pickAccounts,
} from './store.ts'

/** An account is EXPIRED after its provider rejected valid credentials this many times in a row. */
const AUTH_FAILURES_MAX = 3
const CACHED_ACCOUNTS_MAX = 5_000
/** How long decrypted credentials of an unused account stay in memory, in ms. */
const CACHE_TTL_MS = 60_000

/**
 * Creates the accounts of the engine. Every call asks the database, so that a disabled account is disabled on
 * every replica immediately. The cache only holds the decrypted form of a row version that the database just
 * confirmed.
 */
export function createEngineAccounts(deps: SharedAccountDeps): EngineAccounts {
  const load = createAccountLoader(deps)
  const versionOf = batchCalls((keys: readonly AccountKey[]) => findRowVersions(deps.db, keys))
  const pick = batchCalls((keys: readonly { projectId: string; userId: string; toolkit: string }[]) =>
    pickAccounts(deps.db, keys),
  )
  return {
    findById: async (projectId, id) => load(projectId, await versionOf({ projectId, id })),
    async findForUser(projectId, userId, toolkit) {
      const key = { projectId, userId, toolkit }
      return load(projectId, (await pick(key)) ?? (await findUnusableAccount(deps.db, key)))
    },
    refreshToken: createTokenRefresh(deps),
    recordRejection: (projectId, account) => handleRejectedCredentials(deps, projectId, account),
    async clearRejections(projectId, { id }) {
      await clearAuthFailures(deps.db, projectId, id)
    },
  }
}

interface CachedAccount {
  version: string
  catalog: Catalog
  account: EngineAccount
}

function createAccountLoader(deps: SharedAccountDeps) {
  const cache = createCache<string, CachedAccount>({
    max: CACHED_ACCOUNTS_MAX,
    ttl: CACHE_TTL_MS,
    updateAgeOnGet: true,
  })
  const findRow = batchCalls((keys: readonly AccountKey[]) => findAccounts(deps.db, keys))

  return async (projectId: string, found: AccountVersion | undefined): Promise<EngineAccount | undefined> => {
    if (!found) return undefined
    // The administrator's credentials are in no row, so they have a version of their own.
    const version = `${found.row_version}.${deps.managed.revision()}`
    const catalog = await deps.catalogOf(projectId)
    const cached = cache.get(found.id)
    if (cached?.version === version && cached.catalog === catalog) return cached.account
    const row = await findRow({ projectId, id: found.id })
    const account = row && toEngineAccount({ ...deps, catalog }, row)
    // An account that is being connected expires by the clock, without a write.
    if (account?.status === 'ACTIVE') cache.set(found.id, { version, catalog, account })
    return account
  }
}

async function handleRejectedCredentials(
  deps: SharedAccountDeps,
  projectId: string,
  { id, version, tokenExpiresAt, context: setup }: EngineAccount,
): Promise<void> {
  const scheme = setup && authSchemeOf(setup)
  const remainingMs = tokenExpiresAt === null ? Infinity : tokenExpiresAt - deps.clock.now()
  // A token that expired during the request says nothing about the grant; the next call refreshes it.
  if (setup && scheme?.canRefresh?.(setup) && remainingMs <= (scheme.refreshMarginMs?.(setup) ?? 0)) return
  // An expired token that cannot be refreshed will not be accepted again.
  const isExpired = remainingMs <= 0
  await countAuthFailure(deps, projectId, id, version, {
    failuresMax: isExpired ? 1 : AUTH_FAILURES_MAX,
    reason: isExpired ? STATUS_REASONS.accessEnded : STATUS_REASONS.tooManyFailures,
  })
}
