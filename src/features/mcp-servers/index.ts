export { mcpServerRoutes } from './routes.ts'
