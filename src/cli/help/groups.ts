/** The groups of commands: their order on the help screen, under which heading they stand, and what they are about. */
export const HEADINGS = {
  server: 'The server:',
  access: 'Projects and keys:',
  tools: 'Toolkits and tools:',
  accounts: 'Accounts of users:',
  other: 'More:',
  planned: 'Planned, answered with 501 in this release:',
} as const
export type Heading = keyof typeof HEADINGS

export const GROUPS: Readonly<Record<string, readonly [heading: Heading, description: string]>> = {
  projects: ['access', 'Projects of the organization'],
  'project-keys': ['access', 'Keys of any project, as the API has them'],
  'project-config': ['access', 'Settings of the project'],
  session: ['access', 'Which project and key the calls are made with'],
  toolkits: ['tools', 'Applications that can be used'],
  tools: ['tools', 'What can be done in them: list, read, execute'],
  policies: ['tools', 'Which calls are allowed, refused, or wait for a person'],
  approvals: ['tools', 'Calls that wait for a person'],
  'auth-configs': ['accounts', 'How users authenticate with a toolkit'],
  'connected-accounts': ['accounts', 'Accounts that users have connected'],
  incidents: ['access', 'What was frozen after a leak'],
  migration: ['other', 'Ids of earlier releases'],
  'trigger-types': ['other', 'Events that toolkits can send'],
  triggers: ['other', 'Events that a connected account listens for'],
  events: ['other', 'What happened, and how it was delivered'],
  webhooks: ['other', 'Where events are delivered'],
  'webhook-endpoints': ['other', 'Where applications send their events'],
  mcp: ['other', 'MCP servers and their instances'],
  sessions: ['other', 'Tool router sessions of agents'],
  sessionConfigs: ['other', 'Saved configurations that sessions are opened with'],
  files: ['other', 'Files that tools take and give'],
  logs: ['other', 'What was executed, and how it went'],
  usage: ['other', 'How much was used'],
  realtime: ['other', 'The realtime channel of events'],
}
