import type { Accounts } from '../../engine/index.ts'
import { type Db, sql } from '../../platform/db/sql.ts'
import type { Schedule } from '../../platform/jobs/index.ts'
import type { SharedAccountDeps } from './deps.ts'
import { renewUnasked, type Unasked } from './idle.ts'

const PORTION = 50

/** Accounts whose renewal was begun and neither stored nor given up: its server was killed. Whoever gets an id here is the only one for this lease. */
const claim = (db: Db): Promise<Unasked[]> =>
  db.rows(sql`
  update connected_accounts set renewal_tried_at = now() where id in (
    select id from connected_accounts
    where refresh_lease is not null and refresh_lease_until < now() and status = 'ACTIVE' and deleted_at is null and (renewal_tried_at is null or renewal_tried_at < refresh_lease_until)
    order by refresh_lease_until limit ${PORTION} for update skip locked)
  returning id, project_id`)

/**
 * Takes up renewals that a killed server left behind, although nobody calls: the answer of the provider may be lost, and many providers
 * forgive for some minutes that the old refresh token is shown again. Later it would end the grant.
 */
export async function renewAbandoned(deps: SharedAccountDeps, renew: Accounts['renew']): Promise<void> {
  for (let found = PORTION; found === PORTION;) {
    const left = await claim(deps.db)
    found = left.length
    await renewUnasked(deps, renew, left)
  }
}

export const abandonedSchedule = (deps: SharedAccountDeps, renew: Accounts['renew']): Schedule => ({
  task: 'connectedAccounts.renewAbandoned',
  cron: '* * * * *',
  run: () => renewAbandoned(deps, renew),
})
