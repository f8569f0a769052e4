import { parseBoundedJsonOrUndefined } from '../../platform/bounded-json.ts'
import { CallError } from '../api-client/call.ts'
import { EXIT, type Io } from '../io.ts'

const TIMEOUT_MS = 20_000
const BYTES_MAX = 1024 * 1024

export interface OAuthReply {
  status: number
  headers: Headers
  /** The JSON of the response; undefined if it is none. */
  json: unknown
}

/**
 * Sends one request to an MCP server or its authorization server. Redirects are not followed: credentials are for
 * the host that the metadata names. @throws CallError if there is no response
 */
export async function sendOAuthRequest(io: Io, url: string, init: RequestInit = {}): Promise<OAuthReply> {
  try {
    const response = await (io.fetch ?? fetch)(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await readText(response)
    return {
      status: response.status,
      headers: response.headers,
      json: parseBoundedJsonOrUndefined(text),
    }
  } catch (error) {
    throw new CallError(
      `${new URL(url).host} did not respond: ${(error as Error).message}.`,
      'Check the URL, and try again.',
      EXIT.unreachable,
      error,
    )
  }
}

/** Reads at most `BYTES_MAX` bytes. A longer response is cut, so that it is no JSON. */
async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const part of response.body ?? []) {
    const chunk = part as Uint8Array
    bytes += chunk.byteLength
    if (bytes > BYTES_MAX) break
    text += decoder.decode(chunk, { stream: true })
  }
  return text
}
