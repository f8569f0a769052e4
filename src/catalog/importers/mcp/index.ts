import type { Egress } from '../../../platform/egress/index.ts'
import type { Imported, ImportOptions } from '../imported.ts'
import { convertMcp } from './convert.ts'
import { listMcp, type ListOptions } from './list.ts'

export { convertMcp } from './convert.ts'
export { type ListOptions, listMcp } from './list.ts'
export type { McpListing, McpSignIn } from './listing.ts'

/**
 * Imports the tools of the remote MCP server at a URL: lists them, then converts them. @throws ImportRejected, and
 * EgressError when the server is unreachable
 */
export async function importMcp(
  address: string,
  options: ImportOptions & ListOptions,
  egress: Egress,
): Promise<Imported> {
  return convertMcp(await listMcp(address, options, egress), options)
}
