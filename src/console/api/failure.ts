/** One invalid field of a request. */
export interface FieldProblem {
  /** Path of the field, such as `toolkit.slug`. */
  field: string
  message: string
}

/** A request that failed: what is wrong, and what to do next. */
export class ApiFailure extends Error {
  override name = 'ApiFailure'
  /** HTTP status; 0 if the server could not be reached. */
  readonly status: number
  readonly slug: string
  readonly fix: string
  readonly requestId: string | undefined
  readonly fields: readonly FieldProblem[]
  /** Seconds until the request may be sent again. */
  readonly retryAfter: number | undefined

  constructor(message: string, details: Partial<Omit<ApiFailure, keyof Error>> = {}) {
    super(message)
    this.status = details.status ?? 0
    this.slug = details.slug ?? ''
    this.fix = details.fix ?? ''
    this.requestId = details.requestId
    this.fields = details.fields ?? []
    this.retryAfter = details.retryAfter
  }
}

export const failureOf = (error: unknown): ApiFailure =>
  error instanceof ApiFailure ? error : new ApiFailure(String(error))

interface ErrorEnvelope {
  error?: { message?: string; slug?: string; suggested_fix?: string; request_id?: string; errors?: string[] }
}

/** Its fix is for programs: it names the header. Other errors with status 429 say more than when to come back. */
const TOO_MANY = 'HTTP_TooManyRequests'
const FIELD = /^Error in (?:payload|query|params)\.?([^:]*): (.*)$/s

/** Reads the error of a response. Proxies in front of the server may send something else than JSON. */
export async function readFailure(response: Response): Promise<ApiFailure> {
  const { error = {} } = (await response.json().catch(() => ({}))) as ErrorEnvelope
  const retryAfter = secondsUntil(response.headers.get('retry-after'))
  return new ApiFailure(error.message ?? `The server returned status ${response.status}.`, {
    status: response.status,
    slug: error.slug ?? '',
    fix:
      error.slug === TOO_MANY && retryAfter !== undefined
        ? `Try again in ${durationOf(retryAfter)}.`
        : (error.suggested_fix ?? (response.status >= 500 ? 'Try again in a few seconds.' : '')),
    requestId: error.request_id ?? response.headers.get('x-request-id') ?? undefined,
    fields: (error.errors ?? []).flatMap((text) => {
      const [, field = '', message = ''] = FIELD.exec(text) ?? []
      return message ? [{ field, message }] : []
    }),
    retryAfter,
  })
}

/** Returns a number of seconds as people say it. */
export function durationOf(seconds: number): string {
  const [value, unit] =
    seconds < 120
      ? [seconds, 'second']
      : seconds < 7_200
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3_600), 'hour']
  return `${value} ${unit}${value === 1 ? '' : 's'}`
}

/** Reads `Retry-After`: seconds, or a date as proxies send it. */
export function secondsUntil(value: string | null, now = Date.now()): number | undefined {
  if (value === null || value.trim() === '') return undefined
  const seconds = Number(value)
  const rest = Number.isNaN(seconds) ? Math.ceil((Date.parse(value) - now) / 1_000) : seconds
  return rest > 0 ? rest : undefined
}
