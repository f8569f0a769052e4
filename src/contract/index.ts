import * as approvals from './approvals.ts'
import * as authConfigs from './auth-configs.ts'
import * as connectedAccounts from './connected-accounts.ts'
import * as events from './events.ts'
import * as files from './files.ts'
import * as incidents from './incidents.ts'
import * as logs from './logs.ts'
import * as mcp from './mcp-servers.ts'
import * as mcpSignIn from './mcp-authorization.ts'
import * as policies from './policies.ts'
import * as projects from './projects.ts'
import type { Route } from './route.ts'
import * as sessionMeta from './session-meta-tools.ts'
import * as sessionMounts from './session-mounts.ts'
import * as sessionSaved from './session-saved-configs.ts'
import * as sessions from './sessions.ts'
import * as toolkitImports from './toolkit-imports.ts'
import * as toolkits from './toolkits.ts'
import * as tools from './tools.ts'
import * as triggerLogs from './trigger-logs.ts'
import * as triggers from './triggers.ts'
import { unbuilt } from './not-implemented.ts'
import * as usage from './usage.ts'
import * as webhookEndpoints from './webhook-endpoints.ts'
import * as webhooks from './webhooks.ts'

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'audience' in value && 'path' in value

/** Operations that this release answers. */
export const built: readonly Route[] = [
  projects,
  toolkits,
  toolkitImports,
  tools,
  authConfigs,
  connectedAccounts,
  files,
  incidents,
  logs,
  mcp,
  mcpSignIn,
  sessions,
  sessionMeta,
  sessionMounts,
  sessionSaved,
  usage,
  webhooks,
  webhookEndpoints,
  events,
  policies,
  approvals,
  triggers,
  triggerLogs,
].flatMap((module) => Object.values<unknown>(module).filter(isRoute))

/** Every operation of the API: what OpenAPI, the command line and the sweeps read. */
export const routes: readonly Route[] = [...built, ...unbuilt]
