import type { Result } from '../types.ts'

/** A body as JSON, as text, or as bytes in base64. */
export type TakenBody = { readonly json: unknown } | { readonly text: string } | { readonly base64: string }

/** One exchange with an application, without its secrets. Header names are in lower case. */
export interface TakenExchange {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: TakenBody
  }
  readonly answer: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body?: TakenBody
  }
}

/** One execution of a tool as a cassette has it. */
export interface Take {
  readonly tool: string
  readonly version: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly exchanges: readonly TakenExchange[]
  readonly result: Pick<Result, 'data' | 'error' | 'successful' | 'statusCode'>
}

/** The same arguments have the same key, in whatever order their members stand. */
export function keyOf(tool: string, args: unknown): string {
  return `${tool.toUpperCase()} ${JSON.stringify(ordered(args))}`
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, ordered(one)]),
  )
}

export function bodyOf(bytes: Buffer | string | undefined): TakenBody | undefined {
  if (bytes === undefined || !bytes.length) return undefined
  const text = bytes.toString()
  try {
    return { json: JSON.parse(text) }
  } catch {
    /* No JSON. */
  }
  return typeof bytes === 'string' || Buffer.from(text).equals(bytes)
    ? { text }
    : { base64: bytes.toString('base64') }
}

export function bytesOf(body: TakenBody | undefined): Buffer {
  if (!body) return Buffer.alloc(0)
  return 'json' in body
    ? Buffer.from(JSON.stringify(body.json))
    : 'text' in body
      ? Buffer.from(body.text)
      : Buffer.from(body.base64, 'base64')
}
