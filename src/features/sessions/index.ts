export { createSessionRulesReader, type SessionRules } from './session-rules.ts'
export { type ManagedAuthConfigDeps, createManagedConfig } from './managed-auth-config.ts'
export type { ResolvedSessionConfig, SessionConfig } from './config/session-config.ts'
export { SESSION_MCP_PATH, sessionEndpoint } from './endpoint/routes.ts'
export type {
  CustomTool,
  MetaTool,
  MetaTools,
  MetaToolCall,
  MetaToolOutcome,
} from './meta-tools/meta-tool.ts'
export { sessionMetaToolRoutes } from './meta-tools/routes.ts'
export { sessionMountRoutes } from './mounts/routes.ts'
export { noteRoutes } from './notes/routes.ts'
export { sessionResource } from './resource.ts'
export { sessionRoutes } from './routes.ts'
export { savedConfigRoutes } from './saved-configs/routes.ts'
export type { SessionConnections } from './scope/accounts.ts'
export type { LinkOptions, SessionLink } from './scope/connect-link.ts'
export {
  openScope,
  readSessionCaller,
  type SessionCaller,
  type SessionScope,
  type SessionScopeDeps,
  type ToolCallOptions,
} from './scope/scope.ts'
export { createSessionService, type SessionService } from './service.ts'
export {
  countUserNotes,
  findSession,
  removeUserMemories,
  removeUserRecipes,
  sessionExists,
  type SessionKey,
} from './store.ts'
export { sessionToolRoutes } from './tools/routes.ts'
export { sessionsExportedRows, sessionsProjectRows } from './project-rows.ts'
export { sessionsUserRows } from './user-rows.ts'
