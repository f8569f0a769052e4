import { type Db, sql } from '../../../platform/db/sql.ts'

export interface OpenIdProviderRow {
  project_id: string
  issuer: string
  client_id: string
  encrypted_client_secret: Buffer | null
  name: string
  scopes: string
  user_id_claim: string
  updated_at: Date
}

export const findProvider = (db: Db, projectId: string): Promise<OpenIdProviderRow | undefined> =>
  db.one(sql`
  select project_id, issuer, client_id, encrypted_client_secret, name, scopes, user_id_claim, updated_at
  from mcp_openid_providers where project_id = ${projectId}`)

/** Stores a provider. `keepsSecret`: the stored secret stays if issuer and client are the same. */
export const upsertProvider = (
  db: Db,
  row: Omit<OpenIdProviderRow, 'updated_at'>,
  keepsSecret: boolean,
): Promise<number> =>
  db.run(sql`
  insert into mcp_openid_providers as p
    (project_id, issuer, client_id, encrypted_client_secret, name, scopes, user_id_claim)
  values (${row.project_id}, ${row.issuer}, ${row.client_id}, ${row.encrypted_client_secret}, ${row.name},
    ${row.scopes}, ${row.user_id_claim})
  on conflict (project_id) do update set issuer = excluded.issuer, client_id = excluded.client_id,
    encrypted_client_secret = case
      when ${keepsSecret} and p.issuer = excluded.issuer and p.client_id = excluded.client_id
        then p.encrypted_client_secret
      else excluded.encrypted_client_secret end,
    name = excluded.name, scopes = excluded.scopes, user_id_claim = excluded.user_id_claim, updated_at = now()`)

export const deleteProvider = (db: Db, projectId: string): Promise<number> =>
  db.run(sql`delete from mcp_openid_providers where project_id = ${projectId}`)

/** Ends the sign-ins at earlier providers of a project, so that they do not count again if one of them returns. */
export const endEarlierSignIns = (db: Db, projectId: string, key: string | null): Promise<number> =>
  db.run(sql`
    delete from mcp_sign_ins where project_id = ${projectId} and provider_key is distinct from ${key}
      and provider_key is not null`)
