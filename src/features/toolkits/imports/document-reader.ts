import {
  type ApartLimits,
  type ImportOptions,
  ImportRejected,
  type ImportSource,
  importInWorker,
  type ImportServer,
  isPlainlyNone,
  kindOfAddress,
  listMcp,
  type PreparedOutcome,
  Unreachable,
} from '../../../catalog/importers/worker/index.ts'
import type { PreparedVersion } from '../../../catalog/importers/versions/index.ts'
import type { Egress } from '../../../platform/egress/index.ts'
import type { CustomToolkits } from '../custom/index.ts'
import { documentFetcher } from './document-fetcher.ts'
import type { ImportRequest } from './read-request.ts'

export interface DocumentReaderDeps {
  customToolkits: Pick<CustomToolkits, 'formerSlugs' | 'findNewest'>
  egress: Egress
}

/** Limit for both readings of a document together; clients time out after a minute. */
const TIME_MS_MAX = 40_000
/** Limits to list the tools of a remote MCP server, and of a URL that may be one. */
const LISTING_MS = 30_000
const GUESS_MS = 5_000

/** What one import reads with. */
interface Reading {
  readonly projectId: string
  readonly options: ImportOptions
  readonly server: ImportServer
  readonly limits: ApartLimits
}

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
  const reading: Reading = { projectId, options, server, limits }
  const readMcp = async (timeoutMs: number) => {
    const listing = await listMcp(address!, { headers, timeoutMs, signal: limits.signal }, deps.egress)
    return readWithFormerSlugs(deps, { kind: 'auto', listing }, reading)
  }
  const isUrlOnly = address !== undefined && !bytes && !gzip
  if (isUrlOnly && (isMcp || (kind === 'auto' && kindOfAddress(address) === 'mcp')))
    return readMcp(LISTING_MS)
  try {
    return await readWithFormerSlugs(deps, source, reading)
  } catch (error) {
    if (!isUrlOnly || kind !== 'auto' || !isNoDocument(error)) throw error
    return await readMcp(GUESS_MS).catch(() => {
      throw error
    })
  }
}

const isNoDocument = (error: unknown) =>
  error instanceof Unreachable || (error instanceof ImportRejected && error.why.startsWith('not_'))

/**
 * Reads a document so that tools keep their slugs. The toolkit may be known only after the first reading;
 * then the document is read again if that changes slugs.
 */
async function readWithFormerSlugs(
  { customToolkits }: DocumentReaderDeps,
  source: ImportSource,
  { projectId, options, server, limits }: Reading,
): Promise<PreparedOutcome> {
  const known =
    options.slug === undefined ? undefined : await customToolkits.formerSlugs(projectId, options.slug)
  const { timeMs = TIME_MS_MAX } = limits
  const startedAt = performance.now()
  const first = await importInWorker(source, { ...options, former: known }, server, { ...limits, timeMs })
  if (known) return first
  const { slug } = first.version.toolkit
  const former = await customToolkits.formerSlugs(projectId, slug)
  if (!changesSlugs(first.version, former)) return first
  return importInWorker(source, { ...options, slug, former }, server, {
    ...limits,
    timeMs: Math.max(1, timeMs - (performance.now() - startedAt)),
  })
}

function changesSlugs({ origins }: PreparedVersion, former: ReadonlyMap<string, string>): boolean {
  const owners = new Map([...former].map(([operation, slug]) => [slug, operation]))
  return Object.entries(origins).some(
    ([operation, slug]) =>
      (former.get(operation) ?? slug) !== slug || (owners.get(slug) ?? operation) !== operation,
  )
}
