export { mcpEndpoint, SERVER_PATH } from './endpoint.ts'
export { mcpServerRoutes } from './routes.ts'
export { findAnywhere as findMcpServer } from './store.ts'
