import {
  type ApartLimits,
  authFrom,
  type AuthForm,
  type FetchText,
  type ImportSource,
  importInWorker,
  type Imported,
  type ImportOptions,
  isPlainlyNone,
  kindOfAddress,
  listMcp,
  type Outcome,
  ImportRejected,
  Unreachable,
} from '../../../catalog/importers/worker/index.ts'
import type { ToolkitImport, ToolkitImportReport } from '../../../contract/toolkits/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import { type Egress, EgressError } from '../../../platform/egress/index.ts'
import { ApiError, badRequest } from '../../../platform/http/api-error.ts'
import type { CustomToolkits } from '../custom/index.ts'
import { documentFetcher } from './document-fetcher.ts'
import { reportOf } from './report.ts'

export interface ImportDeps {
  customToolkits: Pick<CustomToolkits, 'put' | 'preview' | 'formerSlugs'>
  egress: Egress
  clock: Clock
  /** Default: 40 seconds, 768 MB. */
  limits?: ApartLimits
}

const AT_ONCE_MAX = 2
/** Limit for both readings of a document together; clients time out after a minute. */
const TIME_MS_MAX = 40_000
/** Limits to list the tools of a remote MCP server, and of a URL that may be one. */
const LISTING_MS = 30_000
const GUESS_MS = 5_000

export interface Caller {
  projectId: string
  signal: AbortSignal
}

/** Imports documents as toolkits of projects: each document completely or not at all. */
export function importService({ customToolkits, egress, clock, limits = {} }: ImportDeps) {
  const running = new Set<string>()

  async function importToolkit(
    { projectId, signal }: Caller,
    body: ToolkitImport,
  ): Promise<ToolkitImportReport> {
    const { given, field } = documentOf(body)
    const options = optionsOf(body)
    try {
      // Obvious non-documents are rejected without a worker process, which would be expensive.
      if (given.text !== undefined && isPlainlyNone(given.text))
        throw new ImportRejected(
          'not_openapi',
          'The content is not an API description: use OpenAPI, Swagger 2, GraphQL or a Postman collection.',
        )
      const outcome = await read(projectId, given, body.type === 'mcp', options, body.headers ?? {}, {
        ...limits,
        signal,
      })
      const source = {
        kind: outcome.kind,
        ...(given.address !== undefined && { address: urlWithoutQuery(given.address) }),
      }
      const result = body.dry_run
        ? await customToolkits.preview(projectId, outcome.imported)
        : await customToolkits.put(projectId, outcome.imported, source, clock.now())
      return reportOf(outcome, result, body.dry_run ?? false)
    } catch (error) {
      throw signal.aborted
        ? new ApiError(
            'HTTP_ServiceUnavailable',
            'The client disconnected before the import finished. Nothing was stored.',
            { cause: error },
          )
        : toApiError(error, field)
    }
  }

  /**
   * Reads a document or a remote MCP server. A URL may be either, so a URL without a document is tried as MCP
   * server.
   */
  async function read(
    projectId: string,
    given: ImportSource,
    isMcp: boolean,
    options: ImportOptions,
    headers: Readonly<Record<string, string>>,
    apart: ApartLimits,
  ): Promise<Outcome> {
    const { address, kind } = given
    const fetchText = documentFetcher(egress, address, headers, apart.signal)
    const listed = async (timeoutMs: number) =>
      withFormerSlugs(
        projectId,
        {
          kind: 'auto',
          listing: await listMcp(address!, { headers, timeoutMs, signal: apart.signal }, egress),
        },
        options,
        fetchText,
        apart,
      )
    const isAlone = address !== undefined && given.text === undefined && given.gzip === undefined
    if (isAlone && (isMcp || (kind === 'auto' && kindOfAddress(address) === 'mcp'))) return listed(LISTING_MS)
    try {
      return await withFormerSlugs(projectId, given, options, fetchText, apart)
    } catch (error) {
      if (
        !isAlone ||
        kind !== 'auto' ||
        !(error instanceof Unreachable || (error instanceof ImportRejected && error.why.startsWith('not_')))
      )
        throw error
      return await listed(GUESS_MS).catch(() => {
        throw error
      })
    }
  }

  /**
   * Reads a document so that tools keep their slugs. The toolkit may be known only after the first reading;
   * then the
   * document is read again if that changes slugs.
   */
  async function withFormerSlugs(
    projectId: string,
    given: ImportSource,
    options: ImportOptions,
    fetchText: FetchText,
    apart: ApartLimits,
  ): Promise<Outcome> {
    const known =
      options.slug === undefined ? undefined : await customToolkits.formerSlugs(projectId, options.slug)
    const { timeMs = TIME_MS_MAX } = apart
    const startedAt = performance.now()
    const first = await importInWorker(given, { ...options, former: known }, fetchText, { ...apart, timeMs })
    if (known) return first
    const { slug } = first.imported.toolkit
    const former = await customToolkits.formerSlugs(projectId, slug)
    return changesSlugs(first.imported, former)
      ? importInWorker(given, { ...options, slug, former }, fetchText, {
          ...apart,
          timeMs: Math.max(1, timeMs - (performance.now() - startedAt)),
        })
      : first
  }

  return {
    /** @throws ApiError */
    async importToolkit(caller: Caller, body: ToolkitImport): Promise<ToolkitImportReport> {
      if (running.has(caller.projectId))
        throw new ApiError(
          'HTTP_ServiceUnavailable',
          'Another import of this project is in progress. Try again when it has finished.',
        )
      if (running.size >= AT_ONCE_MAX)
        throw new ApiError(
          'HTTP_ServiceUnavailable',
          'Imports of other projects are in progress. Try again later.',
        )
      running.add(caller.projectId)
      try {
        return await importToolkit(caller, body)
      } finally {
        running.delete(caller.projectId)
      }
    },
  }
}

function changesSlugs({ origins }: Imported, former: ReadonlyMap<string, string>): boolean {
  const owners = new Map([...former].map(([operation, slug]) => [slug, operation]))
  return Object.entries(origins).some(
    ([operation, slug]) =>
      (former.get(operation) ?? slug) !== slug || (owners.get(slug) ?? operation) !== operation,
  )
}

/** Returns the document, and the request field for its errors. */
function documentOf({ type = 'auto', url, content, content_gzip: gzip }: ToolkitImport): {
  given: ImportSource
  field: string
} {
  const kind = type === 'mcp' ? 'auto' : type
  if (content !== undefined && gzip !== undefined)
    throw badRequest('Error in payload.content_gzip: must not be given together with content')
  if (url !== undefined && (!URL.canParse(url) || new URL(url).username !== ''))
    throw badRequest('Error in payload.url: must be a URL without a user name')
  if (type === 'mcp' && (url === undefined || content !== undefined || gzip !== undefined))
    throw badRequest('Error in payload.url: is required for a remote MCP server, without content')
  if (content !== undefined)
    return {
      field: 'content',
      given: { kind, text: typeof content === 'string' ? content : JSON.stringify(content), address: url },
    }
  if (gzip !== undefined)
    return { field: 'content_gzip', given: { kind, gzip: Buffer.from(gzip, 'base64'), address: url } }
  if (url === undefined) throw badRequest('Error in payload: give url, content or content_gzip')
  return { field: 'url', given: { kind, address: url } }
}

function optionsOf({ slug, name, server, auth, auth_schemes: schemes }: ToolkitImport): ImportOptions {
  if (auth && schemes) throw badRequest('Error in payload.auth_schemes: must not be given together with auth')
  const given = auth ? [auth as AuthForm] : (schemes as Parameters<typeof authFrom>[0] | undefined)
  return { slug, name, server, ...(given && { auth: authFrom(given) }) }
}

/** Removes the query and fragment of a URL, which may contain a key. */
function urlWithoutQuery(address: string): string {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname}`
}

function toApiError(error: unknown, field: string): unknown {
  if (error instanceof Unreachable || error instanceof EgressError)
    return new ApiError('Toolkit_DocumentUnreachable', error.message, {
      details: [`Error in payload.url: ${error.message}`],
    })
  if (!(error instanceof ImportRejected)) return error
  const at =
    error.why === 'no_address'
      ? 'server'
      : error.why === 'manifest' && / at \/auth/.test(error.message)
        ? 'auth'
        : field
  return new ApiError(
    error.why === 'too_large' ? 'Toolkit_DocumentTooLarge' : 'Toolkit_DocumentRefused',
    error.message,
    { details: [`Error in payload.${at}: ${error.why}`], cause: error },
  )
}
