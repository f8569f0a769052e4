import { authSchemes } from '../../auth-schemes/index.ts'
import { compiledSchemeOf, type CompiledScheme, inProject } from '../../catalog/index.ts'
import type { AuthSchemeName } from '../../contract/schemes.ts'
import type { Accounts } from '../../engine/index.ts'
import { type Db, sql } from '../../platform/db/sql.ts'
import type { Schedule } from '../../platform/jobs/index.ts'
import type { AccountDeps, SharedAccountDeps } from './deps.ts'
import { openAccount } from './open.ts'
import { find } from './store.ts'

export interface Unasked {
  id: string
  project_id: string
}

const PORTION = 50
const AT_ONCE = 5
/** Where a provider hands out new refresh tokens and does not say how long an unused one lives. */
const ROTATING_SECONDS = 7 * 86_400
const TRY_AGAIN_MINUTES = 60

/** Seconds without a renewal after which a grant of this scheme is renewed unasked; undefined where nothing is known to die of rest. */
export function idleSecondsOf({ manifest }: CompiledScheme): number | undefined {
  const { refresh } = manifest as {
    refresh?: { max_idle_seconds?: number; max_age_seconds?: number; rotates?: string }
  }
  if (!refresh) return undefined
  const ends = [refresh.max_idle_seconds, refresh.max_age_seconds].filter((seconds) => seconds !== undefined)
  // Half-way: a provider that is down for days still finds the grant alive.
  if (ends.length) return Math.ceil(Math.min(...ends) / 2)
  return refresh.rotates === 'always' || refresh.rotates === 'sometimes' ? ROTATING_SECONDS : undefined
}

/** Kinds of connections that there are. A toolkit of a project is its own: another's of the same slug may say otherwise. */
const kinds = (db: Db): Promise<Kind[]> =>
  db.rows(sql`
  select distinct c.toolkit_slug as toolkit, c.auth_scheme as mode, case when t.id is null then null else c.project_id end as project
  from connected_accounts c left join toolkits t on t.project_id = c.project_id and t.slug = c.toolkit_slug where c.status = 'ACTIVE' and c.deleted_at is null`)

interface Kind {
  toolkit: string
  mode: string
  /** Of a toolkit of its own. */ project: string | null
}

/** Accounts that have rested too long, the longest first; whoever gets an id here is the only one for an hour. */
const claim = (db: Db, { toolkit, mode, project }: Kind, seconds: number): Promise<Unasked[]> =>
  db.rows(sql`
  update connected_accounts set renewal_tried_at = now() where id in (
    select id from connected_accounts c
    where toolkit_slug = ${toolkit} and auth_scheme = ${mode} and status = 'ACTIVE' and deleted_at is null and coalesce(renewed_at, connected_at) < now() - make_interval(secs => ${seconds})
      and ${project === null ? sql`not exists (select 1 from toolkits t where t.project_id = c.project_id and t.slug = c.toolkit_slug)` : sql`project_id = ${project}`}
      and (renewal_tried_at is null or renewal_tried_at < now() - make_interval(mins => ${TRY_AGAIN_MINUTES}))
    order by coalesce(renewed_at, connected_at) limit ${PORTION} for update skip locked)
  returning id, project_id`)

/** Renews grants that nobody uses before they end of it. A refusal ends the account as it does in a call; trouble is tried again an hour later. */
export async function renewIdle(deps: SharedAccountDeps, renew: Accounts['renew']): Promise<void> {
  for (const kind of await kinds(deps.db)) {
    const catalog = kind.project === null ? deps.instance() : await deps.catalogOf(kind.project)
    const toolkit = catalog.toolkit(kind.toolkit)
    const scheme = toolkit && compiledSchemeOf(toolkit, kind.mode)
    const seconds = scheme && idleSecondsOf(scheme)
    if (seconds === undefined || !authSchemes[kind.mode as AuthSchemeName]?.renew) continue
    await renewUnasked(deps, renew, await claim(deps.db, kind, seconds))
  }
}

/** A few at once; one that cannot be renewed keeps no other from it. */
export async function renewUnasked(
  deps: SharedAccountDeps,
  renew: Accounts['renew'],
  accounts: readonly Unasked[],
): Promise<void> {
  for (let at = 0; at < accounts.length; at += AT_ONCE) {
    await Promise.all(
      accounts
        .slice(at, at + AT_ONCE)
        .map((one) =>
          renewOne(deps, renew, one).catch((error: unknown) =>
            deps.log.debug({ err: error, account: one.id }, 'an account that nobody uses was not renewed'),
          ),
        ),
    )
  }
}

async function renewOne(
  deps: SharedAccountDeps,
  renew: Accounts['renew'],
  { id, project_id: projectId }: Unasked,
): Promise<void> {
  const row = await find(deps.db, projectId, id)
  const account = row && openAccount(await inProject<AccountDeps>(deps, projectId), row)
  const scheme = account?.setup && authSchemes[account.setup.scheme.mode as AuthSchemeName]
  if (account?.setup && account.status === 'ACTIVE' && scheme?.renewable?.(account.setup))
    await renew(projectId, account)
}

export const idleSchedule = (deps: SharedAccountDeps, renew: Accounts['renew']): Schedule => ({
  task: 'connectedAccounts.renewIdle',
  cron: '*/10 * * * *',
  run: () => renewIdle(deps, renew),
})
