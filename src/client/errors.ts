/** The error envelope of the API. */
interface Envelope {
  message?: string
  code?: number
  slug?: string
  request_id?: string
  suggested_fix?: string
  errors?: string[]
}

/** An error response of the server. */
export class PatchbayError extends Error {
  /** HTTP status. */
  readonly status: number
  /** Stable name of the error, such as `Tool_ToolNotFound`; empty if the response had no error envelope. */
  readonly slug: string
  readonly code: number | undefined
  /** Id of the request, for the log of the server. */
  readonly requestId: string | undefined
  /** What to do next. */
  readonly suggestedFix: string | undefined
  /** The invalid fields of the request. */
  readonly errors: readonly string[]
  readonly headers: Headers

  constructor(response: { status: number; headers: Headers }, body: unknown) {
    const envelope = ((body as { error?: Envelope } | null)?.error ?? {}) as Envelope
    super(envelope.message ?? `The server responded with status ${response.status}.`)
    this.name = 'PatchbayError'
    this.status = response.status
    this.slug = envelope.slug ?? ''
    this.code = envelope.code
    this.requestId = envelope.request_id ?? response.headers.get('x-request-id') ?? undefined
    this.suggestedFix = envelope.suggested_fix
    this.errors = envelope.errors ?? []
    this.headers = response.headers
  }
}

/** The server could not be reached, or did not respond in time. `cause` has the reason. */
export class PatchbayConnectionError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'PatchbayConnectionError'
  }
}
