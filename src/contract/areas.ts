/** Permission areas of restricted project keys, and the levels of each. */
export const AREAS = {
  auth_configs: ['read', 'write'],
  connected_accounts: ['read', 'write'],
  tools: ['read'],
  tool_execution: ['write'],
  proxy_execute: ['write'],
  toolkits: ['read', 'write'],
  triggers: ['read', 'write'],
  webhooks: ['read', 'write'],
  observability: ['read'],
  sessions: ['read', 'write'],
  approvals: ['read', 'write'],
  audit_log: ['read'],
} as const

/**
 * Permission areas of restricted organization keys. Members and keys of the organization have no area: with them a key
 * could give itself more permissions.
 */
export const ORGANIZATION_AREAS = {
  projects: ['read', 'write'],
  api_keys: ['read', 'write'],
  usage: ['read'],
  incidents: ['read', 'write'],
  audit_log: ['read'],
} as const
