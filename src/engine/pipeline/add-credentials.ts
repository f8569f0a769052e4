import type { Credentials } from '../../auth-schemes/index.ts'
import type { EgressRequest } from '../../platform/egress/index.ts'
import { serializeLongBody } from '../http/encode-body.ts'
import { createEgressRequest } from '../http/egress-request.ts'
import { mintRequestTokens } from '../http/request-tokens.ts'
import type {
  HasConnection,
  HasOperation,
  HasRequest,
  HasSignedRequest,
  MayBeLong,
  StepDeps,
} from './context.ts'

type Unsigned = HasOperation & HasConnection & HasRequest & MayBeLong

/**
 * Adds the credentials to the request. Each attempt needs this again: signatures and tokens contain the time. A long
 * body is serialized in slices before, once for all attempts.
 */
export function addCredentials(
  context: Unsigned,
  deps: StepDeps,
): HasSignedRequest | Promise<HasSignedRequest> {
  const { hasLongArguments, request } = context
  const serializing = hasLongArguments && serializeLongBody(request)
  if (serializing) return serializing.then(() => addCredentials(context, deps))
  const now = deps.clock.now()
  const minting = mintRequestTokens(context.connection, now)
  if (!minting) return { signedRequest: signedRequest(context, deps, now) }
  return minting.then((minted) => ({ signedRequest: signedRequest(context, deps, now, minted) }))
}

function signedRequest(
  { operation, connection, request: rendered, requestOptions }: Unsigned,
  { files }: StepDeps,
  now: number,
  minted?: Credentials,
): EgressRequest {
  const request = createEgressRequest(operation, rendered, connection, now, minted)
  request.bytesMax = operation.tool.limits.responseBytes ?? files.bytesMax
  if (!requestOptions) return request
  const { timeoutMs, onBody, isPreparation: _, sensitiveHeaders, ...options } = requestOptions
  Object.assign(request, options)
  if (sensitiveHeaders) {
    request.sensitiveHeaders = [...(request.sensitiveHeaders ?? []), ...sensitiveHeaders]
  }
  if (timeoutMs !== undefined) request.timeoutMs = timeoutMs
  if (onBody) request.onBody = onBody
  return request
}
