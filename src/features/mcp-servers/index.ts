export {
  approvalVisit,
  connectOutcome,
  failedOutcome,
  rejectedOutcome,
  toMcpOutcome,
} from './endpoint/outcomes.ts'
export { mcpEndpoint, MCP_SERVER_PATH } from './endpoint/routes.ts'
export { decodeToolCursor, encodeToolCursor, presentMcpTool, toolAnnotations } from './endpoint/tool-list.ts'
export { readSchemaFormat } from './endpoint/url-parameters.ts'
export { serverResource } from './resource.ts'
export { mcpServerRoutes } from './routes.ts'
export { type CallableServer, findMcpServer, removeUserInstances } from './store.ts'
export { mcpServersProjectRows } from './project-rows.ts'
