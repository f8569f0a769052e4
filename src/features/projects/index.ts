export { createFirstProject, assertKeyRingMatches, type FirstKeys } from './bootstrap.ts'
export { createAuthenticator } from './api-keys/authenticate.ts'
export { findProjectBranding, findMcpProject } from './project-config.ts'
export { projectRoutes } from './routes.ts'
