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

interface ErrorEnvelope {
  error?: { message?: string; slug?: string; suggested_fix?: string; request_id?: string; errors?: string[] }
}

const FIELD = /^Error in (?:payload|query|params)\.?([^:]*): (.*)$/s

/** Reads the error of a response. Proxies in front of the server may send something else than JSON. */
export async function readFailure(response: Response): Promise<ApiFailure> {
  const { error = {} } = (await response.json().catch(() => ({}))) as ErrorEnvelope
  const retryAfter = secondsUntil(response.headers.get('retry-after'))
  return new ApiFailure(error.message ?? `The server returned status ${response.status}.`, {
    status: response.status,
    slug: error.slug ?? '',
    fix: error.suggested_fix ?? (response.status >= 500 ? 'Try again in a few seconds.' : ''),
    requestId: error.request_id ?? response.headers.get('x-request-id') ?? undefined,
    fields: (error.errors ?? []).flatMap((text) => {
      const [, field = '', message = ''] = FIELD.exec(text) ?? []
      return message ? [{ field, message }] : []
    }),
    retryAfter,
  })
}

/** Reads `Retry-After`: seconds, or a date as proxies send it. */
export function secondsUntil(value: string | null, now = Date.now()): number | undefined {
  if (value === null || value.trim() === '') return undefined
  const seconds = Number(value)
  const rest = Number.isNaN(seconds) ? Math.ceil((Date.parse(value) - now) / 1_000) : seconds
  return rest > 0 ? rest : undefined
}
