import { randomText } from '../../../../platform/ids.ts'
import { split } from '../../../tools/index.ts'
import type { SessionScope } from '../../scope/scope.ts'
import type { BatchItemResult } from './run-batch.ts'

/** Where the whole of an answer is kept. */
export interface RemoteFile {
  file_path: string
  size_bytes: number
  format: 'json'
  url: string
  expires_at: string
  instructions: string
}

/** Keeps bytes for the session; `url` is good until `expiresAt` (RFC 3339). @throws ApiError when there is no room */
export type StoreFile = (name: string, bytes: Buffer) => Promise<{ url: string; expiresAt: string }>

const SANDBOX_FOLDER = '/mnt/files/.service/output'
/** As much of an answer as is always shown, in tokens of about three bytes. */
const PREVIEW_TOKENS_MIN = 100
const BYTES_PER_TOKEN = 3

/** The results with the beginning of each large answer in its place, whole rows where it has rows, and the file that holds all of it. `characters`: how much may be shown. */
export async function offloadBatch(
  results: readonly BatchItemResult[],
  characters: number,
  keep: StoreFile,
): Promise<{ results: BatchItemResult[]; file: RemoteFile }> {
  const bytes = Buffer.from(JSON.stringify(results))
  const name = `multi_execute_${randomText(8)}.json`
  const { url, expiresAt } = await keep(name, bytes)
  const tokens = Math.max(
    PREVIEW_TOKENS_MIN,
    Math.floor(characters / BYTES_PER_TOKEN / Math.max(1, results.length)),
  )
  return {
    results: results.map((result) =>
      result.response
        ? { ...result, response: { ...result.response, data: preview(result.response.data, tokens) } }
        : result,
    ),
    file: {
      file_path: `${SANDBOX_FOLDER}/${name}`,
      size_bytes: bytes.length,
      format: 'json',
      url,
      expires_at: expiresAt,
      instructions:
        'The file holds the whole results as a JSON list; each answer here is its beginning. Get it from url, or run a tool again and ask it for less: fewer fields, a filter, a smaller page.',
    },
  }
}

/** The answer of one tool as a session shows it: as it is, or its beginning and the file that holds all of it. Where it cannot be kept it is shown whole. */
export async function offloadResult(
  {
    config: {
      workbench: { enable, auto_offload_threshold: threshold },
    },
    caller: { settings, log, requestId },
  }: SessionScope,
  data: Record<string, unknown>,
  keep: StoreFile,
): Promise<Record<string, unknown>> {
  if (!enable || !settings.storePayloads) return data
  const text = JSON.stringify(data)
  if (text.length <= threshold) return data
  try {
    const bytes = Buffer.from(text)
    const name = `execute_${randomText(8)}.json`
    const { url, expiresAt } = await keep(name, bytes)
    const remote: RemoteFile = {
      file_path: `${SANDBOX_FOLDER}/${name}`,
      size_bytes: bytes.length,
      format: 'json',
      url,
      expires_at: expiresAt,
      instructions:
        'The file holds the whole answer as JSON; what stands here is its beginning. Get it from url, or run the tool again and ask it for less: fewer fields, a filter, a smaller page.',
    }
    return {
      ...preview(data, Math.max(PREVIEW_TOKENS_MIN, Math.floor(threshold / BYTES_PER_TOKEN))),
      remote_file_info: remote,
    }
  } catch (error) {
    log.warn({ err: error, request_id: requestId }, 'a large answer could not be kept, and was shown whole')
    return data
  }
}

/** The beginning of data in its own shape, marked where something is missing. */
export function preview(data: Record<string, unknown>, tokens: number): Record<string, unknown> {
  const parts = split(data, tokens)
  if (parts.length === 1) return data
  return {
    ...parts[0]!.data,
    _preview: `The first of ${parts.length} parts; the next one begins at ${parts[1]!.begins_at}.`,
    _truncated: true,
  }
}
