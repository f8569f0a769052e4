import {
  authFrom,
  type AuthForm,
  type ImportOptions,
  type ImportSource,
} from '../../../catalog/importers/worker/index.ts'
import type { ToolkitImport } from '../../../contract/toolkits/index.ts'
import { badRequest } from '../../../platform/http/api-error.ts'
import { runInSlices } from '../../../platform/http/turns/run-in-slices.ts'
import { jsonBytesInPieces } from '../../../platform/json-bytes.ts'

/** An import request as the importers take it. */
export interface ImportRequest {
  readonly source: ImportSource
  /** Request field that errors of the document refer to. */
  readonly field: string
  readonly isMcp: boolean
  readonly options: ImportOptions
  readonly headers: Readonly<Record<string, string>>
}

/** Reads the body of a request. A large document is serialized in slices. @throws ApiError 400 */
export async function readImportRequest(body: ToolkitImport): Promise<ImportRequest> {
  return {
    ...(await readSource(body)),
    isMcp: body.type === 'mcp',
    options: readOptions(body),
    headers: body.headers ?? {},
  }
}

async function readSource({
  type = 'auto',
  url,
  content,
  content_gzip: gzip,
}: ToolkitImport): Promise<Pick<ImportRequest, 'source' | 'field'>> {
  const kind = type === 'mcp' ? 'auto' : type
  if (content !== undefined && gzip !== undefined)
    throw badRequest('Error in payload.content_gzip: must not be given together with content')
  if (url !== undefined && (!URL.canParse(url) || new URL(url).username !== ''))
    throw badRequest('Error in payload.url: must be a URL without a user name')
  if (type === 'mcp' && (url === undefined || content !== undefined || gzip !== undefined))
    throw badRequest('Error in payload.url: is required for a remote MCP server, without content')
  if (content !== undefined) {
    const bytes =
      typeof content === 'string' ? Buffer.from(content) : await runInSlices(jsonBytesInPieces(content))
    return { field: 'content', source: { kind, bytes, address: url } }
  }
  if (gzip !== undefined)
    return { field: 'content_gzip', source: { kind, gzip: Buffer.from(gzip, 'base64'), address: url } }
  if (url === undefined) throw badRequest('Error in payload: give url, content or content_gzip')
  return { field: 'url', source: { kind, address: url } }
}

function readOptions(body: ToolkitImport): ImportOptions {
  const { slug, name, server, auth, auth_schemes: schemes, lenient } = body
  if (auth && schemes) throw badRequest('Error in payload.auth_schemes: must not be given together with auth')
  const schemeForms = auth ? [auth as AuthForm] : (schemes as Parameters<typeof authFrom>[0] | undefined)
  return { slug, name, server, lenient, ...(schemeForms && { auth: authFrom(schemeForms) }) }
}

/** Removes the query and fragment of a URL, which may contain a key. */
export function urlWithoutQuery(address: string): string {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname}`
}
