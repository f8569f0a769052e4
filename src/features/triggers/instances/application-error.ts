import { ApiError } from '../../../platform/http/api-error.ts'

const UNUSABLE_ACCOUNT_ERRORS: readonly string[] = [
  'ActionExecute_ConnectedAccountExpired',
  'ActionExecute_ConnectedAccountNotActive',
]

/**
 * The error of the API for a request to the application that failed while a trigger was created or enabled. `meaning`
 * is that of the response; undefined if there was none.
 */
export function applicationError(error: unknown, meaning: string | undefined, message: string): unknown {
  if (error instanceof ApiError && UNUSABLE_ACCOUNT_ERRORS.includes(error.slug))
    return new ApiError('TriggerInstance_ConnectionNotUsable', error.message, { cause: error })
  if (message === '') return error
  if (meaning === 'reauth')
    return new ApiError('TriggerInstance_ConnectionNotUsable', message, { cause: error })
  const slug =
    meaning === 'transient' || meaning === 'rate_limit'
      ? 'ActionExecute_UpstreamUnavailable'
      : 'TriggerInstance_ApplicationRefused'
  return new ApiError(slug, message, { cause: error })
}
