import { type Db, sql } from '../../platform/db/sql.ts'

export interface ModelRow {
  base_url: string
  model: string
  encrypted_key: Buffer | null
  updated_at: Date
}

export const findModel = (db: Db, projectId: string): Promise<ModelRow | undefined> =>
  db.one(sql`
  select base_url, model, encrypted_key, updated_at from project_models where project_id = ${projectId}`)

/** Stores a model. `keepsKey`: the stored key stays if the URL is the same. */
export const upsertModel = (
  db: Db,
  projectId: string,
  { base_url: baseUrl, model, encrypted_key: key }: Omit<ModelRow, 'updated_at'>,
  keepsKey: boolean,
): Promise<number> =>
  db.run(sql`
  insert into project_models as m (project_id, base_url, model, encrypted_key)
  values (${projectId}, ${baseUrl}, ${model}, ${key})
  on conflict (project_id) do update set base_url = excluded.base_url, model = excluded.model,
    encrypted_key = case when ${keepsKey} and m.base_url = excluded.base_url then m.encrypted_key
      else excluded.encrypted_key end,
    updated_at = now()`)

export const deleteModel = (db: Db, projectId: string): Promise<number> =>
  db.run(sql`delete from project_models where project_id = ${projectId}`)
