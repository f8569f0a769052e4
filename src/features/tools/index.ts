export { browseRoutes, type BrowseDeps } from './browse.ts'
export { runRoutes } from './run.ts'
