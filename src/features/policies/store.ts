import type { Outcome, PolicyCondition } from '../../contract/policies/index.ts'
import { notification } from '../../platform/change-bus.ts'
import { assignments, type Db, sql, values } from '../../platform/db/sql.ts'
import { type ListPage, oldestFirst, type PageWindow, readListPage } from '../../platform/list-page.ts'

export interface PolicyRow {
  id: string
  project_id: string
  name: string
  outcome: Outcome
  enabled: boolean
  fallback: boolean
  message: string | null
  covers_proxy: boolean
  approval_seconds: number
  approval_link: boolean
  conditions: PolicyCondition
  created_at: Date
  updated_at: Date
}
export type PolicyFields = Omit<PolicyRow, 'id' | 'project_id' | 'created_at' | 'updated_at'>
const COLUMNS = sql`
  id, project_id, name, outcome, enabled, fallback, message, covers_proxy, approval_seconds, approval_link, conditions,
  created_at, updated_at`

const toColumns = <T extends Partial<PolicyFields>>({ conditions, ...rest }: T) => ({
  ...rest,
  ...(conditions === undefined ? {} : { conditions: JSON.stringify(conditions) }),
})

export const insert = async (
  tx: Db,
  projectId: string,
  id: string,
  fields: PolicyFields,
): Promise<PolicyRow> =>
  (await tx.one<PolicyRow>(sql`
  with inserted as (
    insert into policies ${values({ id, project_id: projectId, ...toColumns(fields) })} returning ${COLUMNS})
  select i.* from inserted i, lateral (select ${notification({ kind: 'policies_changed' })}) n`)) as PolicyRow

export const find = (db: Db, projectId: string, id: string): Promise<PolicyRow | undefined> =>
  db.one(sql`
  select ${COLUMNS} from policies where project_id = ${projectId} and id = ${id}`)

/** Lists the policies of a project, oldest first. */
export const list = (db: Db, projectId: string, page: PageWindow): Promise<ListPage<PolicyRow>> => {
  const where = sql`project_id = ${projectId}`
  return readListPage(db, { columns: COLUMNS, from: sql`policies`, where, order: oldestFirst() }, page)
}

export const count = async (db: Db, projectId: string): Promise<number> =>
  (
    await db.one<{ count: number }>(
      sql`select count(*)::int as count from policies where project_id = ${projectId}`,
    )
  )?.count ?? 0

export const listEnabled = (db: Db, projectId: string): Promise<PolicyRow[]> =>
  db.rows(sql`
  select ${COLUMNS} from policies where project_id = ${projectId} and enabled order by created_at, id`)

/** Serializes the creation of policies in a project until the transaction ends. */
export const lockPolicies = (tx: Db, projectId: string): Promise<number> =>
  tx.run(sql`select 1 from projects where id = ${projectId} for no key update`)

export const update = (
  db: Db,
  projectId: string,
  id: string,
  patch: Partial<PolicyFields>,
): Promise<PolicyRow | undefined> =>
  db.one(sql`
  with updated as (
    update policies set ${assignments({ ...toColumns(patch), updated_at: sql`now()` })}
    where project_id = ${projectId} and id = ${id} returning ${COLUMNS})
  select u.* from updated u, lateral (select ${notification({ kind: 'policies_changed' })}) n`)

export const remove = (db: Db, projectId: string, id: string): Promise<number> =>
  db.run(sql`
  delete from policies where project_id = ${projectId} and id = ${id}
  returning ${notification({ kind: 'policies_changed' })}`)

/** Whether a policy denies every call of a toolkit: one that has no other condition than toolkits. */
export const deniesToolkit = async (db: Db, projectId: string, toolkit: string): Promise<boolean> =>
  (await db.one(sql`
  select 1 from policies p, lateral (select p.conditions::jsonb as conditions) c
  where p.project_id = ${projectId} and p.enabled and p.outcome = 'deny' and not p.fallback
    and c.conditions - 'toolkits' = '{}' and (not c.conditions ? 'toolkits' or exists (
      select from jsonb_array_elements_text(c.conditions -> 'toolkits') slug where lower(slug) = ${toolkit}))
  limit 1`)) !== undefined
