import { authSchemes } from '../../auth-schemes/index.ts'
import type { CompiledScheme } from '../../catalog/index.ts'
import type { AuthSchemeName } from '../../contract/schemes.ts'
import type { Accounts } from '../../engine/index.ts'
import { type Db, sql } from '../../platform/db/sql.ts'
import type { Schedule } from '../../platform/jobs/index.ts'
import type { AccountDeps } from './deps.ts'
import { openAccount } from './open.ts'
import { find } from './store.ts'

export interface Unasked { id: string, project_id: string }

const PORTION = 50
const AT_ONCE = 5
/** Where a provider hands out new refresh tokens and does not say how long an unused one lives. */
const ROTATING_SECONDS = 7 * 86_400
const TRY_AGAIN_MINUTES = 60

/** Seconds without a renewal after which a grant of this scheme is renewed unasked; undefined where nothing is known to die of rest. */
export function idleSecondsOf({ manifest }: CompiledScheme): number | undefined {
  const { refresh } = manifest as { refresh?: { max_idle_seconds?: number, max_age_seconds?: number, rotates?: string } }
  if (!refresh) return undefined
  const ends = [refresh.max_idle_seconds, refresh.max_age_seconds].filter((seconds) => seconds !== undefined)
  // Half-way: a provider that is down for days still finds the grant alive.
  if (ends.length) return Math.ceil(Math.min(...ends) / 2)
  return refresh.rotates === 'always' || refresh.rotates === 'sometimes' ? ROTATING_SECONDS : undefined
}

/** Accounts that have rested too long, the longest first; whoever gets an id here is the only one for an hour. */
const claim = (db: Db, toolkit: string, mode: string, seconds: number): Promise<Unasked[]> => db.rows(sql`
  update connected_accounts set renewal_tried_at = now() where id in (
    select id from connected_accounts
    where toolkit_slug = ${toolkit} and auth_scheme = ${mode} and status = 'ACTIVE' and deleted_at is null and coalesce(renewed_at, connected_at) < now() - make_interval(secs => ${seconds})
      and (renewal_tried_at is null or renewal_tried_at < now() - make_interval(mins => ${TRY_AGAIN_MINUTES}))
    order by coalesce(renewed_at, connected_at) limit ${PORTION} for update skip locked)
  returning id, project_id`)

/** Renews grants that nobody uses before they end of it. A refusal ends the account as it does in a call; trouble is tried again an hour later. */
export async function renewIdle(deps: AccountDeps, renew: Accounts['renew']): Promise<void> {
  for (const toolkit of deps.catalog.toolkits) {
    for (const scheme of toolkit.schemes) {
      const { mode } = scheme
      const seconds = idleSecondsOf(scheme)
      if (seconds === undefined || !authSchemes[mode as AuthSchemeName]?.renew) continue
      await renewUnasked(deps, renew, await claim(deps.db, toolkit.slug, mode, seconds))
    }
  }
}

/** A few at once; one that cannot be renewed keeps no other from it. */
export async function renewUnasked(deps: AccountDeps, renew: Accounts['renew'], accounts: readonly Unasked[]): Promise<void> {
  for (let at = 0; at < accounts.length; at += AT_ONCE) {
    await Promise.all(accounts.slice(at, at + AT_ONCE).map((one) => renewOne(deps, renew, one).catch((error: unknown) => deps.log.debug({ err: error, account: one.id }, 'an account that nobody uses was not renewed'))))
  }
}

async function renewOne(deps: AccountDeps, renew: Accounts['renew'], { id, project_id: projectId }: Unasked): Promise<void> {
  const row = await find(deps.db, projectId, id)
  const account = row && openAccount(deps, row)
  const scheme = account?.setup && authSchemes[account.setup.scheme.mode as AuthSchemeName]
  if (account?.setup && account.status === 'ACTIVE' && scheme?.renewable?.(account.setup)) await renew(projectId, account)
}

export const idleSchedule = (deps: AccountDeps, renew: Accounts['renew']): Schedule => ({ task: 'connectedAccounts.renewIdle', cron: '*/10 * * * *', run: () => renewIdle(deps, renew) })
