export { mcpEndpoint } from './endpoint.ts'
export { mcpServerRoutes } from './routes.ts'
