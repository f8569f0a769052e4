import { UNCHANGED, type Unchanged } from '../../platform/pipeline.ts'
import { nextIdempotencyKey, withBodyField } from '../http/idempotency-key.ts'
import type {
  CallStart,
  HasArguments,
  HasOperation,
  HasRepeatability,
  HasRequest,
  HasTool,
} from './context.ts'

/** Fills an argument that carries the idempotency key. A key of the caller stays. */
export function fillIdempotencyArgument(
  context: CallStart & HasTool & HasArguments,
): HasArguments | Unchanged {
  const key = context.resolvedTool.tool.idempotencyKey
  if (key?.argument === undefined) return UNCHANGED
  const value = context.arguments[key.argument]
  if (value !== undefined && value !== null && value !== '') return UNCHANGED
  return { arguments: { ...context.arguments, [key.argument]: nextIdempotencyKey(context, key.format) } }
}

/**
 * Adds the idempotency key to the request where the manifest requires it. Reads may be repeated, and calls that
 * change nothing more when they are repeated. Other writes may be repeated only with a key that the application
 * recognizes.
 */
export function addIdempotencyKey(
  context: CallStart & HasOperation & HasArguments & HasRequest,
): HasRepeatability | (HasRepeatability & HasRequest) {
  const { request, operation } = context
  const { tool } = operation
  const isRead =
    tool.effect === 'read' ||
    tool.idempotent ||
    (tool.code !== undefined && (request.method === 'GET' || request.method === 'HEAD'))
  const key = tool.idempotencyKey
  if (!key || (key.methods && !key.methods.includes(request.method))) return { isRepeatable: isRead }
  if (key.argument !== undefined) {
    return { isRepeatable: isRead || typeof context.arguments[key.argument] === 'string' }
  }
  const { header } = key
  if (header !== undefined) {
    if (Object.hasOwn(request.headers, header)) return { isRepeatable: true }
    const headers = { ...request.headers, [header]: nextIdempotencyKey(context, key.format) }
    return { isRepeatable: true, request: { ...request, headers } }
  }
  const body = withBodyField(request.body, key.body ?? [], () => nextIdempotencyKey(context, key.format))
  return body === undefined ? { isRepeatable: isRead } : { isRepeatable: true, request: { ...request, body } }
}
