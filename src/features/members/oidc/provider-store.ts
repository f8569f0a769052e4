import { type Db, sql, values } from '../../../platform/db/sql.ts'
import type { SignInRole } from './settings.ts'

export interface ProviderRow {
  organization_id: string
  issuer: string
  client_id: string
  encrypted_client_secret: Buffer | null
  name: string
  scopes: string
  allowed_domains: string[]
  trusts_email: boolean
  role_claim: string
  role_map: Record<string, SignInRole>
  default_role: SignInRole | null
  is_only: boolean
  revision: string
  updated_at: Date
}
const COLUMNS = sql`organization_id, issuer, client_id, encrypted_client_secret, name, scopes, allowed_domains,
  trusts_email, role_claim, role_map, default_role, is_only, revision, updated_at`

export const findProvider = (db: Db, organizationId: string): Promise<ProviderRow | undefined> =>
  db.one(sql`select ${COLUMNS} from organization_openid_providers where organization_id = ${organizationId}`)

/** Finds the provider and locks it against other changes, until the transaction ends. */
export const lockProvider = (tx: Db, organizationId: string): Promise<ProviderRow | undefined> =>
  tx.one(
    sql`select ${COLUMNS} from organization_openid_providers where organization_id = ${organizationId} for update`,
  )

export const upsertProvider = (
  tx: Db,
  { role_map: map, ...row }: Omit<ProviderRow, 'updated_at'>,
): Promise<number> =>
  tx.run(sql`
  insert into organization_openid_providers ${values({ ...row, role_map: JSON.stringify(map) })}
  on conflict (organization_id) do update set issuer = excluded.issuer, client_id = excluded.client_id,
    encrypted_client_secret = excluded.encrypted_client_secret, name = excluded.name, scopes = excluded.scopes,
    allowed_domains = excluded.allowed_domains, trusts_email = excluded.trusts_email,
    role_claim = excluded.role_claim, role_map = excluded.role_map, default_role = excluded.default_role,
    is_only = excluded.is_only, revision = excluded.revision, updated_at = now()`)

export const updateIsOnly = (tx: Db, organizationId: string, isOnly: boolean): Promise<number> =>
  tx.run(sql`
  update organization_openid_providers set is_only = ${isOnly}, updated_at = now()
  where organization_id = ${organizationId}`)

export const deleteProvider = (tx: Db, organizationId: string): Promise<number> =>
  tx.run(sql`delete from organization_openid_providers where organization_id = ${organizationId}`)
