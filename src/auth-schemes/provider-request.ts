import { MissingValue, UnsafeValue } from '../catalog/index.ts'
import { EgressError, type EgressProxy } from '../platform/egress/index.ts'
import { noteOf } from './exchange-note.ts'
import { UnusableKey } from './keys.ts'
import { ProviderTrouble, type SchemeTools } from './scheme.ts'

/** A token endpoint that takes longer is treated as down. */
const TIMEOUT_MS = 15_000
const BYTES_MAX = 1_000_000

export interface ProviderReply {
  status: number
  headers: Record<string, string | string[]>
  /** Parsed JSON, else the members of a form, else the text. */
  body: unknown
  /** When it was asked for, ms since the epoch. A lifetime counts from the answer's making, which nobody tells: counted from here it never ends too late. */
  askedAt: number
}

export interface ProviderRequest {
  method: string
  url: string
  headers?: Record<string, string>
  body?: string
  /** Default 15 s. */ timeoutMs?: number
}

/** Builds a request; what cannot be filled in is trouble with this connection, not a fault of ours. @throws ProviderTrouble */
export function built(build: () => ProviderRequest): ProviderRequest {
  try {
    return build()
  } catch (error) {
    if (error instanceof MissingValue || error instanceof UnsafeValue)
      throw new ProviderTrouble(`The request to the provider cannot be made: ${error.message}`, {
        cause: error,
      })
    if (error instanceof UnusableKey)
      throw new ProviderTrouble(`The request to the provider cannot be signed: the key ${error.message}.`, {
        cause: error,
      })
    throw error
  }
}

/** One exchange with an authorization server, bounded in time and size. @throws ProviderTrouble when there is no answer. */
export async function request(
  tools: SchemeTools,
  proxy: EgressProxy | undefined,
  { timeoutMs = TIMEOUT_MS, ...options }: ProviderRequest,
): Promise<ProviderReply> {
  const sent = { ...options, headers: { accept: 'application/json', ...options.headers } }
  const began = performance.now()
  const askedAt = tools.now()
  try {
    const { status, headers, body } = await tools.egress.send({
      ...sent,
      timeoutMs,
      bytesMax: BYTES_MAX,
      maxRedirects: 0,
      ...(proxy ? { proxy } : {}),
    })
    const text = body.toString('utf8')
    const reply = { status, headers, body: read(text, String(headers['content-type'] ?? '')), askedAt }
    tools.note?.(noteOf(sent, { ...reply, text }, performance.now() - began))
    return reply
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    tools.note?.(noteOf(sent, { error }, performance.now() - began))
    throw new ProviderTrouble(error.message, { cause: error })
  }
}

function read(text: string, contentType: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    /* some providers answer a form, or say JSON and send text */
  }
  const looksLikeForm =
    contentType.includes('x-www-form-urlencoded') || /^[\w.~-]+=[^\s]*(&[\w.~-]+=[^\s]*)*$/.test(text)
  return looksLikeForm ? Object.fromEntries(new URLSearchParams(text)) : text
}

/** Parameters as a form or as JSON, with the content type. */
export function encodeBody(
  kind: 'form' | 'json',
  params: Readonly<Record<string, string>>,
): { headers: Record<string, string>; body: string } {
  return kind === 'json'
    ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(params) }
    : {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(params).toString(),
      }
}
