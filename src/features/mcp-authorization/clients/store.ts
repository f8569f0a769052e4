import type { JSONWebKeySet } from 'jose'
import { type Db, sql } from '../../../platform/db/sql.ts'
import type { AuthMethod } from './client-metadata.ts'

export interface McpClientRow {
  id: string
  name: string | null
  redirect_uris: string[]
  auth_method: AuthMethod
  secret_hash: Buffer | null
  /** Public keys of a client with `private_key_jwt`, unless they are at `jwks_uri`. */
  jwks: JSONWebKeySet | null
  jwks_uri: string | null
  requires_pushed_requests: boolean
  requires_dpop: boolean
}

/** Registrations per hour. */
const REGISTRATIONS_PER_NETWORK_MAX = 60
const REGISTRATIONS_MAX = 2_000

/** Registers a client. Returns undefined if too many clients were registered within the last hour. */
export const insertClient = (
  db: Db,
  client: McpClientRow,
  sourceHash: Buffer,
): Promise<{ created_at: Date } | undefined> =>
  db.one(sql`
  insert into mcp_clients (id, name, redirect_uris, auth_method, secret_hash, jwks, jwks_uri,
    requires_pushed_requests, requires_dpop, source_hash)
  select ${client.id}, ${client.name}, ${client.redirect_uris}::text[], ${client.auth_method},
    ${client.secret_hash}::bytea, ${client.jwks && JSON.stringify(client.jwks)}::jsonb, ${client.jwks_uri},
    ${client.requires_pushed_requests}, ${client.requires_dpop}, ${sourceHash}
  where (
      select count(*) from mcp_clients
      where source_hash = ${sourceHash} and created_at > now() - interval '1 hour'
    ) < ${REGISTRATIONS_PER_NETWORK_MAX}
    and (
      select count(*) from (
        select 1 from mcp_clients where created_at > now() - interval '1 hour' limit ${REGISTRATIONS_MAX}) recent
    ) < ${REGISTRATIONS_MAX}
  returning created_at`)

export const findClient = (db: Db, id: string): Promise<McpClientRow | undefined> =>
  db.one(sql`
  select id, name, redirect_uris, auth_method, secret_hash, jwks, jwks_uri, requires_pushed_requests, requires_dpop
  from mcp_clients where id = ${id}`)

export const markClientUsed = (db: Db, id: string): Promise<number> =>
  db.run(sql`
    update mcp_clients set used_at = now()
    where id = ${id} and (used_at is null or used_at < now() - interval '1 hour')`)

/** Deletes clients without a grant: those never used for 30 days, and those not used for 180 days. */
export const removeOldClients = (db: Db): Promise<number> =>
  db.run(sql`
  delete from mcp_clients c
  where (c.used_at is null and c.created_at < now() - interval '30 days'
      or c.used_at < now() - interval '180 days')
    and not exists (select 1 from mcp_grants g where g.client_id = c.id)`)
