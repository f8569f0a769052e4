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

/**
 * All encrypted columns. Other columns would stay encrypted with old keys, and be lost with them. A test
 * compares this list with the schema.
 */
export const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = [
  { table: 'alert_rules', column: 'encrypted_target', id: 'id', idType: 'text', part: 'target' },
  // They are keys of the organization, which are worthless once the project is deleted.
  { table: 'api_keys', column: 'encrypted_key', id: 'id', idType: 'text', part: 'key', project: null },
  { table: 'approvals', column: 'encrypted_payload', id: 'id', idType: 'text', part: 'encrypted_payload' },
  { table: 'auth_configs', column: 'credentials', id: 'id', idType: 'text', part: 'credentials' },
  {
    table: 'auth_configs',
    column: 'shared_credentials',
    id: 'id',
    idType: 'text',
    part: 'shared_credentials',
  },
  { table: 'auth_configs', column: 'proxy_config', id: 'id', idType: 'text', part: 'proxy_config' },
  { table: 'connected_accounts', column: 'credentials', id: 'id', idType: 'text', part: 'val' },
  { table: 'connected_accounts', column: 'identity', id: 'id', idType: 'text', part: 'identity' },
  {
    table: 'pending_connections',
    column: 'encrypted_payload',
    id: 'id',
    idType: 'text',
    part: 'encrypted_payload',
  },
  { table: 'authorization_flows', column: 'secrets', id: 'state_hash', idType: 'bytea', part: 'secrets' },
  { table: 'webhook_codes', column: 'returned', id: 'id', idType: 'text', part: 'returned' },
  { table: 'webhook_codes', column: 'code', id: 'id', idType: 'text', part: 'code' },
  {
    table: 'idempotency_keys',
    column: 'encrypted_payload',
    id: 'id',
    idType: 'text',
    part: 'encrypted_payload',
  },
  {
    table: 'sessions',
    column: 'encrypted_config',
    id: 'id',
    idType: 'text',
    part: 'config',
    clear: { column: 'config' },
  },
  {
    table: 'session_configs',
    column: 'encrypted_config',
    id: 'id',
    idType: 'text',
    part: 'config',
    project: '(select s.project_id from sessions s where s.id = t.session_id)',
    clear: { column: 'config' },
  },
  {
    table: 'saved_session_configs',
    column: 'encrypted_config',
    id: 'id',
    idType: 'text',
    part: 'config',
    clear: { column: 'config' },
  },
  {
    table: 'session_sandboxes',
    column: 'encrypted_outcome',
    id: 'session_id',
    idType: 'text',
    part: 'encrypted_outcome',
  },
  { table: 'sandbox_runs', column: 'encrypted_payload', id: 'id', idType: 'text', part: 'encrypted_payload' },
  { table: 'recipe_runs', column: 'encrypted_payload', id: 'id', idType: 'text', part: 'encrypted_payload' },
  {
    table: 'recipe_versions',
    column: 'encrypted_payload',
    id: 'id',
    idType: 'text',
    part: 'encrypted_payload',
    project: '(select r.project_id from recipes r where r.id = t.recipe_id)',
  },
  {
    table: 'response_pages',
    column: 'encrypted_payload',
    id: 'id',
    idType: 'text',
    part: 'encrypted_payload',
  },
  {
    table: 'mcp_openid_providers',
    column: 'encrypted_client_secret',
    id: 'project_id',
    idType: 'text',
    part: 'client_secret',
  },
  {
    table: 'organization_openid_providers',
    column: 'encrypted_client_secret',
    id: 'organization_id',
    idType: 'text',
    part: 'client_secret',
    project: null,
  },
  {
    table: 'member_totp',
    column: 'encrypted_secret',
    id: 'member_id',
    idType: 'text',
    part: 'secret',
    project: null,
  },
  {
    table: 'project_data_keys',
    column: 'encrypted_key',
    id: 'id',
    idType: 'text',
    part: 'key',
    project: null,
  },
  { table: 'project_models', column: 'encrypted_key', id: 'project_id', idType: 'text', part: 'key' },
  { table: 'revocations', column: 'encrypted_payload', id: 'id', idType: 'text', part: 'encrypted_payload' },
  { table: 'tool_executions', column: 'payload', id: 'id', idType: 'text', part: 'payload' },
  {
    table: 'tool_executions',
    column: 'encrypted_error',
    id: 'id',
    idType: 'text',
    part: 'error',
    clear: { column: 'error' },
  },
  {
    table: 'events',
    column: 'encrypted_payload',
    id: 'id',
    idType: 'text',
    part: 'encrypted_payload',
    clear: { column: 'data', merge: (data, payload) => ({ data, payload }) },
  },
  { table: 'files', column: 'encrypted_key', id: 'id', idType: 'text', part: 'key' },
  {
    table: 'user_memories',
    column: 'encrypted_payload',
    id: 'id',
    idType: 'text',
    part: 'encrypted_payload',
  },
  {
    table: 'trigger_instances',
    column: 'encrypted_config',
    id: 'id',
    idType: 'text',
    part: 'config',
    clear: { column: 'config', prepare: hashClearConfigs },
  },
  { table: 'trigger_polls', column: 'state', id: 'instance_id', idType: 'text', part: 'state' },
  { table: 'trigger_registrations', column: 'state', id: 'url_token', idType: 'text', part: 'state' },
  { table: 'webhook_endpoints', column: 'data', id: 'id', idType: 'text', part: 'data' },
  {
    table: 'webhook_attempts',
    column: 'encrypted_response',
    id: 'delivery_id',
    idType: 'text',
    number: 'number',
    part: 'response',
    clear: { column: 'response', where: "t.response <> ''" },
  },
  {
    table: 'webhook_attempts',
    column: 'encrypted_error',
    id: 'delivery_id',
    idType: 'text',
    number: 'number',
    part: 'error',
    clear: { column: 'error', where: "t.error <> ''" },
  },
  {
    table: 'trigger_logs',
    column: 'encrypted_message',
    id: 'id',
    idType: 'text',
    part: 'message',
    clear: { column: 'message', where: "t.kind in ('failure', 'gap')" },
  },
  {
    table: 'webhook_subscriptions',
    column: 'encrypted_webhook_url',
    id: 'id',
    idType: 'text',
    part: 'webhook_url',
    clear: { column: 'webhook_url' },
  },
  { table: 'webhook_subscriptions', column: 'secret', id: 'id', idType: 'text', part: 'secret' },
  {
    table: 'webhook_subscriptions',
    column: 'former_secret',
    id: 'id',
    idType: 'text',
    part: 'former_secret',
  },
  {
    table: 'webhook_subscriptions',
    column: 'approval_secret',
    id: 'id',
    idType: 'text',
    part: 'approval_secret',
  },
  { table: 'webhook_subscriptions', column: 'signing_key', id: 'id', idType: 'text', part: 'signing_key' },
]

/** The place a value is bound to (see `Sealer.seal`). */
export const encryptionContext = (
  { table, number, part }: EncryptedColumn,
  key: { id: string | Buffer; number: number },
): string => {
  const id = Buffer.isBuffer(key.id) ? key.id.toString('hex') : key.id
  return `${table}:${number === undefined ? id : `${id}.${key.number}`}:${part}`
}
