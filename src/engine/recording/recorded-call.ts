import { parseBoundedJson } from '../../platform/bounded-json.ts'
import type { ToolResult } from '../types.ts'

/** A body as JSON, as text, or as base64. */
export type RecordedBody =
  | { readonly json: unknown }
  | { readonly text: string }
  | { readonly base64: string }

/** A request and its response without secrets. Header names are lower case. */
export interface RecordedExchange {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: RecordedBody | undefined
  }
  /** The response. The file format calls it `answer`. */
  readonly answer: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body?: RecordedBody | undefined
  }
}

/** One call of a tool in a recording. */
export interface RecordedCall {
  readonly tool: string
  readonly version: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly exchanges: readonly RecordedExchange[]
  readonly result: Pick<ToolResult, 'data' | 'error' | 'successful' | 'statusCode'>
}

/** The key of a call in a recording. The order of properties does not matter. */
export function recordingKey(tool: string, args: unknown): string {
  return `${tool.toUpperCase()} ${JSON.stringify(sortKeys(args))}`
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, property]) => property !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, property]) => [key, sortKeys(property)]),
  )
}

export function toRecordedBody(bytes: Buffer | string | undefined): RecordedBody | undefined {
  if (bytes === undefined || !bytes.length) return undefined
  const text = bytes.toString()
  try {
    return { json: parseBoundedJson(text) }
  } catch {
    /* not JSON, or too complex to parse */
  }
  return typeof bytes === 'string' || Buffer.from(text).equals(bytes)
    ? { text }
    : { base64: bytes.toString('base64') }
}

export function fromRecordedBody(body: RecordedBody | undefined): Buffer {
  if (!body) return Buffer.alloc(0)
  if ('json' in body) return Buffer.from(JSON.stringify(body.json))
  return 'text' in body ? Buffer.from(body.text) : Buffer.from(body.base64, 'base64')
}
