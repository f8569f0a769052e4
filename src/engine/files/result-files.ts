import { FileBytes, lookupFrom, ToolFailure } from '../../catalog/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { FileStorage } from '../dependencies.ts'
import type { ProviderResponse } from '../http/provider-response.ts'
import type { ResolvedTool, ToolCall, ToolResult } from '../types.ts'
import { fileNameOf } from './file-name.ts'

/** A file in `data`: clients download `s3url` while it is valid, and other tools accept `s3key`. */
interface FileReference {
  name: string
  mimetype: string
  s3url: string
  s3key: string
  size: number
}

/** Replaces text by bytes where the manifest says that a response is or contains a file. */
export function withDeclaredFile(
  { tool }: ResolvedTool,
  args: Readonly<Record<string, unknown>>,
  result: ToolResult,
  { reply, headers }: ProviderResponse,
): ToolResult {
  const { file } = tool.response
  if (!file) return result
  const { data } = result
  const lookup = lookupFrom(args)
  const type = String(headers['content-type'] ?? '')
  const mimetype = file.mimetype?.(lookup) ?? (file.content || !type ? 'application/octet-stream' : type)
  const isWholeReply = !file.content
  const namedInData = file.content && typeof data['name'] === 'string' ? data['name'] : undefined
  const name =
    file.name?.(lookup) ??
    fileNameOf(reply && isWholeReply ? reply : { headers: {}, url: placeholderUrl(namedInData) }, mimetype)
  if (!file.content) {
    const bytes = reply?.body ?? Buffer.alloc(0)
    return { ...result, data: { [file.member]: new FileBytes(name, mimetype, bytes) } }
  }
  const content = file.content(data)
  if (typeof content !== 'string') return result
  // The text is left out: its bytes are in the file, and it may be as long as they are.
  const others = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== content))
  const bytes = Buffer.from(content, file.encoding === 'text' ? 'utf8' : file.encoding)
  return { ...result, data: { ...others, [file.member]: new FileBytes(name, mimetype, bytes) } }
}

/** A URL whose last part is the name, since file names are read from URLs. */
const placeholderUrl = (name: string | undefined) =>
  `https://none.invalid${name === undefined ? '' : `/${encodeURIComponent(name.toWellFormed())}`}`

/** Stores the files of a result and replaces them by references. Returns undefined for a result without files. */
export function storeResultFiles(
  files: FileStorage,
  call: ToolCall,
  tool: ResolvedTool,
  result: ToolResult,
): Promise<ToolResult> | undefined {
  // Only properties of `data` can be files, so results without files cost one loop.
  for (const name in result.data) {
    if (result.data[name] instanceof FileBytes) return storeFiles(files, call, tool, result)
  }
  return undefined
}

async function storeFiles(
  files: FileStorage,
  call: ToolCall,
  tool: ResolvedTool,
  result: ToolResult,
): Promise<ToolResult> {
  const data = { ...result.data }
  for (const [name, value] of Object.entries(data)) {
    if (value instanceof FileBytes) data[name] = await storeFile(files, call, tool, value)
  }
  return { ...result, data }
}

/** @throws ToolFailure when the file cannot be stored */
export async function storeFile(
  files: FileStorage,
  { projectId, settings }: ToolCall,
  { toolkit, tool }: ResolvedTool,
  { name, type = 'application/octet-stream', bytes }: Pick<FileBytes, 'name' | 'type' | 'bytes'>,
): Promise<FileReference> {
  try {
    const file = { name, mimetype: type, bytes, toolkit: toolkit.slug, tool: tool.slug }
    const saved = await files.save(projectId, file, settings.fileUrlSeconds)
    return { name, mimetype: type, s3url: saved.url, s3key: saved.key, size: saved.size }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    const message = `The application returned a file that cannot be stored. ${error.message}`
    throw new ToolFailure(message, { statusCode: error.status, cause: error })
  }
}
