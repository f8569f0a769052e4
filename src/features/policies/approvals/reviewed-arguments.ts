import { createHash } from 'node:crypto'
import type { PreparedCall } from '../../../engine/index.ts'
import { maskKey } from '../../../platform/crypto/index.ts'
import { badRequest } from '../../../platform/http/api-error.ts'

interface ProxyArguments {
  parameters?: readonly { name: string; type: string; value: string }[] | undefined
  binary_body?: { url?: string; base64?: string; content_type?: string } | undefined
}

/**
 * Returns what a person reviews before a call. Of a proxy request these are the method, the endpoint, the body and the
 * query in full, header values masked, because they may be secrets, and the size and SHA-256 of binary content.
 * @throws ApiError 400 for content at a URL, which can change after the decision
 */
export function reviewedArguments(call: PreparedCall): Readonly<Record<string, unknown>> {
  if (!call.isProxy) return call.arguments
  const { parameters, binary_body: binaryBody } = call.arguments as ProxyArguments
  if (binaryBody?.url !== undefined)
    throw badRequest(
      'Error in payload.binary_body.url: cannot be used in a request that needs an approval, because content at a ' +
        'URL can change after it; send the content as base64',
    )
  return {
    ...call.call.arguments,
    ...(parameters?.length && {
      parameters: parameters.map((one) =>
        one.type === 'header' ? { ...one, value: maskKey(one.value) } : one,
      ),
    }),
    ...(binaryBody && { binary_body: describeContent(binaryBody) }),
  }
}

function describeContent({
  base64 = '',
  content_type: contentType,
}: {
  base64?: string
  content_type?: string
}) {
  const bytes = Buffer.from(base64, 'base64')
  return {
    ...(contentType !== undefined && { content_type: contentType }),
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
}
