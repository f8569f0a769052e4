import type { IdempotencyKeyManifest, ToolkitManifest, ToolManifest } from '../../format/index.ts'
import type { IdempotencyKey } from '../../../types/index.ts'

/**
 * Where the requests of a tool carry an idempotency key: its own declaration, else that of the toolkit for
 * its method.
 */
export function compileIdempotencyKey(
  tool: ToolManifest,
  { idempotency: common }: Pick<ToolkitManifest, 'idempotency'>,
): IdempotencyKey | undefined {
  if (tool.idempotency_key) return fromManifest(tool.idempotency_key)
  // A code tool makes requests of several methods; each is looked at when it is sent.
  const fits =
    common &&
    (tool.request
      ? (common.methods as readonly string[]).includes(tool.request.method)
      : tool.effect !== 'read')
  return fits ? fromManifest(common, common.methods) : undefined
}

const fromManifest = (
  { header, body, argument, format = 'uuid' }: IdempotencyKeyManifest,
  methods?: readonly string[],
): IdempotencyKey =>
  Object.freeze({ header: header?.toLowerCase(), body: body?.split('.'), argument, methods, format })
