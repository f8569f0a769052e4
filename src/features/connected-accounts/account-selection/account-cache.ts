import type { Catalog } from '../../../catalog/index.ts'
import type { EngineAccount } from '../../../engine/index.ts'
import { createCache } from '../../../platform/cache.ts'
import { ConfirmedCache } from '../../../platform/db/confirmed-cache.ts'

const USERS_MAX = 5_000
/** How long decrypted credentials of an unused account stay in memory, in ms. */
const TTL_MS = 60_000

/** How a call names an account: by its id, or by its user and toolkit. */
export type AccountName =
  | { readonly projectId: string; readonly id: string }
  | { readonly projectId: string; readonly userId: string; readonly toolkit: string }

export interface CachedAccount {
  readonly account: EngineAccount
  /** The catalogue and the revision of the administrator's credentials with which the account was read. */
  readonly catalog: Catalog
  readonly revision: unknown
}

/** The usable accounts that this process has read, with decrypted credentials. Triggers report their changes. */
export interface AccountCache {
  /** Returns an account if it is cached and has not changed before this call, or before `confirmed` was started. */
  find(name: AccountName, confirmed?: Promise<boolean>): Promise<CachedAccount | undefined> | undefined
  /** Returns a function that adds an account that is read after this call, unless something changes meanwhile. */
  prepareAdd(): (name: AccountName, cached: CachedAccount) => void
  /** Forgets the accounts of a user; null: of all users of the project. */
  forget(projectId: string, userId: string | null): void
  forgetAll(): void
}

/** Creates the cache. Accounts are grouped by user, because changes are reported for users. */
export function createAccountCache(confirm: () => Promise<boolean>): AccountCache {
  const accounts = new ConfirmedCache<CachedAccount>({ confirm, groupsMax: USERS_MAX, ttlMs: TTL_MS })
  /** The groups of accounts that calls name by id. */
  const groups = createCache<string, string>({ max: USERS_MAX * 4 })
  const groupOf = (projectId: string, userId: string) => `${projectId}/${userId}`
  const keyOf = (name: AccountName): string => ('id' in name ? `#${name.id}` : name.toolkit)
  return {
    find(name, confirmed) {
      const { projectId } = name
      const group = 'id' in name ? groups.get(`${projectId}/${name.id}`) : groupOf(projectId, name.userId)
      return group === undefined ? undefined : accounts.find(group, keyOf(name), confirmed)
    },
    prepareAdd() {
      const add = accounts.prepareAdd()
      return (name, cached) => {
        const { projectId } = name
        const group = groupOf(projectId, cached.account.userId)
        if (add(group, keyOf(name), cached) && 'id' in name) groups.set(`${projectId}/${name.id}`, group)
      }
    },
    forget(projectId, userId) {
      if (userId !== null) accounts.forget(groupOf(projectId, userId))
      else accounts.forgetAll(`${projectId}/`)
    },
    forgetAll() {
      accounts.forgetAll()
      groups.clear()
    },
  }
}
