import type { Accounts } from '../../engine/index.ts'
import { coalesce } from '../../platform/db/coalesce.ts'
import type { AccountDeps } from './deps.ts'
import * as leases from './lease-store.ts'
import { REASONS } from './lifecycle.ts'
import { openAccount } from './open.ts'
import { renewal } from './renewal.ts'
import { type AccountRow, findMany, pickMany } from './store.ts'

/** Refusals of fresh credentials in a row after which an account counts as dead. */
const REFUSALS_MAX = 3

/** Accounts for the engine. Read at every call, never remembered: a switched-off account is off at once on every replica. */
export function accountsForEngine(deps: AccountDeps): Accounts {
  const byId = coalesce((keys: readonly { projectId: string, id: string }[]) => findMany(deps.db, keys))
  const picked = coalesce((keys: readonly { projectId: string, userId: string, toolkit: string }[]) => pickMany(deps.db, keys))
  const opened = (row: AccountRow | undefined) => row && openAccount(deps, row)
  return {
    byId: async (projectId, id) => opened(await byId({ projectId, id })),
    pick: async (projectId, userId, toolkit) => opened(await picked({ projectId, userId, toolkit })),
    renew: renewal(deps),
    async refused(projectId, { id, version }) {
      await leases.countRefusal(deps.db, projectId, id, version, REFUSALS_MAX, REASONS.tooManyFailures)
    },
    async accepted(projectId, { id }) {
      await leases.clearRefusals(deps.db, projectId, id)
    },
  }
}
