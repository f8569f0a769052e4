export { createFirstProject, assertKeyRingMatches, type FirstKeys } from './bootstrap.ts'
export { createAuthenticator } from './api-keys/authenticate.ts'
export {
  createDataKeyStore,
  destroyReplacedDataKeys,
  isOfFormerKey,
  replaceDataKeys,
} from './data-keys/store.ts'
export { LEAK_REVOKED } from './api-keys/leaked-keys.ts'
export { leakedKeyRoutes } from './api-keys/leaked-key-routes.ts'
export { deleteKeysOfProjects, listKeyNames } from './api-keys/store.ts'
export { findProjectBranding, findMcpProject } from './project-config.ts'
export { erasureSchedules, erasureTasks, type ProjectDataRemover } from './deletion/erase-project.ts'
export { projectsExportedRows } from './export/project-rows.ts'
export type { SecretSource } from './export/export-secrets.ts'
export { projectExportRoutes } from './export/routes.ts'
export { projectRoutes } from './routes.ts'
export { projectSchedules } from './schedules.ts'
export {
  authenticateAsKey,
  findKeyById,
  findKeyForSignIn,
  type KeyHolder,
  type KeySessionCall,
  projectPrincipal,
} from './key-sessions.ts'
export { assertProjectsExist } from './service.ts'
export { findOrganizationId, listProjectNames } from './store.ts'
export { createDemoCheck, type DemoProjects, demoProjects } from './demo-projects.ts'
