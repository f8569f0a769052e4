import { ImportRejected, Unreachable } from '../../../catalog/importers/worker/index.ts'
import { EgressError } from '../../../platform/egress/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'

/** Maps an error of an import to the response; `field` is the request field that has the document. */
export function toImportError(error: unknown, field: string): unknown {
  if (error instanceof Unreachable || error instanceof EgressError)
    return new ApiError('Toolkit_DocumentUnreachable', error.message, {
      details: [`Error in payload.url: ${error.message}`],
    })
  if (!(error instanceof ImportRejected)) return error
  const at =
    error.why === 'no_address'
      ? 'server'
      : error.why === 'manifest' && / at \/auth/.test(error.message)
        ? 'auth'
        : field
  return new ApiError(
    error.why === 'too_large' ? 'Toolkit_DocumentTooLarge' : 'Toolkit_DocumentRefused',
    error.message,
    { details: [`Error in payload.${at}: ${error.why}`], cause: error },
  )
}
