/** A column whose values are sealed, and the place that each value is bound to: `<table>:<id>:<part>`, an id of bytes in hexadecimal. */
export interface SealedColumn {
  table: string
  column: string
  /** The primary key. */
  id: string
  idType: 'text' | 'bytea'
  part: string
}

/** Every sealed column there is: what is not here stays under old keys, and would be lost with them. A test compares this with the schema. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'api_keys', column: 'key_sealed', id: 'id', idType: 'text', part: 'key' },
  { table: 'approvals', column: 'sealed', id: 'id', idType: 'text', part: 'sealed' },
  { table: 'auth_configs', column: 'credentials', id: 'id', idType: 'text', part: 'credentials' },
  {
    table: 'auth_configs',
    column: 'shared_credentials',
    id: 'id',
    idType: 'text',
    part: 'shared_credentials',
  },
  { table: 'auth_configs', column: 'proxy_config', id: 'id', idType: 'text', part: 'proxy_config' },
  { table: 'connected_accounts', column: 'val', id: 'id', idType: 'text', part: 'val' },
  { table: 'connected_accounts', column: 'identity', id: 'id', idType: 'text', part: 'identity' },
  { table: 'connection_waits', column: 'sealed', id: 'id', idType: 'text', part: 'sealed' },
  { table: 'connection_flows', column: 'secrets', id: 'state_hash', idType: 'bytea', part: 'secrets' },
  { table: 'connection_codes', column: 'returned', id: 'id', idType: 'text', part: 'returned' },
  { table: 'connection_codes', column: 'code', id: 'id', idType: 'text', part: 'code' },
  { table: 'idempotent_calls', column: 'sealed', id: 'id', idType: 'text', part: 'sealed' },
  { table: 'recipe_versions', column: 'sealed', id: 'id', idType: 'text', part: 'sealed' },
  { table: 'response_pages', column: 'sealed', id: 'id', idType: 'text', part: 'sealed' },
  { table: 'revocations', column: 'sealed', id: 'id', idType: 'text', part: 'sealed' },
  { table: 'tool_executions', column: 'payload', id: 'id', idType: 'text', part: 'payload' },
  { table: 'events', column: 'sealed', id: 'id', idType: 'text', part: 'sealed' },
  { table: 'user_memories', column: 'sealed', id: 'id', idType: 'text', part: 'sealed' },
  { table: 'trigger_polls', column: 'state', id: 'instance_id', idType: 'text', part: 'state' },
  { table: 'trigger_registrations', column: 'state', id: 'address', idType: 'text', part: 'state' },
  { table: 'webhook_endpoints', column: 'data', id: 'id', idType: 'text', part: 'data' },
  { table: 'webhook_subscriptions', column: 'secret', id: 'id', idType: 'text', part: 'secret' },
  {
    table: 'webhook_subscriptions',
    column: 'former_secret',
    id: 'id',
    idType: 'text',
    part: 'former_secret',
  },
]

/** Columns of bytes that are no sealed values: hashes. */
export const NOT_SEALED: readonly string[] = [
  'api_keys.key_hash',
  'approvals.binding',
  'connection_codes.state_hash',
  'connection_flows.state_hash',
  'connection_flows.browser_hash',
  'connection_links.token_hash',
  'connection_waits.key_hash',
  'mcp_authorizations.browser_hash',
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
export const contextOf = ({ table, part }: SealedColumn, id: string | Buffer): string =>
  `${table}:${Buffer.isBuffer(id) ? id.toString('hex') : id}:${part}`
