export { browseRoutes, type BrowseDeps } from './browse.ts'
export { runRoutes } from './run.ts'
export { removeOldCalls } from './remove-old.ts'
export { split } from './response/split.ts'
