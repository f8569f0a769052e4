import { findCompiledScheme, type CompiledScheme, bindToProject } from '../../../catalog/index.ts'
import { schemeByName } from '../../../auth-schemes/index.ts'
import type { EngineAccounts } from '../../../engine/index.ts'
import { type Db, sql } from '../../../platform/db/sql.ts'
import type { Schedule } from '../../../platform/jobs/index.ts'
import type { AccountDeps, SharedAccountDeps } from '../deps.ts'
import { authSchemeOf, toEngineAccount } from '../credentials.ts'
import { findAccount } from '../store.ts'

type RefreshToken = EngineAccounts['refreshToken']

/** An account that this process has claimed for a refresh. */
export interface ClaimedAccount {
  id: string
  project_id: string
}

const BATCH_SIZE = 50
const CONCURRENCY = 5
/** For a provider that rotates refresh tokens and does not document after how long an unused one ends. */
const ROTATING_TOKEN_SECONDS = 7 * 86_400
const RETRY_MINUTES = 60

/**
 * Seconds after the last refresh at which an idle grant of the scheme is refreshed. Returns undefined if
 * nothing is known to end idle grants.
 */
export function keepAliveSeconds({ manifest }: CompiledScheme): number | undefined {
  const { refresh } = manifest as {
    refresh?: { max_idle_seconds?: number; max_age_seconds?: number; rotates?: string }
  }
  if (!refresh) return undefined
  const limits = [refresh.max_idle_seconds, refresh.max_age_seconds].filter(
    (seconds) => seconds !== undefined,
  )
  // Half of the time: the grant survives a provider that is unavailable for days.
  if (limits.length) return Math.ceil(Math.min(...limits) / 2)
  return refresh.rotates === 'always' || refresh.rotates === 'sometimes' ? ROTATING_TOKEN_SECONDS : undefined
}

/** A toolkit and scheme with ACTIVE accounts. `project`: the toolkit belongs to this project. */
interface ConnectionType {
  toolkit: string
  mode: string
  project: string | null
}

/** Lists the types of ACTIVE accounts. Toolkits of projects can differ although they have the same slug. */
const listConnectionTypes = (db: Db): Promise<ConnectionType[]> =>
  db.rows(sql`
    select distinct c.toolkit_slug as toolkit, c.auth_scheme as mode,
      case when t.id is null then null else c.project_id end as project
    from connected_accounts c left join toolkits t on t.project_id = c.project_id and t.slug = c.toolkit_slug
    where c.status = 'ACTIVE' and c.deleted_at is null`)

/**
 * Claims accounts that have been idle for too long, the longest first. A claim lasts one hour. Rows that are written
 * meanwhile and refer to an account, such as those of its provider requests, do not keep it from being claimed.
 */
function claimIdleAccounts(
  db: Db,
  { toolkit, mode, project }: ConnectionType,
  seconds: number,
): Promise<ClaimedAccount[]> {
  const inScope =
    project === null
      ? sql`not exists (select 1 from toolkits t where t.project_id = c.project_id and t.slug = c.toolkit_slug)`
      : sql`project_id = ${project}`
  return db.rows(sql`
    update connected_accounts set refresh_attempted_at = now() where id in (
      select id from connected_accounts c
      where toolkit_slug = ${toolkit} and auth_scheme = ${mode} and status = 'ACTIVE' and deleted_at is null
        and coalesce(refreshed_at, connected_at) < now() - make_interval(secs => ${seconds}) and ${inScope}
        and (refresh_attempted_at is null
          or refresh_attempted_at < now() - make_interval(mins => ${RETRY_MINUTES}))
        and exists (select 1 from projects p where p.id = c.project_id and p.deleted_at is null)
      order by coalesce(refreshed_at, connected_at) limit ${BATCH_SIZE}
      for no key update skip locked)
    returning id, project_id`)
}

/**
 * Refreshes grants that no call uses before the provider ends them. A rejection expires the account as in a
 * call; any other failure is retried one hour later.
 */
export async function refreshIdleAccounts(deps: SharedAccountDeps, refresh: RefreshToken): Promise<void> {
  for (const type of await listConnectionTypes(deps.db)) {
    const catalog = type.project === null ? deps.instance() : await deps.catalogOf(type.project)
    const toolkit = catalog.toolkit(type.toolkit)
    const scheme = toolkit && findCompiledScheme(toolkit, type.mode)
    const seconds = scheme && keepAliveSeconds(scheme)
    if (seconds === undefined || !schemeByName(type.mode)?.refresh) continue
    await refreshClaimedAccounts(deps, refresh, await claimIdleAccounts(deps.db, type, seconds))
  }
}

/** Refreshes several accounts at a time. A failure of one account does not affect the others. */
export async function refreshClaimedAccounts(
  deps: SharedAccountDeps,
  refresh: RefreshToken,
  accounts: readonly ClaimedAccount[],
): Promise<void> {
  for (let first = 0; first < accounts.length; first += CONCURRENCY) {
    await Promise.all(
      accounts
        .slice(first, first + CONCURRENCY)
        .map((account) =>
          refreshAccount(deps, refresh, account).catch((error: unknown) =>
            deps.log.debug(
              { err: error, connected_account_id: account.id },
              'an idle account was not refreshed',
            ),
          ),
        ),
    )
  }
}

async function refreshAccount(
  deps: SharedAccountDeps,
  refresh: RefreshToken,
  { id, project_id: projectId }: ClaimedAccount,
): Promise<void> {
  const row = await findAccount(deps.db, projectId, id)
  const account = row && toEngineAccount(await bindToProject<AccountDeps>(deps, projectId), row)
  if (!account?.context || account.status !== 'ACTIVE') return
  if (authSchemeOf(account.context)?.canRefresh?.(account.context)) await refresh(projectId, account)
}

export const keepAliveSchedule = (deps: SharedAccountDeps, refresh: RefreshToken): Schedule => ({
  task: 'connectedAccounts.refreshIdle',
  cron: '*/10 * * * *',
  run: () => refreshIdleAccounts(deps, refresh),
})
