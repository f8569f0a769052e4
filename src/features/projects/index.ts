export { bootstrap, checkKeyRing, type FirstKeys } from './bootstrap.ts'
export { principals } from './api-keys/authenticate.ts'
export { brandingOf, mcpProject } from './project-config.ts'
export { projectRoutes } from './routes.ts'
