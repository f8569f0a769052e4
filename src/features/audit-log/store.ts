import { all, type Db, sql } from '../../platform/db/sql.ts'
import { type ListPage, type PageWindow, readListPage, type SortKey } from '../../platform/list-page.ts'
import { type AuditEntry, chainOf, genesisHash } from './entry.ts'

export interface AuditRow {
  seq: number
  chain_id: string
  entry: string
  hash: Buffer
}

export const insertIntent = (db: Db, entry: AuditEntry): Promise<number> =>
  db.run(sql`insert into audit_intents (id, entry) values (${entry.id}, ${JSON.stringify(entry)})`)

/**
 * Appends an entry to its chain and removes its intent, in one statement. Calls of all processes are serialized by the
 * row of the chain, whose hash the statement extends.
 */
export async function appendEntry(db: Db, entry: AuditEntry): Promise<void> {
  const chain = chainOf(entry)
  const text = JSON.stringify(entry)
  await db.run(sql`
    with completed as (delete from audit_intents where id = ${entry.id}),
    head as (
      insert into audit_chains as c (id, organization_id, project_id, seq, hash)
      values (${chain}, ${entry.organization_id}, ${entry.project_id}, 1,
        sha256(${genesisHash(chain)}::bytea || int8send(1) || convert_to(${text}, 'UTF8')))
      on conflict (id) do update set seq = c.seq + 1,
        hash = sha256(c.hash || int8send(c.seq + 1) || convert_to(${text}, 'UTF8'))
      returning seq, hash)
    insert into audit_log (id, chain_id, seq, organization_id, project_id, created_at, actor_id, action, object_type,
      object_id, outcome, entry, hash)
    select ${entry.id}, ${chain}, head.seq, ${entry.organization_id}, ${entry.project_id}, ${entry.time},
      ${entry.actor.id}, ${entry.action}, ${entry.object.type}, ${entry.object.id}, ${entry.outcome}, ${text}, head.hash
    from head`)
}

/** The organization of a project, and the time. @throws if the project does not exist */
export async function findPlace(
  db: Db,
  owner: { projectId: string } | { organizationId: string },
): Promise<{ organization_id: string; now: Date }> {
  const found = await db.one<{ organization_id: string; now: Date }>(
    'projectId' in owner
      ? sql`select organization_id, now() from projects where id = ${owner.projectId}`
      : sql`select ${owner.organizationId}::text as organization_id, now()`,
  )
  if (!found) throw new Error('The project of an audited action does not exist')
  return found
}

/** Locks intents of calls that began so long ago that their process must have been killed. */
export const lockAbandonedIntents = (tx: Db, minutes: number, limit: number): Promise<{ entry: string }[]> =>
  tx.rows(sql`
    select entry from audit_intents where created_at < now() - make_interval(mins => ${minutes})
    order by created_at limit ${limit} for update skip locked`)

/** The entries of a project, or of an organization with all its projects. */
export type AuditScope = { projectId: string } | { organizationId: string }

const scopeCondition = (scope: AuditScope) =>
  'projectId' in scope ? sql`project_id = ${scope.projectId}` : sql`organization_id = ${scope.organizationId}`

export interface AuditFilter {
  action?: string | undefined
  actorId?: string | undefined
  objectType?: string | undefined
  objectId?: string | undefined
  outcome?: string | undefined
  projectId?: string | undefined
  /** Only entries that belong to no project. */
  isWithoutProject?: boolean | undefined
  from?: Date | undefined
  to?: Date | undefined
}

/** Counts the entries of a project with an action since a time. */
export const countActions = async (
  db: Db,
  projectId: string,
  { action, from }: { action: string; from: Date },
): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*)::int as count from audit_log
      where project_id = ${projectId} and created_at >= ${from} and action = ${action}`)
  )?.count ?? 0

/** The newest first. Entries of one chain of the same time have the order in which they were written. */
const LIST_ORDER: readonly SortKey[] = [
  { column: sql`created_at`, type: 'time', descending: true },
  { column: sql`chain_id`, type: 'text' },
  { column: sql`seq`, type: 'integer', descending: true },
]

export async function listEntries(
  db: Db,
  scope: AuditScope,
  filter: AuditFilter,
  page: PageWindow,
): Promise<ListPage<AuditRow>> {
  const where = all(
    scopeCondition(scope),
    filter.action !== undefined && sql`action = ${filter.action}`,
    filter.actorId !== undefined && sql`actor_id = ${filter.actorId}`,
    filter.objectType !== undefined && sql`object_type = ${filter.objectType}`,
    filter.objectId !== undefined && sql`object_id = ${filter.objectId}`,
    filter.outcome !== undefined && sql`outcome = ${filter.outcome}`,
    filter.projectId !== undefined && sql`project_id = ${filter.projectId}`,
    filter.isWithoutProject && sql`project_id is null`,
    filter.from && sql`created_at >= ${filter.from}`,
    filter.to && sql`created_at < ${filter.to}`,
  )
  const query = { columns: sql`seq, chain_id, entry, hash`, from: sql`audit_log`, where, order: LIST_ORDER }
  return readListPage<AuditRow>(db, query, page)
}

export interface ChainRow {
  id: string
  seq: number
  hash: Buffer
  removed_seq: number
  removed_hash: Buffer | null
}

export const findChains = (db: Db, scope: AuditScope): Promise<ChainRow[]> =>
  db.rows(sql`
    select id, seq, hash, removed_seq, removed_hash from audit_chains where ${scopeCondition(scope)} order by id`)

/** An entry with the columns that repeat parts of it. */
export interface StoredEntry extends AuditRow {
  id: string
  created_at: Date
  actor_id: string | null
  action: string
  object_type: string
  object_id: string | null
  outcome: string
}

export const readChain = (db: Db, chain: string, afterSeq: number, limit: number): Promise<StoredEntry[]> =>
  db.rows(sql`
    select seq, chain_id, entry, hash, id, created_at, actor_id, action, object_type, object_id, outcome
    from audit_log where chain_id = ${chain} and seq > ${afterSeq} order by seq limit ${limit}`)

/**
 * Removes at most `limit` of the oldest entries of one chain that are older than `days`, never the newest one. The
 * chain records where it continues. Returns the number of removed entries.
 */
export async function removeExpiredEntries(tx: Db, days: number, limit: number): Promise<number> {
  const chain = await tx.one<{ id: string }>(sql`
    select c.id from audit_chains c
    where exists (
      select 1 from audit_log e where e.chain_id = c.id and e.seq = c.removed_seq + 1 and e.seq < c.seq
        and e.created_at < now() - make_interval(days => ${days}))
    limit 1 for update skip locked`)
  if (!chain) return 0
  await tx.run(sql`select set_config('patchbay.audit_retention', 'on', true)`)
  return tx.run(sql`
    with expired as (
      select e.seq, e.hash from audit_log e join audit_chains c on c.id = e.chain_id
      where c.id = ${chain.id} and e.seq < c.seq and e.seq <= c.removed_seq + ${limit} and not exists (
        select 1 from audit_log earlier where earlier.chain_id = c.id and earlier.seq <= e.seq
          and earlier.created_at >= now() - make_interval(days => ${days}))),
    moved as (
      update audit_chains c set removed_seq = newest.seq, removed_hash = newest.hash
      from (select seq, hash from expired order by seq desc limit 1) newest where c.id = ${chain.id})
    delete from audit_log where chain_id = ${chain.id} and seq in (select seq from expired)`)
}
