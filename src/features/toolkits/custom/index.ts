/** Toolkits that are not built in: of a project, or of the instance. */
export {
  announceInstanceToolkits,
  type InstanceToolkit,
  listInstanceToolkits,
  findInstanceOrigins,
  storePrebuilt,
  type PrebuiltOutcome,
  type PrebuiltToolkit,
  deleteInstanceToolkits,
} from './prebuilt.ts'
export { customToolkitRoutes } from './routes.ts'
export {
  type CustomToolkits,
  createCustomToolkits,
  type StoredToolkit,
  type ImportSource,
} from './service.ts'
export { type CatalogOf, type ProjectCatalogs, createProjectCatalogs } from './project-catalogs.ts'
export type { ToolkitVersionRow } from './store.ts'
