import { FileBytes, type FoundTool, lookupIn, ToolFailure } from '../../catalog/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { EngineDeps, Execution, Result } from '../types.ts'
import { fileNameOf } from './file-name.ts'
import type { ProviderAnswer } from './shape-result.ts'

/** What stands in `data` for a file: clients fetch `s3url` while it is good, and another tool takes `s3key`. */
interface FileMember {
  name: string
  mimetype: string
  s3url: string
  s3key: string
  size: number
}

/** Where the manifest says that an answer is a file or holds one: the bytes in place of their text. Called with a success only. */
export function withDeclaredFile(
  { tool }: FoundTool,
  { arguments: args }: Execution,
  { data, ...result }: Result,
  { reply, headers }: ProviderAnswer,
): Result {
  const { file } = tool.response
  if (!file) return { ...result, data }
  const [own, type] = [lookupIn(args), String(headers['content-type'] ?? '')]
  const mimetype = file.mimetype?.(own) ?? (file.content || !type ? 'application/octet-stream' : type)
  const told =
    file.content && typeof data['name'] === 'string'
      ? `/${encodeURIComponent(data['name'].toWellFormed())}`
      : ''
  const name =
    file.name?.(own) ??
    fileNameOf(reply && !file.content ? reply : { headers: {}, url: `https://none.invalid${told}` }, mimetype)
  if (!file.content)
    return {
      ...result,
      data: { [file.member]: new FileBytes(name, mimetype, reply?.body ?? Buffer.alloc(0)) },
    }
  const content = file.content(data)
  if (typeof content !== 'string') return { ...result, data }
  // The text itself goes: its bytes are in the file, and it may be as long as they are.
  const others = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== content))
  return {
    ...result,
    data: {
      ...others,
      [file.member]: new FileBytes(
        name,
        mimetype,
        Buffer.from(content, file.encoding === 'text' ? 'utf8' : file.encoding),
      ),
    },
  }
}

/** Keeps the files of a result and puts their addresses in their place. Only members of `data` are files, so results without any cost one look. */
export async function withKeptFiles(
  deps: EngineDeps,
  execution: Execution,
  found: FoundTool,
  result: Result,
): Promise<Result> {
  const files = Object.entries(result.data).filter(
    (entry): entry is [string, FileBytes] => entry[1] instanceof FileBytes,
  )
  if (!files.length) return result
  const data = { ...result.data }
  for (const [member, file] of files) data[member] = await keep(deps, execution, found, file)
  return { ...result, data }
}

/** @throws ToolFailure when there is no room for the file */
export async function keep(
  { files }: EngineDeps,
  { projectId, settings }: Execution,
  { toolkit, tool }: FoundTool,
  { name, type = 'application/octet-stream', bytes }: Pick<FileBytes, 'name' | 'type' | 'bytes'>,
): Promise<FileMember> {
  try {
    const saved = await files.save(
      projectId,
      { name, mimetype: type, bytes, toolkit: toolkit.slug, tool: tool.slug },
      settings.fileUrlSeconds,
    )
    return { name, mimetype: type, s3url: saved.url, s3key: saved.key, size: saved.size }
  } catch (error) {
    if (error instanceof ApiError && error.status < 500)
      throw new ToolFailure(`The application answered with a file, which cannot be kept. ${error.message}`, {
        statusCode: error.status,
        cause: error,
      })
    throw error
  }
}
