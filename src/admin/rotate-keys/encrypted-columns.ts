import type { ClearColumn } from './encrypt-clear-column.ts'
import { hashClearConfigs } from './hash-clear-configs.ts'

/**
 * A column with encrypted values, and the encryption context of each value: `<table>:<id>:<part>`, with ids
 * of bytes in hexadecimal.
 */
export interface EncryptedColumn {
  table: string
  column: string
  /** The primary key, or its first column. */
  id: string
  idType: 'text' | 'bytea'
  /** Another column of the primary key, a number. The id in the context is then both, with a dot between them. */
  number?: string
  part: string
  /**
   * The project of a row, in SQL. Default: its column `project_id`. Null: the key ring encrypts the values, not the
   * data key of a project.
   */
  project?: string | null
  /** The column that had the values in clear before they were encrypted. */
  clear?: ClearColumn
}

/** The encrypted columns. Default: the primary key is the text `id`. */
const COLUMNS: readonly (Omit<EncryptedColumn, 'id' | 'idType'> & Partial<EncryptedColumn>)[] = [
  { table: 'alert_rules', column: 'encrypted_target', part: 'target' },
  // They are keys of the organization, which are worthless once the project is deleted.
  { table: 'api_keys', column: 'encrypted_key', part: 'key', project: null },
  { table: 'approvals', column: 'encrypted_payload', part: 'encrypted_payload' },
  { table: 'auth_configs', column: 'credentials', part: 'credentials' },
  { table: 'auth_configs', column: 'shared_credentials', part: 'shared_credentials' },
  { table: 'auth_configs', column: 'proxy_config', part: 'proxy_config' },
  { table: 'connected_accounts', column: 'credentials', part: 'val' },
  { table: 'connected_accounts', column: 'identity', part: 'identity' },
  { table: 'pending_connections', column: 'encrypted_payload', part: 'encrypted_payload' },
  { table: 'authorization_flows', column: 'secrets', id: 'state_hash', idType: 'bytea', part: 'secrets' },
  { table: 'webhook_codes', column: 'returned', part: 'returned' },
  { table: 'webhook_codes', column: 'code', part: 'code' },
  { table: 'idempotency_keys', column: 'encrypted_payload', part: 'encrypted_payload' },
  { table: 'sessions', column: 'encrypted_config', part: 'config', clear: { column: 'config' } },
  {
    table: 'session_configs',
    column: 'encrypted_config',
    part: 'config',
    project: '(select s.project_id from sessions s where s.id = t.session_id)',
    clear: { column: 'config' },
  },
  { table: 'saved_session_configs', column: 'encrypted_config', part: 'config', clear: { column: 'config' } },
  { table: 'session_sandboxes', column: 'encrypted_outcome', id: 'session_id', part: 'encrypted_outcome' },
  { table: 'sandbox_runs', column: 'encrypted_payload', part: 'encrypted_payload' },
  { table: 'recipe_runs', column: 'encrypted_payload', part: 'encrypted_payload' },
  {
    table: 'recipe_versions',
    column: 'encrypted_payload',
    part: 'encrypted_payload',
    project: '(select r.project_id from recipes r where r.id = t.recipe_id)',
  },
  { table: 'response_pages', column: 'encrypted_payload', part: 'encrypted_payload' },
  {
    table: 'mcp_openid_providers',
    column: 'encrypted_client_secret',
    id: 'project_id',
    part: 'client_secret',
  },
  {
    table: 'organization_openid_providers',
    column: 'encrypted_client_secret',
    id: 'organization_id',
    part: 'client_secret',
    project: null,
  },
  { table: 'member_totp', column: 'encrypted_secret', id: 'member_id', part: 'secret', project: null },
  { table: 'project_data_keys', column: 'encrypted_key', part: 'key', project: null },
  { table: 'project_models', column: 'encrypted_key', id: 'project_id', part: 'key' },
  { table: 'revocations', column: 'encrypted_payload', part: 'encrypted_payload' },
  { table: 'tool_executions', column: 'payload', part: 'payload' },
  { table: 'tool_executions', column: 'encrypted_error', part: 'error', clear: { column: 'error' } },
  {
    table: 'events',
    column: 'encrypted_payload',
    part: 'encrypted_payload',
    clear: { column: 'data', merge: (data, payload) => ({ data, payload }) },
  },
  { table: 'files', column: 'encrypted_key', part: 'key' },
  { table: 'user_memories', column: 'encrypted_payload', part: 'encrypted_payload' },
  {
    table: 'trigger_instances',
    column: 'encrypted_config',
    part: 'config',
    clear: { column: 'config', prepare: hashClearConfigs },
  },
  { table: 'trigger_polls', column: 'state', id: 'instance_id', part: 'state' },
  { table: 'trigger_registrations', column: 'state', id: 'url_token', part: 'state' },
  { table: 'webhook_endpoints', column: 'data', part: 'data' },
  {
    table: 'webhook_attempts',
    column: 'encrypted_response',
    id: 'delivery_id',
    number: 'number',
    part: 'response',
    clear: { column: 'response', where: "t.response <> ''" },
  },
  {
    table: 'webhook_attempts',
    column: 'encrypted_error',
    id: 'delivery_id',
    number: 'number',
    part: 'error',
    clear: { column: 'error', where: "t.error <> ''" },
  },
  {
    table: 'trigger_logs',
    column: 'encrypted_message',
    part: 'message',
    clear: { column: 'message', where: "t.kind in ('failure', 'gap')" },
  },
  {
    table: 'webhook_subscriptions',
    column: 'encrypted_webhook_url',
    part: 'webhook_url',
    clear: { column: 'webhook_url' },
  },
  { table: 'webhook_subscriptions', column: 'secret', part: 'secret' },
  { table: 'webhook_subscriptions', column: 'former_secret', part: 'former_secret' },
  { table: 'webhook_subscriptions', column: 'approval_secret', part: 'approval_secret' },
  { table: 'webhook_subscriptions', column: 'signing_key', part: 'signing_key' },
]

/**
 * All encrypted columns. Other columns would stay encrypted with old keys, and be lost with them. A test
 * compares this list with the schema.
 */
export const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = COLUMNS.map((column) => ({
  id: 'id',
  idType: 'text',
  ...column,
}))

/** The place a value is bound to (see `Sealer.seal`). */
export const encryptionContext = (
  { table, number, part }: EncryptedColumn,
  key: { id: string | Buffer; number: number },
): string => {
  const id = Buffer.isBuffer(key.id) ? key.id.toString('hex') : key.id
  return `${table}:${number === undefined ? id : `${id}.${key.number}`}:${part}`
}
