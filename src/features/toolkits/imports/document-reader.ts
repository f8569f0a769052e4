import {
  type ApartLimits,
  ImportRejected,
  importInWorker,
  type ImportServer,
  isPlainlyNone,
  kindOfAddress,
  listMcp,
  type PreparedOutcome,
  Unreachable,
} from '../../../catalog/importers/worker/index.ts'
import type { Egress } from '../../../platform/egress/index.ts'
import type { CustomToolkits } from '../custom/index.ts'
import { documentFetcher } from './document-fetcher.ts'
import type { ImportRequest } from './read-request.ts'

export interface DocumentReaderDeps {
  customToolkits: Pick<CustomToolkits, 'findNewest'>
  egress: Egress
}

/** Limits to list the tools of a remote MCP server, and of a URL that may be one. */
const LISTING_MS = 30_000
const GUESS_MS = 5_000

/**
 * Reads a document or a remote MCP server. A URL may be either, so a URL without a document is tried as MCP
 * server.
 * @throws ImportRejected, Unreachable, EgressError
 */
export async function readDocument(
  deps: DocumentReaderDeps,
  projectId: string,
  { source, isMcp, options, headers }: ImportRequest,
  limits: ApartLimits,
): Promise<PreparedOutcome> {
  const { address, kind, bytes, gzip } = source
  // Obvious non-documents are rejected without a worker process, which would be expensive.
  if (bytes && isPlainlyNone(bytes))
    throw new ImportRejected(
      'not_openapi',
      'The content is not an API description: use OpenAPI, Swagger 2, GraphQL or a Postman collection.',
    )
  const server: ImportServer = {
    fetchText: documentFetcher(deps.egress, address, headers, limits.signal),
    readPrevious: (toolkit) => deps.customToolkits.findNewest(projectId, toolkit),
  }
  const readMcp = async (timeoutMs: number) => {
    const listing = await listMcp(address!, { headers, timeoutMs, signal: limits.signal }, deps.egress)
    return importInWorker({ kind: 'auto', listing }, options, server, limits)
  }
  const isUrlOnly = address !== undefined && !bytes && !gzip
  if (isUrlOnly && (isMcp || (kind === 'auto' && kindOfAddress(address) === 'mcp')))
    return readMcp(LISTING_MS)
  try {
    return await importInWorker(source, options, server, limits)
  } catch (error) {
    if (!isUrlOnly || kind !== 'auto' || !isNoDocument(error)) throw error
    return await readMcp(GUESS_MS).catch(() => {
      throw error
    })
  }
}

const isNoDocument = (error: unknown) =>
  error instanceof Unreachable || (error instanceof ImportRejected && error.why.startsWith('not_'))
