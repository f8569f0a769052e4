import { randomText } from '../../../../platform/ids.ts'
import { splitPages } from '../../../tools/index.ts'
import type { SessionScope } from '../../scope/scope.ts'
import type { BatchItemResult } from './run-batch.ts'

/** The file that contains a whole result. */
export interface RemoteFile {
  file_path: string
  size_bytes: number
  format: 'json'
  url: string
  expires_at: string
  instructions: string
}

/**
 * Stores a file of the session. The `url` is valid until `expiresAt` (RFC 3339). @throws ApiError if the
 * storage is full
 */
export type StoreFile = (name: string, bytes: Buffer) => Promise<{ url: string; expiresAt: string }>

const SANDBOX_FOLDER = '/mnt/files/.service/output'
/** The minimum size of a preview, in tokens of about three bytes. */
const PREVIEW_TOKENS_MIN = 100
const BYTES_PER_TOKEN = 3

async function storeJson(
  keep: StoreFile,
  prefix: string,
  text: string,
  instructions: string,
): Promise<RemoteFile> {
  const bytes = Buffer.from(text)
  const name = `${prefix}_${randomText(8)}.json`
  const { url, expiresAt } = await keep(name, bytes)
  return {
    file_path: `${SANDBOX_FOLDER}/${name}`,
    size_bytes: bytes.length,
    format: 'json',
    url,
    expires_at: expiresAt,
    instructions,
  }
}

/**
 * Stores the results in a file, and returns the beginning of each large one, in whole rows if it has rows.
 * @param characters the size of all previews together
 */
export async function offloadBatch(
  results: readonly BatchItemResult[],
  characters: number,
  keep: StoreFile,
): Promise<{ results: BatchItemResult[]; file: RemoteFile }> {
  const instructions =
    'The file contains the whole results as a JSON list. Each result here is only the beginning. ' +
    'In the workbench, read_result(file_path) returns (results, error). Otherwise download it from url, or run ' +
    'a tool again and request less: fewer fields, a filter, a smaller page.'
  const file = await storeJson(keep, 'multi_execute', JSON.stringify(results), instructions)
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
    file,
  }
}

/**
 * Returns the result of one tool, or its beginning and a file with the whole result if it is larger than the threshold
 * of the session. If the file cannot be stored, the whole result is returned.
 */
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
    const instructions =
      'The file contains the whole result as JSON. This is only the beginning. Download it from url, ' +
      'or run the tool again and request less: fewer fields, a filter, a smaller page.'
    const remote = await storeJson(keep, 'execute', text, instructions)
    return {
      ...preview(data, Math.max(PREVIEW_TOKENS_MIN, Math.floor(threshold / BYTES_PER_TOKEN))),
      remote_file_info: remote,
    }
  } catch (error) {
    log.warn({ err: error, request_id: requestId }, 'a large result was not stored in a file')
    return data
  }
}

/** Returns the beginning of data in the same structure, marked as truncated. */
export function preview(data: Record<string, unknown>, tokens: number): Record<string, unknown> {
  const parts = splitPages(data, tokens)
  if (parts.length === 1) return data
  return {
    ...parts[0]!.data,
    _preview: `The first of ${parts.length} parts; the next one begins at ${parts[1]!.begins_at}.`,
    _truncated: true,
  }
}
