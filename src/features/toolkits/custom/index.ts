/** Toolkits that do not come with the program: of a project, or of the instance. */
export {
  announceInstance,
  type InstanceToolkit,
  ofKind,
  originsOf,
  putReady,
  type ReadyOutcome,
  type ReadyToolkit,
  removeFromInstance,
} from './prebuilt.ts'
export { ownToolkitRoutes } from './routes.ts'
export { type OwnToolkits, ownToolkits, type Put, type Source } from './service.ts'
export { type CatalogOf, type ToolkitViews, toolkitViews } from './project-catalogs.ts'
export type { VersionRow } from './store.ts'
