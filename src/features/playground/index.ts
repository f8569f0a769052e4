export { playgroundProjectRows } from './project-rows.ts'
export { playgroundRoutes } from './routes.ts'
