export {
  callbackUrl,
  legacyToolkitId,
  managedSchemesOf,
  toolkitPresenter,
  type ToolkitPresenterDeps,
} from './present.ts'
export { toolkitRoutes, type ToolkitDeps } from './routes.ts'
export { toolkitsProjectRows } from './project-rows.ts'
