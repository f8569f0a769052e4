import type { EngineAccount, EngineAccounts } from '../../../engine/index.ts'
import { batchCalls } from '../../../platform/db/batch.ts'
import { authSchemeOf, toEngineAccount } from '../credentials.ts'
import type { SharedAccountDeps } from '../deps.ts'
import { STATUS_REASONS } from '../state-machine.ts'
import { clearAuthFailures, countAuthFailure } from '../token-refresh/lease-store.ts'
import { createTokenRefresh } from '../token-refresh/refresh.ts'
import type { AccountCache, AccountName } from './account-cache.ts'
import {
  type AccountKey,
  findAccounts,
  findUnusableAccount,
  pickAccounts,
  type UserOfToolkit,
} from './store.ts'

/** An account is EXPIRED after its provider rejected valid credentials this many times in a row. */
const AUTH_FAILURES_MAX = 3

/**
 * Creates the accounts of the engine. Every call asks the database, so that a disabled account is disabled on
 * every replica immediately: it reads the account, or confirms that a cached one has not changed.
 */
export function createEngineAccounts(deps: SharedAccountDeps, cache: AccountCache): EngineAccounts {
  const findById = batchCalls((keys: readonly AccountKey[]) => findAccounts(deps.db, keys))
  const pick = batchCalls((keys: readonly UserOfToolkit[]) => pickAccounts(deps.db, keys))

  const read = async (
    name: AccountName,
    confirmed?: Promise<boolean>,
  ): Promise<EngineAccount | undefined> => {
    const { projectId } = name
    const [catalog, revision] = [await deps.catalogOf(projectId), deps.managed.revision()]
    const cached = await cache.find(name, confirmed)
    if (cached?.catalog === catalog && cached.revision === revision) return cached.account
    const add = cache.prepareAdd()
    const row =
      'id' in name ? await findById(name) : ((await pick(name)) ?? (await findUnusableAccount(deps.db, name)))
    const account = row && toEngineAccount({ ...deps, catalog }, row)
    // An account that is being connected expires by the clock, without a write.
    if (account?.status === 'ACTIVE' && account.authConfigEnabled) add(name, { account, catalog, revision })
    return account
  }

  return {
    findById: (projectId, id, confirmed) => read({ projectId, id }, confirmed),
    findForUser: (projectId, userId, toolkit, confirmed) => read({ projectId, userId, toolkit }, confirmed),
    refreshToken: createTokenRefresh(deps),
    recordRejection: (projectId, account) => handleRejectedCredentials(deps, projectId, account),
    async clearRejections(projectId, { id }) {
      await clearAuthFailures(deps.db, projectId, id)
    },
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
