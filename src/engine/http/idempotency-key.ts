import { createHash } from 'node:crypto'
import { FileBytes } from '../../catalog/index.ts'

/** The values that keys are made of. `idempotencyKeys` counts the keys of the call. */
interface KeySource {
  readonly logId: string
  readonly trace: { idempotencyKeys: number }
}

/** Returns the same key for every attempt of a request, and another key for each request of a call. */
export function nextIdempotencyKey({ logId, trace }: KeySource, format: 'uuid' | 'hex'): string {
  const hex = createHash('sha256')
    .update(`${logId}:${trace.idempotencyKeys++}`)
    .digest('hex')
    .slice(0, 32)
  if (format === 'hex') return hex
  // A version 8 UUID (RFC 9562, section 5.8).
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) & 3]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}

/** Returns a copy of a body with a field, unless it has one. Undefined if the body has no place for it. */
export function withBodyField(
  body: unknown,
  [name, ...rest]: readonly string[],
  value: () => string,
): unknown {
  if (name === undefined) return undefined
  const isObject =
    typeof body === 'object' && body !== null && !Array.isArray(body) && !(body instanceof FileBytes)
  if (body !== undefined && !isObject) return undefined
  const fields = (body ?? {}) as Record<string, unknown>
  const current = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (rest.length === 0) return current === undefined ? { ...fields, [name]: value() } : fields
  const inner = withBodyField(current, rest, value)
  return inner === undefined ? undefined : { ...fields, [name]: inner }
}
