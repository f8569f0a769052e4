/** A client of MCP servers over streamable HTTP. How a request gets there, with which credentials, is the caller's. */
export { type Era, type McpClient, mcpClient, type Met, type Peer } from './client.ts'
export { overEgress } from './over-egress.ts'
export { headerValue } from './request.ts'
export {
  McpError,
  type McpErrorKind,
  type McpReply,
  type McpRequest,
  type McpSend,
  type Purpose,
} from './transport.ts'
export { CLIENT, LEGACY, MODERN } from './versions.ts'
