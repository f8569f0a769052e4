import * as alerts from './alerts.ts'
import * as auditLog from './audit-log.ts'
import * as authConfigs from './auth-configs/index.ts'
import * as budgets from './budgets/index.ts'
import * as connectedAccounts from './connected-accounts/index.ts'
import * as events from './events/index.ts'
import * as files from './files.ts'
import * as incidents from './incidents.ts'
import * as logs from './logs/index.ts'
import * as members from './members.ts'
import * as mcpAuthorization from './mcp-authorization/index.ts'
import * as mcpServers from './mcp-servers/index.ts'
import * as overview from './overview.ts'
import * as playground from './playground.ts'
import * as policies from './policies/index.ts'
import * as projects from './projects/index.ts'
import type { Route } from './route.ts'
import * as sessions from './sessions/index.ts'
import * as sso from './sso.ts'
import * as system from './system.ts'
import * as toolkits from './toolkits/index.ts'
import * as tools from './tools/index.ts'
import * as triggers from './triggers/index.ts'
import * as users from './users.ts'
import * as webhooks from './webhooks/index.ts'

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'audience' in value && 'path' in value

/** Every operation of the API. */
export const routes: readonly Route[] = [
  projects,
  toolkits,
  tools,
  authConfigs,
  connectedAccounts,
  files,
  incidents,
  members,
  sso,
  auditLog,
  logs,
  overview,
  mcpServers,
  mcpAuthorization,
  sessions,
  webhooks,
  events,
  policies,
  budgets,
  triggers,
  alerts,
  users,
  system,
  playground,
].flatMap((module) => Object.values<unknown>(module).filter(isRoute))
