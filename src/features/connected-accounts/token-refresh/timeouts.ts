import { ApiError } from '../../../platform/http/api-error.ts'

export const refreshTimeout = () =>
  new ApiError(
    'ActionExecute_UpstreamTimeout',
    'The token is being refreshed, and the provider has not responded in time.',
  )
