/** Headings of the help screen, in order. */
export const HEADINGS = {
  server: 'The server:',
  access: 'Projects and keys:',
  tools: 'Toolkits and tools:',
  accounts: 'Accounts of users:',
  other: 'More:',
} as const
export type Heading = keyof typeof HEADINGS

/** The groups of commands in the order of the help screen, each with its heading and description. */
export const GROUPS: Readonly<Record<string, readonly [heading: Heading, description: string]>> = {
  projects: ['access', 'Projects of the organization'],
  'project-keys': ['access', 'API keys of any project'],
  'org-keys': ['access', 'API keys of the organization'],
  'project-config': ['access', 'Settings of the project'],
  members: ['access', 'People who sign in to the console, and their roles'],
  audit: ['access', 'The audit log: every management call'],
  session: ['access', 'The project and key of your calls: see whoami'],
  toolkits: ['tools', 'Applications that tools work with'],
  tools: ['tools', 'List, read and execute tools'],
  policies: ['tools', 'Rules that allow or deny calls, or require an approval'],
  approvals: ['tools', 'Calls that wait for an approval'],
  'auth-configs': ['accounts', 'How users authenticate with a toolkit'],
  'connected-accounts': ['accounts', 'Accounts that users have connected'],
  incidents: ['access', 'Accounts that were frozen after a leak'],
  migration: ['other', 'Ids of earlier releases'],
  'trigger-types': ['other', 'Types of events that toolkits can send'],
  triggers: ['other', 'Trigger instances of connected accounts'],
  events: ['other', 'Events and their deliveries'],
  webhooks: ['other', 'Subscriptions: where this server sends events'],
  'webhook-endpoints': ['other', 'Where applications send events to this server'],
  mcp: ['other', 'MCP servers and their instances'],
  sessions: ['other', 'Sessions of agents'],
  'session-configs': ['other', 'Saved configurations for sessions'],
  files: ['other', 'Files that tools read and return'],
  logs: ['other', 'Logs of tool executions'],
  usage: ['other', 'Usage statistics'],
  overview: ['other', 'The health of the project at a glance'],
  metrics: ['other', 'Calls, errors and latency over time'],
  users: ['other', 'Users of your application, with their accounts'],
  realtime: ['other', 'The realtime channel of events'],
}
