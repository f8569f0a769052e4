/**
 * A column with encrypted values, and the encryption context of each value: `<table>:<id>:<part>`, with ids
 * of bytes in hexadecimal.
 */
export interface EncryptedColumn {
  table: string
  column: string
  /** The primary key. */
  id: string
  idType: 'text' | 'bytea'
  part: string
  /**
   * The project of a row, in SQL. Default: its column `project_id`. Null: the key ring encrypts the values, not the data
   * key of a project.
   */
  project?: string | null
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
  { table: 'tool_executions', column: 'encrypted_error', id: 'id', idType: 'text', part: 'error' },
  { table: 'events', column: 'encrypted_payload', id: 'id', idType: 'text', part: 'encrypted_payload' },
  {
    table: 'user_memories',
    column: 'encrypted_payload',
    id: 'id',
    idType: 'text',
    part: 'encrypted_payload',
  },
  { table: 'trigger_polls', column: 'state', id: 'instance_id', idType: 'text', part: 'state' },
  { table: 'trigger_registrations', column: 'state', id: 'url_token', idType: 'text', part: 'state' },
  { table: 'webhook_endpoints', column: 'data', id: 'id', idType: 'text', part: 'data' },
  {
    table: 'webhook_attempts',
    column: 'encrypted_response',
    id: 'id',
    idType: 'text',
    part: 'response',
    project: '(select d.project_id from webhook_deliveries d where d.id = t.delivery_id)',
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

/** Columns of bytes that are not encrypted: hashes, public keys and vectors. */
export const UNENCRYPTED_COLUMNS: readonly string[] = [
  'api_keys.key_hash',
  'approvals.binding',
  'audit_log.hash',
  'member_links.token_hash',
  'audit_chains.removed_hash',
  'audit_chains.hash',
  'console_sessions.token_hash',
  'member_recovery_codes.code_hash',
  'member_passkeys.public_key',
  'used_challenges.challenge_hash',
  'session_sandboxes.run_digest',
  // Vectors of names and descriptions of tools.
  'tool_embeddings.text_digest',
  'tool_embeddings.vector',
  'webhook_codes.state_hash',
  'authorization_flows.state_hash',
  'authorization_flows.browser_hash',
  'connect_links.token_hash',
  'pending_connections.key_hash',
  'mcp_authorizations.browser_hash',
  'mcp_authorizations.source_hash',
  'mcp_tokens.successor_salt',
  'mcp_authorizations.code_hash',
  'mcp_clients.secret_hash',
  'mcp_clients.source_hash',
  'mcp_sign_ins.browser_hash',
  'mcp_sign_ins.token_hash',
  'mcp_tokens.token_hash',
  'sessions.labs_key',
  'toolkit_contents.bytes',
]

/** The place a value is bound to (see `Sealer.seal`). */
export const encryptionContext = ({ table, part }: EncryptedColumn, id: string | Buffer): string =>
  `${table}:${Buffer.isBuffer(id) ? id.toString('hex') : id}:${part}`
