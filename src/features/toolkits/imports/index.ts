export { importRoutes, type ImportDeps } from './routes.ts'
