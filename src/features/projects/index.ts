export { bootstrap, checkKeyRing, type FirstKeys } from './bootstrap.ts'
export { principals } from './principals.ts'
export { brandingOf, openForMcp } from './project-config.ts'
export { projectRoutes } from './routes.ts'
