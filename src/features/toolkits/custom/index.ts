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
export { type CustomToolkits, createCustomToolkits } from './service.ts'
export type { ImportSource, StoredToolkit } from './store-version.ts'
export { type CatalogOf, type ProjectCatalogs, createProjectCatalogs } from './project-catalogs.ts'
export type { ToolkitVersionRow } from './store.ts'
