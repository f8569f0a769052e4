import { toApiError } from '../../platform/http/server/api-errors.ts'

/** Translates every error into an ApiError, so that the caller and the log get the same message. */
export function throwApiError(_context: object, _deps: object, error: unknown): never {
  throw toApiError(error)
}
