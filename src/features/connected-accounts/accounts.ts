import { LRUCache } from 'lru-cache'
import type { Catalog } from '../../catalog/index.ts'
import { authSchemes } from '../../auth-schemes/index.ts'
import type { AuthSchemeName } from '../../contract/schemes.ts'
import type { Account, Accounts } from '../../engine/index.ts'
import { coalesce } from '../../platform/db/coalesce.ts'
import type { SharedAccountDeps } from './deps.ts'
import * as leases from './lease-store.ts'
import { REASONS } from './lifecycle.ts'
import { openAccount } from './open.ts'
import { renewal } from './renewal.ts'
import { type AccountKey, findMany, pickMany, type Stamped, stampsOf } from './store.ts'

/** Refusals of fresh credentials in a row after which an account counts as dead. */
const REFUSALS_MAX = 3
const OPENED_MAX = 5_000
/** How long opened credentials of an account that nobody uses stay in memory, in ms. */
const OPENED_TTL_MS = 60_000

/**
 * Accounts for the engine. The database is asked at every call, so a switched-off account is off at once on every replica; what is remembered is only
 * the opened form of a row version that the database has just named again.
 */
export function accountsForEngine(deps: SharedAccountDeps): Accounts {
  const opened = new LRUCache<string, { stamp: string; catalog: Catalog; account: Account }>({
    max: OPENED_MAX,
    ttl: OPENED_TTL_MS,
    updateAgeOnGet: true,
  })
  const stampOf = coalesce((keys: readonly AccountKey[]) => stampsOf(deps.db, keys))
  const picked = coalesce((keys: readonly { projectId: string; userId: string; toolkit: string }[]) =>
    pickMany(deps.db, keys),
  )
  const rowOf = coalesce((keys: readonly AccountKey[]) => findMany(deps.db, keys))

  async function account(projectId: string, named: Stamped | undefined): Promise<Account | undefined> {
    if (!named) return undefined
    // Credentials of the operator have no row whose stamp would change with them.
    const stamp = `${named.stamp}.${deps.managed.revision()}`
    const catalog = await deps.catalogOf(projectId)
    const known = opened.get(named.id)
    if (known?.stamp === stamp && known.catalog === catalog) return known.account
    const row = await rowOf({ projectId, id: named.id })
    const read = row && openAccount({ ...deps, catalog }, row)
    // A set-up that is under way changes with the clock, not only with writes.
    if (read?.status === 'ACTIVE') opened.set(named.id, { stamp, catalog, account: read })
    return read
  }

  return {
    byId: async (projectId, id) => account(projectId, await stampOf({ projectId, id })),
    pick: async (projectId, userId, toolkit) =>
      account(projectId, await picked({ projectId, userId, toolkit })),
    renew: renewal(deps),
    async refused(projectId, { id, version, tokenExpiresAt, setup }) {
      const scheme = setup && authSchemes[setup.scheme.mode as AuthSchemeName]
      const leftMs = tokenExpiresAt === null ? Infinity : tokenExpiresAt - deps.clock.now()
      // A token that ended on its way says nothing about the grant; the next call renews it. One that nothing can renew will not come back.
      if (setup && scheme?.renewable?.(setup) && leftMs <= (scheme.marginMs?.(setup) ?? 0)) return
      const ended = leftMs <= 0
      await leases.countRefusal(
        deps.db,
        projectId,
        id,
        version,
        ended ? 1 : REFUSALS_MAX,
        ended ? REASONS.accessEnded : REASONS.tooManyFailures,
      )
    },
    async accepted(projectId, { id }) {
      await leases.clearRefusals(deps.db, projectId, id)
    },
  }
}
