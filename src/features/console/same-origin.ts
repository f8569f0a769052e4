import { ApiError } from '../../platform/http/api-error.ts'

/** Header that every request of the console carries. Another site cannot send it without a CORS preflight. */
export const CONSOLE_HEADER = 'x-patchbay-console'

interface Request {
  method?: string
  headers: Readonly<Record<string, string | string[] | undefined>>
}

const READS = new Set(['GET', 'HEAD'])

export const isConsoleRequest = ({ headers }: Pick<Request, 'headers'>): boolean =>
  headers[CONSOLE_HEADER] === '1'

/**
 * Rejects a request with the cookie of a session that a page of another origin may have sent: the header of the console
 * must be present, and what the browser says about the origin must agree. A request that changes something must name
 * its origin: browsers always send `Origin` with it.
 * @throws ApiError 403 Console_CrossOrigin
 */
export function assertSameOrigin(request: Request, publicUrl: string): void {
  const { headers, method } = request
  const { origin, host, 'sec-fetch-site': site } = headers
  const isForeign =
    !isConsoleRequest(request) ||
    (site !== undefined && site !== 'same-origin') ||
    (origin !== undefined && origin !== new URL(publicUrl).origin && !isOriginOfHost(origin, host)) ||
    (!READS.has(method ?? '') && origin === undefined && site === undefined)
  if (isForeign)
    throw new ApiError(
      'Console_CrossOrigin',
      `A console session is accepted only from pages of the console, with the header ${CONSOLE_HEADER}: 1.`,
    )
}

function isOriginOfHost(origin: string | string[], host: string | string[] | undefined): boolean {
  return origin === `https://${host}` || origin === `http://${host}`
}
