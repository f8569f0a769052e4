import { ApiError } from '../../../platform/http/api-error.ts'

export const refreshTimeout = () =>
  new ApiError(
    'ActionExecute_UpstreamTimeout',
    'The token is being refreshed, and the provider has not responded in time.',
  )

/** Waits at most `ms` for the work, which continues after that. @throws ActionExecute_UpstreamTimeout */
export async function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(refreshTimeout()), ms)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}
