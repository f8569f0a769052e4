export { type PanicDeps, panicRoutes } from './routes.ts'
