import { createHash } from 'node:crypto'
import type { FoundTool, RenderedRequest } from '../../catalog/index.ts'
import { FileBytes } from '../../catalog/index.ts'
import type { Execution, Run } from '../types.ts'

/** A request, and whether it may be sent again when nobody knows what became of it. */
export interface Outgoing {
  rendered: RenderedRequest
  repeats: boolean
}

/** An argument that carries the idempotency key is filled before the request is made of it; the caller's own key stays. */
export function fillKeyArgument(
  { tool: { idempotencyKey } }: FoundTool,
  { arguments: args, run }: Execution,
): void {
  const name = idempotencyKey?.argument
  if (name !== undefined && run && (args[name] === undefined || args[name] === null || args[name] === ''))
    args[name] = keyOf(run, idempotencyKey!.format)
}

/**
 * Puts the idempotency key where the manifest wants it. Reads may be repeated, and what changes nothing more when it is done again; any other write only with
 * a key by which the application knows it.
 */
export function outgoing(
  { tool }: FoundTool,
  { run, arguments: args }: Execution,
  rendered: RenderedRequest,
): Outgoing {
  const reads =
    tool.effect === 'read' ||
    tool.idempotent ||
    (tool.code !== undefined && (rendered.method === 'GET' || rendered.method === 'HEAD'))
  const key = tool.idempotencyKey
  if (!run || !key || (key.methods && !key.methods.includes(rendered.method)))
    return { rendered, repeats: reads }
  if (key.argument !== undefined)
    return { rendered, repeats: reads || typeof args[key.argument] === 'string' }
  const { header } = key
  if (header !== undefined)
    return {
      rendered: Object.hasOwn(rendered.headers, header)
        ? rendered
        : { ...rendered, headers: { ...rendered.headers, [header]: keyOf(run, key.format) } },
      repeats: true,
    }
  const body = withMember(rendered.body, key.body ?? [], () => keyOf(run, key.format))
  return body === undefined
    ? { rendered, repeats: reads }
    : { rendered: { ...rendered, body }, repeats: true }
}

/** A copy with the member, unless it is there; undefined where the body has no place for it. */
function withMember(body: unknown, [step, ...rest]: readonly string[], value: () => string): unknown {
  if (
    step === undefined ||
    (body !== undefined &&
      (typeof body !== 'object' || body === null || Array.isArray(body) || body instanceof FileBytes))
  )
    return undefined
  const members = (body ?? {}) as Record<string, unknown>
  const held = Object.hasOwn(members, step) ? members[step] : undefined
  if (rest.length === 0) return held === undefined ? { ...members, [step]: value() } : members
  const inner = withMember(held, rest, value)
  return inner === undefined ? undefined : { ...members, [step]: inner }
}

/** The same for every attempt of a request, another one for each request of an execution. */
function keyOf(run: Run, format: 'uuid' | 'hex'): string {
  const hex = createHash('sha256')
    .update(`${run.key}:${run.keys++}`)
    .digest('hex')
    .slice(0, 32)
  if (format === 'hex') return hex
  // RFC 9562, section 5.8: a UUID of our own making.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${'89ab'[Number.parseInt(hex[16]!, 16) & 3]}${hex.slice(17, 20)}-${hex.slice(20)}`
}
