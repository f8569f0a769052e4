import { type Sql, sql } from '../../platform/db/sql.ts'
import { newId } from '../../platform/ids.ts'

/** Schemes whose end of access is told (contract: events); a key that is refused is the owner's own doing. */
const TOLD_SCHEMES = ['OAUTH2', 'DCR_OAUTH', 'S2S_OAUTH2']

/**
 * An update of accounts and the event of those that went from ACTIVE to EXPIRED by it, as one statement: neither can be there without the other.
 * `change` begins with `update connected_accounts set` and has no `returning`; it may only touch ACTIVE rows, one at most. Counts as many rows as `change` touched.
 */
export const tellingExpiry = (change: Sql): Sql => sql`
  with changed as (${change} returning id, project_id, auth_scheme, auth_config_id, toolkit_slug, user_id, status, status_reason),
  told as (
    insert into events (id, project_id, type, data)
    select ${newId('evt')}, project_id, 'connected_account.expired', jsonb_build_object(
      'id', id, 'user_id', user_id, 'toolkit', jsonb_build_object('slug', toolkit_slug), 'auth_config', jsonb_build_object('id', auth_config_id), 'status', status, 'status_reason', status_reason)
    from changed where status = 'EXPIRED' and auth_scheme = any(${TOLD_SCHEMES}))
  select 1 from changed`
