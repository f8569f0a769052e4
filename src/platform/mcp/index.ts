/** A client of MCP servers over streamable HTTP. The caller provides transport and credentials. */
export {
  type Era,
  type McpClient,
  createMcpClient,
  type McpServerInfo,
  type McpPeer,
} from './client/client.ts'
export { type ClientConfig, clientConfigs, clientName, KEY_PLACEHOLDER } from './client-configs.ts'
export { egressTransport } from './client/egress-transport.ts'
export { encodeHeaderValue } from './client/request-headers.ts'
export {
  McpError,
  type McpErrorKind,
  type McpReply,
  type McpRequest,
  type McpSend,
  type Purpose,
} from './client/transport.ts'
export { CLIENT, LEGACY, MODERN } from './client/versions.ts'
