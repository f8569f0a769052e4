export { bootstrap, checkKeyRing, type FirstKeys } from './bootstrap.ts'
export { principals } from './principals.ts'
export { projectRoutes } from './routes.ts'
