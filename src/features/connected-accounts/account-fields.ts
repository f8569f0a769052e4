import { sql } from '../../platform/db/sql.ts'
import type { AccountRow } from './store.ts'

export type AccountFieldsRow = Pick<
  AccountRow,
  | 'id'
  | 'word_id'
  | 'alias'
  | 'user_id'
  | 'toolkit_slug'
  | 'auth_scheme'
  | 'status'
  | 'status_reason'
  | 'created_at'
  | 'updated_at'
  | 'auth_config_id'
  | 'auth_config_uuid'
  | 'auth_config_status'
  | 'is_service_managed'
>

/** A deleted auth config is disabled for its accounts. */
export const AUTH_CONFIG_STATUS = sql`case when a.deleted_at is null then a.status else 'DISABLED' end`

/** Returns the fields that responses and events have in common: none of them is secret. */
export function accountFields(row: AccountFieldsRow) {
  const isDisabled = row.auth_config_status === 'DISABLED'
  return {
    id: row.id,
    word_id: row.word_id,
    alias: row.alias,
    user_id: row.user_id,
    toolkit: { slug: row.toolkit_slug },
    auth_config: {
      id: row.auth_config_id,
      auth_scheme: row.auth_scheme,
      is_service_managed: row.is_service_managed,
      is_disabled: isDisabled,
      deprecated: { uuid: row.auth_config_uuid },
    },
    status: row.status,
    status_reason: row.status_reason,
    is_disabled: isDisabled,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
